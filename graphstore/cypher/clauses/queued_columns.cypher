// From rows `d` to rows `d, one`: what the drain needs of a decision. `sources` are
// [kind, id, activation now, activation cited, gone], of kind 'gone' the cause itself: what was
// deleted stays gone, whatever has its id by now. `parents` [id, status, review state, causes].
// `documents` [id, key].
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
WITH d, s, max(s.reviewed_at) AS reviewed
OPTIONAL MATCH (doc:Document {id: s.document_node_id}) WHERE s.current
WITH d, s, reviewed, doc
OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: s.event_id})
WHERE s.current AND s.ctx_gone_at IS NULL
WITH d, s, reviewed, doc, e
OPTIONAL MATCH (m:Decision {_agrag_history_record: true, id: s.target_decision_id}) WHERE s.current
WITH d, max(reviewed) AS reviewed,
  collect(DISTINCT ['document', doc.id, doc.activation_seq, s.recorded_activation_seq, doc.current_content_hash IS NULL])
  + collect(DISTINCT ['event', e.id, null, null, e.redacted_at IS NOT NULL])
  + collect(DISTINCT CASE
      WHEN s.current AND s.event_id IS NOT NULL AND e IS NULL
      THEN ['gone', 'event:' + s.event_id, null, null, true]
      WHEN s.current AND s.document_node_id IS NOT NULL AND doc IS NULL
      THEN ['gone', 'document:' + s.document_node_id + ':0', null, null, true]
      WHEN s.current AND s.target_decision_id IS NOT NULL AND (s.ctx_gone_at IS NOT NULL OR m IS NULL)
      THEN ['gone', 'decision:' + s.target_decision_id, null, null, true] END) AS sources,
  collect(DISTINCT CASE WHEN doc IS NOT NULL THEN [doc.id, doc.document_key] END) AS documents
OPTIONAL MATCH (d)-[:DEPENDS_ON]->(x:Decision)
WITH d, reviewed, sources, documents, collect([x.id, x.status, x.review_state, x.ctx_causes]) AS parents
WITH d, [d.id, d.task_id, d.status, d.review_state, d.review_reason, d.review_pending,
  d.review_epoch, d.ctx_version, d.ctx_causes, d.ctx_flagged_us, d.ctx_inferred_us,
  d.created_at,
  d.choice_key, d.conclusion, d.ctx_stance, reviewed, sources, parents, documents] AS one
