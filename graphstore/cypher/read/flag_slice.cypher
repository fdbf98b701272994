// Gather of one slice of a flagging job. $p: request keys, {job_id, document_id, event_id, seq, cause}.
// One row: entry, the job, the next citers that do not carry its cause, at most 500.
// Indexes: CtxJob(id), DecisionSupport(document_node_id) and (event_id).
//+ request
MATCH (j:CtxJob {id: $p.job_id})
WITH entry, j
CALL {
  CALL {
    MATCH (s:DecisionSupport {document_node_id: $p.document_id})
    //neo4j USING INDEX s:DecisionSupport(document_node_id)
    WHERE s.current AND s.recorded_activation_seq < $p.seq
    RETURN s
    UNION ALL
    MATCH (s:DecisionSupport {event_id: $p.event_id})
    //neo4j USING INDEX s:DecisionSupport(event_id)
    WHERE s.current AND s.ctx_gone_at IS NULL
    RETURN s
  }
  WITH s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  WHERE d.status = 'active'
  WITH s, d WHERE NOT $p.cause IN coalesce(d.ctx_causes, [])
  WITH s, d LIMIT 500
//+ citer
  RETURN collect(citer) AS citers
}
RETURN entry, [j.id, coalesce(j.ctx_open, false), j.project_ids] AS job, citers
