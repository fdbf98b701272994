// How many stored results hold an event, for a plan. $p: {project_id, digest, event_id}. One row: number.
// Index on Request(payload_sha256).
MATCH (r:Request {payload_sha256: $p.digest})
//neo4j USING INDEX r:Request(payload_sha256)
WHERE r.project_id = $p.project_id AND r.result_json CONTAINS $p.event_id
RETURN count(r)
