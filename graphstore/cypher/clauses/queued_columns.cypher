// From rows `d` (queued or foreign flags) to `queued`: what the drain needs of each.
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current AND s.kind = 'document'
WITH d, s OPTIONAL MATCH (doc:Document {id: s.document_node_id})
WITH d, collect([doc.id, doc.activation_seq, s.recorded_activation_seq]) AS sources
OPTIONAL MATCH (d)-[:DEPENDS_ON]->(x:Decision)
WITH d, sources, collect([x.id, x.status, x.review_state, x.ctx_causes]) AS parents
WITH d, [d.id, d.task_id, d.status, d.review_state, d.review_reason, d.review_pending,
  d.review_epoch, coalesce(d.ctx_version, 0), d.ctx_causes, d.ctx_flagged_us, d.created_at,
  d.ctx_seen_epoch, sources, parents] AS one
RETURN collect(d) AS nodes, collect(one) AS queued
