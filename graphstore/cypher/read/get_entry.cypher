// One ledger entry, with the name of its task as long as that is there.
// $p: {project_id, entry_id}. One row: entry,
// the name of its task or null. Constraints on CtxTrace(id) and Task(id).
MATCH (x:CtxTrace {id: $p.entry_id})
WHERE x.project_id = $p.project_id
CALL {
  WITH x
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN t.name AS task_name
}
RETURN {{entry:x}} AS entry, task_name
