// Gather of erasing what survived in stored results. $p: request keys, {events, tasks, words}.
// One row: entry, redacted events as [id, time], which of `tasks` are there, stored results with
// any of `words` as [id, operation, result].
// Stored results are found by scan within the project, once for each event and task.
//+ request
CALL {
  UNWIND $p.events AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  WITH e, e.redacted_at AS at
  WHERE at IS NOT NULL
  RETURN collect([e.id, at]) AS redacted
}
CALL {
  UNWIND $p.tasks AS i
  MATCH (t:Task {_agrag_history_record: true, id: i})
  RETURN collect(t.id) AS there
}
CALL {
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > ''
  WITH r, any(w IN $p.words WHERE r.result_json CONTAINS w) OR r.ctx_task_id IN $p.tasks AS holds
  WHERE holds
  RETURN collect([r.id, r.operation, r.ctx_task_id, r.result_json]) AS requests
}
RETURN entry, redacted, there, requests
