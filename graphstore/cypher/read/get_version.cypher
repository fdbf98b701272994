// One version of a document with its text. $p: {project_id, document_id, seq}.
// One row: in scope, version, its chunks. Index on Chunk(document_id, content_hash).
MATCH (doc:Document {id: $p.document_id})
//+ in_scope
WITH doc, in_scope
MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
WHERE a.activation_seq = $p.seq
WITH in_scope, doc, a LIMIT 1
CALL {
  WITH doc, a
  MATCH (c:Chunk {document_id: doc.id, content_hash: a.content_hash})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  WHERE c._pending_job_id IS NULL
  RETURN collect(DISTINCT {{chunk:c}}) AS chunks
}
RETURN in_scope, {{version:a}} AS version, chunks
