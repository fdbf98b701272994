// The bounded view of a task, by name or id. $p: {project_id, name|null, task_id|null}.
// One row: mark before and after, task, steps, step counts, decisions, number, decisions to review.
// Index on Decision(task_id, created_at); a lower bound only.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  OPTIONAL MATCH (a:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN a
}
CALL {
  OPTIONAL MATCH (b:Task {_agrag_history_record: true, id: $p.task_id})
  WHERE b.project_id = $p.project_id
  RETURN b
}
WITH before, coalesce(a, b) AS t
WHERE t IS NOT NULL
CALL {
  WITH t
  MATCH (t)-[:HAS_STEP]->(s:Step)
  WITH s ORDER BY CASE s.state WHEN 'in_progress' THEN 0 WHEN 'failed' THEN 1 WHEN 'unknown' THEN 2
    WHEN 'not_started' THEN 3 ELSE 4 END, s.name LIMIT 50
  RETURN collect({{step:s}}) AS steps
}
CALL {
  WITH t
  MATCH (t)-[:HAS_STEP]->(s:Step)
  WITH s.state AS state, count(s) AS number
  RETURN collect([state, number]) AS step_counts
}
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d.status = 'active' AND d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  RETURN count(d) AS number
}
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d.status = 'active' AND d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d ORDER BY d.task_id DESC, d.created_at DESC, d.id DESC LIMIT 20
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, supports]) AS decisions
}
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d.status = 'active' AND d.review_state = 'needs_review' AND d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d ORDER BY d.task_id DESC, d.created_at DESC, d.id DESC LIMIT 20
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, supports]) AS to_review
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  {{task:t}} AS task, steps, step_counts, decisions, number, to_review
