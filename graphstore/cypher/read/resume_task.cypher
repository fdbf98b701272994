// Gather of resume_task. $p: request keys, {task_name}. One row: request, entry, its manifest,
// task, the first 1,001 steps that are not completed, those in progress before all others, and
// the first 1,001 that are. Constraints on Task(project_id, name), CtxTrace(id).
// The lists import nothing: Neo4j would carry the first one in every row that it orders for
// the second, which takes hundreds of megabytes.
//+ request
CALL {
  OPTIONAL MATCH (y:CtxTrace {id: $p.entry_id})
  RETURN y.manifest_json AS manifest
}
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  RETURN {{task:t}} AS task
}
CALL {
  MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  WITH t MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.state <> 'completed'
  WITH s ORDER BY CASE s.state WHEN 'in_progress' THEN 0 WHEN 'failed' THEN 1 WHEN 'unknown' THEN 2
    ELSE 3 END, s.name LIMIT 1001
  RETURN collect({{step:s}}) AS to_do
}
CALL {
  MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  WITH t MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.state = 'completed'
  WITH s ORDER BY s.name LIMIT 1001
  RETURN collect({{step:s}}) AS completed
}
RETURN request, entry, manifest, task, to_do, completed
