// Gather of put_document and remove_document. $p: request keys, {document_id, document_key, content_hash}.
// One row: request, entry, document, whether ours, live, library job, chunk ids of the wanted version, citers, closure.
//+ request
CALL {
  OPTIONAL MATCH (doc:Document {id: $p.document_id})
  WITH doc OPTIONAL MATCH (doc)-[h:HAS_PART]->(:Chunk) WHERE h.invalid_at IS NULL
  WITH doc, count(h) > 0 AS live
  RETURN [{{document:doc}}, live, coalesce(doc.ctx_managed, false)] AS document
}
CALL {
  OPTIONAL MATCH (job:CutoverJob {document_key: $p.document_key})
  RETURN job.status AS job
}
CALL {
  MATCH (c:Chunk {document_id: $p.document_id, content_hash: $p.content_hash})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  RETURN collect(c.id) AS chunks
}
//+ citers
RETURN request, entry, document, job, chunks, citers, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
