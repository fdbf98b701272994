// The bounded view of a task, by name or id. $p: {project_id, name|null, task_id|null}.
// One row: mark before and after, task, steps, step counts, decisions, numbers by status, to review,
// conflicts [choice, sides, decisions with task name and supports].
// Indexes on Decision(task_id, created_at), a lower bound only, Decision(project_id, choice_key),
// CtxStance(id), CtxChoice(id); the number of stances is compared behind an alias, since FalkorDB
// would intersect each choice with all that have as many. Conflicts find the task again: what they imported, Neo4j would
// carry, with the lists made so far, in each row that it orders.
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
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d.status AS status, count(d) AS number
  RETURN collect([status, number]) AS numbers
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
CALL {
  OPTIONAL MATCH (a:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  WITH a OPTIONAL MATCH (b:Task {_agrag_history_record: true, id: $p.task_id})
  WHERE b.project_id = $p.project_id
  WITH coalesce(a, b) AS t
  WHERE t IS NOT NULL
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d.status = 'active' AND d._agrag_history_record = true AND d.ctx_stance IS NOT NULL
  //neo4j AND d.created_at >= ''
  WITH DISTINCT t, d.ctx_stance AS stance
  MATCH (s:CtxStance {id: stance})
  WITH t, s MATCH (c:CtxChoice {id: s.choice_id})
  WITH t, c.choice_key AS choice_key, c.stances AS stances
  WHERE stances > 1
  WITH DISTINCT t, choice_key ORDER BY choice_key LIMIT 11
  CALL {
    WITH t, choice_key
    MATCH (d:Decision {project_id: t.project_id, choice_key: choice_key})
    //neo4j USING INDEX d:Decision(project_id, choice_key)
    WHERE d.status = 'active' AND d._agrag_history_record = true
    WITH t, d LIMIT 201
    WITH d, CASE WHEN d.task_id = t.id THEN 0 ELSE 1 END AS other
    ORDER BY other, d.created_at DESC, d.id DESC
    WITH collect([d, other]) AS found, count(DISTINCT d.ctx_stance) AS sides
    UNWIND found[0..11] AS one
    WITH sides, one[0] AS d, one[1] AS other
    OPTIONAL MATCH (o:Task {_agrag_history_record: true, id: d.task_id})
    WITH sides, d, other, o.name AS name
    OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
    WITH sides, d, other, name, collect({{support:s}}) AS supports
    ORDER BY other, d.created_at DESC, d.id DESC
    RETURN sides, collect([{{decision:d}}, name, supports]) AS shown
  }
  RETURN collect([choice_key, sides, shown]) AS conflicts
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  {{task:t}} AS task, steps, step_counts, decisions, numbers, to_review, conflicts
