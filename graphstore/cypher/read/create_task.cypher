// Gather of create_task. $p: {project_id, request_id, entry_id, name, tombstone_id}.
// One row: request, entry, project, task, lives that the name had, the job that deletes it now.
// Constraints on Task(project_id, name) and CtxTombstone(id).
//+ request
//+ project
CALL {
  OPTIONAL MATCH (k:CtxTombstone {id: $p.tombstone_id})
  RETURN k.lives AS lives, k.deleting AS deleting
}
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN {{task:t}} AS task
}
RETURN request, entry, project, task, lives, deleting
