// What the request id and the operation id already did. Constraints on Request(project_id, request_id) and CtxTrace(id).
CALL {
  OPTIONAL MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id, request_id: $p.request_id})
  RETURN {{request:r}} AS request
}
CALL {
  OPTIONAL MATCH (x:CtxTrace {id: $p.entry_id})
  RETURN [x.id, x.decisions, x.last_seq, x.action, x.late] AS entry
}
