// Replaces the stored results of recording events whose bodies go. Whoever recorded one, its
// request carries the digest of that call, which the event's own properties give again.
// $p.scrubs: [{project_id, digest, event_id, result_json}]. Index on Request(payload_sha256).
CALL {
  UNWIND $p.scrubs AS g
  MATCH (r:Request {payload_sha256: g.digest})
  //neo4j USING INDEX r:Request(payload_sha256)
  WHERE r.project_id = g.project_id AND r.result_json CONTAINS g.event_id
  SET r.result_json = g.result_json
  RETURN count(r) AS scrubbed
}
