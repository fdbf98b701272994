// Gather of redact_event. $p: request keys, {event_id}. One row: request, entry, event, task,
// supports that cite it with their decisions (as in `citers`), stored results that hold it, closure.
// Indexes: DecisionSupport(event_id); stored results are scanned, since the library's carry no event id.
//+ request
CALL {
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: $p.event_id})
  WITH e OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: e.task_id})
  WHERE t.project_id = $p.project_id
  RETURN {{event:e}} AS event, {{task:t}} AS task
}
CALL {
  MATCH (s:DecisionSupport {event_id: $p.event_id})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  WITH s LIMIT 501
  MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  WITH s, d, s.current AND d.status = 'active' AND d.review_state = 'clear' AS touched
  RETURN collect([s.id, s.current, s.recorded_activation_seq, d.id, d.project_id, d.task_id, d.status,
      d.review_state, coalesce(d.ctx_version, 0), d.ctx_causes, d.created_at, d.ctx_flagged_us]) AS citers,
    collect(DISTINCT CASE WHEN touched THEN d END) AS roots
}
CALL {
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > '' AND r.result_json CONTAINS $p.event_id
  RETURN collect([r.id, r.result_json]) AS requests
}
//+ closure
RETURN request, entry, event, task, citers, requests, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
