// As list_decisions_for_review, of one task. $p: {project_id, task_name, before, before_id}, limit.
// One row: the project's mark before and after, count, [decision, task name, supports].
// Index on Decision(task_id, created_at), read in order on Neo4j; FalkorDB sorts the task's.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  WITH before
  MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  WITH before, t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true AND d.status = 'active'
    AND (before[0] OR d.review_state = 'needs_review')
  //neo4j AND d.created_at >= ''
  WITH d LIMIT 1001
  RETURN count(d) AS number
}
CALL {
  WITH before
  MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  WITH before, t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
  //falkordb WITH before, t, d, d.created_at AS at, d.id AS id
  //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
  AND d.status = 'active' AND (before[0] OR d.review_state = 'needs_review')
  WITH t, d ORDER BY d.task_id DESC, d.created_at DESC, d.id DESC LIMIT $n
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH t, d, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, t.name, supports]) AS listed
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after, number, listed
