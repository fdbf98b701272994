// The chunks that evidence ids name, within the project's scope. $p: {project_id,
// ranges [{document, prefix, start, end, chunk}]}. Rows: document, live, in scope, chunks.
// Indexes: Chunk(document_id, content_hash), DecisionSupport(document_node_id).
UNWIND $p.ranges AS g
WITH DISTINCT g.document AS id
MATCH (doc:Document {id: id})
CALL {
  WITH doc
  OPTIONAL MATCH (doc)-[h:HAS_PART]->(:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
  WITH h LIMIT 1
  RETURN count(h) > 0 AS live
}
//+ in_scope
CALL {
  WITH doc
  UNWIND $p.ranges AS g
  WITH doc, g WHERE g.document = doc.id
  MATCH (c:Chunk {document_id: doc.id})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  WHERE c.content_hash STARTS WITH g.prefix AND c._pending_job_id IS NULL
    AND (c.id = g.chunk OR (g.chunk IS NULL AND
      (c.char_start IS NULL OR (c.char_start < g.end AND c.char_end > g.start))))
  RETURN collect(DISTINCT {{chunk:c}}) AS chunks
}
RETURN {{document:doc}} AS document, live, in_scope, chunks
