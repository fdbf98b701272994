// One document that a decision of the project cites, version by version after `after` or, where
// that is later, after the one cited; oldest first. $p: {project_id, decision_id, support_id, after}, limit.
// One row: support, document, the version before those, versions, [content hash, chunk].
// Indexes: Decision(id), Document(id), Chunk(document_id, content_hash).
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
WHERE s.id = $p.support_id AND s.kind = 'document'
WITH s LIMIT 1
MATCH (doc:Document {id: s.document_node_id})
WITH s, doc, CASE WHEN s.recorded_activation_seq > $p.after THEN s.recorded_activation_seq ELSE $p.after END AS after
CALL {
  WITH doc, after
  MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
  WHERE a.activation_seq > after
  WITH a ORDER BY a.activation_seq LIMIT $n
  RETURN collect({{version:a}}) AS versions, collect(a.content_hash) AS hashes
}
CALL {
  WITH doc, after
  MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
  WHERE a.activation_seq <= after AND a.verb IN ['add', 'update']
  WITH a ORDER BY a.activation_seq DESC LIMIT 1
  RETURN collect({{version:a}}) AS before, collect(a.content_hash) AS hash_before
}
CALL {
  WITH s, doc, hashes, hash_before
  UNWIND hashes + hash_before + [s.content_hash] AS content_hash
  WITH DISTINCT doc, content_hash
  MATCH (c:Chunk {document_id: doc.id})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  WHERE c.content_hash = content_hash AND c._pending_job_id IS NULL
  RETURN collect([content_hash, {{chunk:c}}]) AS chunks
}
RETURN {{support:s}} AS support, {{document:doc}} AS document, before, versions, chunks
