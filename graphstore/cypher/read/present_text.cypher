// The present text of one document that a decision of the project cites.
// $p: {project_id, decision_id, support_id}. One row: support, document, its present chunks.
// Indexes: Decision(id), Document(id).
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
WHERE s.id = $p.support_id AND s.kind = 'document' AND s.current
WITH s LIMIT 1
MATCH (doc:Document {id: s.document_node_id})
CALL {
  WITH doc
  MATCH (doc)-[h:HAS_PART]->(c:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
  RETURN collect({{chunk:c}}) AS chunks
}
RETURN {{support:s}} AS support, {{document:doc}} AS document, chunks
