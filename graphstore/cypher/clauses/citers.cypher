// The supports that cite document `$p.document_id`, with their decisions, at most 501, and
// the closure of those that a change of it would flag. Index on DecisionSupport(document_node_id).
// Gives citers: [support id, current, recorded activation, decision id, project id, task id,
// status, review_state, version, causes, created_at, flagged_us].
CALL {
  MATCH (s:DecisionSupport {document_node_id: $p.document_id})
  //neo4j USING INDEX s:DecisionSupport(document_node_id)
  WITH s LIMIT 501
  MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  WITH s, d, s.current AND d.status = 'active' AND d.review_state = 'clear' AS touched
  RETURN collect([s.id, s.current, s.recorded_activation_seq, d.id, d.project_id, d.task_id, d.status,
      d.review_state, coalesce(d.ctx_version, 0), d.ctx_causes, d.created_at, d.ctx_flagged_us]) AS citers,
    collect(DISTINCT CASE WHEN touched THEN d END) AS roots
}
//+ closure
