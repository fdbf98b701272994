// The id of the task that a browse is limited to. $p: {project_id, task_name}. Gives task_id.
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  RETURN t.id AS task_id
}
