// One decision with its current supports. $p: {project_id, decision_id}.
// Rows: the project's mark before and after, task name, decision, supports.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH q, [q.review_incomplete, q.review_epoch, q.review_lock] AS before
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
WITH before, d
OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
WITH before, d, t
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
WITH before, t, {{decision:d}} AS decision, collect({{support:s}}) AS supports
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [q.review_incomplete, q.review_epoch, q.review_lock] AS after,
  t.name AS task_name, decision, supports
