// Clear decisions whose current support cites an older version of a document, or a removed one.
// $p: {document_id}, limit. Rows: as in `citers`. Index on DecisionSupport(document_node_id).
MATCH (doc:Document {id: $p.document_id})
WITH doc.activation_seq AS seq, doc.current_content_hash AS hash
MATCH (s:DecisionSupport {document_node_id: $p.document_id})
//neo4j USING INDEX s:DecisionSupport(document_node_id)
WHERE s.current AND (hash IS NULL OR s.recorded_activation_seq <> seq)
WITH s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
WHERE d.status = 'active' AND d.review_state = 'clear'
WITH s, d LIMIT $n
RETURN s.id, s.current, s.recorded_activation_seq, d.id, d.project_id, d.task_id, d.status,
  d.review_state, coalesce(d.ctx_version, 0), d.ctx_causes, d.created_at, d.ctx_flagged_us
