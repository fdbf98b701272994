// Gather of record_event and record_events, needed only when a first commit did not hold.
// $p: {project_id, request_id, entry_id, name}. One row: request, entry, task.
//+ request
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN {{task:t}} AS task
}
RETURN request, entry, task
