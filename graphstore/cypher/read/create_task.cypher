// Gather of create_task. $p: {project_id, request_id, entry_id, name}.
// One row: request, entry, project, task. Constraint on Task(project_id, name).
//+ request
//+ project
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN {{task:t}} AS task
}
RETURN request, entry, project, task
