// Gather of resume_task. $p: request keys, {task_name}. One row: request, entry, its manifest,
// task, the first 1,001 steps in progress, that are not
// completed, and that are.
// Constraints on Task(project_id, name), CtxTrace(id).
//+ request
CALL {
  OPTIONAL MATCH (y:CtxTrace {id: $p.entry_id})
  RETURN y.manifest_json AS manifest
}
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  RETURN t, {{task:t}} AS task
}
CALL {
  WITH t
  MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.state = 'in_progress'
  WITH s ORDER BY s.name LIMIT 1001
  RETURN collect({{step:s}}) AS running
}
CALL {
  WITH t
  MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.state <> 'completed'
  WITH s ORDER BY CASE s.state WHEN 'failed' THEN 0 WHEN 'not_started' THEN 2 ELSE 1 END, s.name LIMIT 1001
  RETURN collect({{step:s}}) AS to_do
}
CALL {
  WITH t
  MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.state = 'completed'
  WITH s ORDER BY s.name LIMIT 1001
  RETURN collect({{step:s}}) AS completed
}
RETURN request, entry, manifest, task, running, to_do, completed
