// From rows `d` to rows `d, one`: what the drain needs of a decision.
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current AND s.kind = 'document'
WITH d, s OPTIONAL MATCH (doc:Document {id: s.document_node_id})
WITH d, collect(DISTINCT [doc.id, doc.activation_seq, s.recorded_activation_seq]) AS sources
OPTIONAL MATCH (d)-[:DEPENDS_ON]->(x:Decision)
WITH d, sources, collect([x.id, x.status, x.review_state, x.ctx_causes]) AS parents
WITH d, [d.id, d.task_id, d.status, d.review_state, d.review_reason, d.review_pending,
  d.review_epoch, coalesce(d.ctx_version, 0), d.ctx_causes, d.ctx_flagged_us, d.created_at,
  d.choice_key, d.conclusion, d.ctx_stance, sources, parents] AS one
