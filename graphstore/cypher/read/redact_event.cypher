// Gather of redact_event. $p: request keys, {event_id, document_id ''}. One row: request, entry, event, task,
// stored results that hold it, citers, their projects, closure.
// Stored results are scanned within the project, since the library's carry no event id.
//+ request
CALL {
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: $p.event_id})
  WITH e OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: e.task_id})
  WHERE t.project_id = $p.project_id
  RETURN {{event:e}} AS event, {{task:t}} AS task
}
CALL {
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > '' AND r.result_json CONTAINS $p.event_id
  RETURN collect([r.id, r.result_json]) AS requests
}
//+ citers
RETURN request, entry, event, task, requests, citers, projects, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
