// Decisions that a new version would flag, as they stand. $p: {project_id, ids}.
// Rows: mark, decision, task name, supports. Constraint on Decision(id).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH coalesce(q.review_incomplete, false) AS travelling
UNWIND $p.ids AS i
MATCH (d:Decision {_agrag_history_record: true, id: i})
WHERE d.project_id = $p.project_id
WITH travelling, d
OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
WITH travelling, d, t
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
RETURN travelling, {{decision:d}} AS decision, t.name AS task_name, collect({{support:s}}) AS supports
