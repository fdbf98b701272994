// Gather of redact_event. $p: request keys, {event_id, document_id ''}. One row: request, entry, event, task,
// citers, their projects, closure. The stored result of its recording is found by the commit.
//+ request
CALL {
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: $p.event_id})
  WITH e OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: e.task_id})
  WHERE t.project_id = $p.project_id
  RETURN {{event:e}} AS event, {{task:t}} AS task
}
//+ citers
RETURN request, entry, event, task, citers, projects, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
