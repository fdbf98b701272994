// A task's decisions in a span of time. $p: {project_id, task_id, after, until}, limit.
// Rows: mark, decision, task name. Index on Decision(task_id, created_at); the upper bound
// is compared in a WITH of its own, since FalkorDB's index takes none on a text.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH coalesce(q.review_incomplete, false) AS travelling
MATCH (t:Task {_agrag_history_record: true, id: $p.task_id})
WHERE t.project_id = $p.project_id
WITH travelling, t.name AS name
MATCH (d:Decision {task_id: $p.task_id})
//neo4j USING INDEX d:Decision(task_id, created_at)
WHERE d._agrag_history_record = true
//neo4j AND d.created_at > $p.after
WITH travelling, name, d, d.created_at AS at
WHERE at > $p.after AND at <= $p.until
WITH travelling, name, d ORDER BY d.created_at, d.id LIMIT $n
RETURN travelling, {{decision:d}} AS decision, name
