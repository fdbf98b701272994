// Gather of put_document and remove_document. $p: request keys, {document_id, document_key, content_hash, version_id, event_id ''}.
// One row: request, entry, document with whether live and ours, library job, chunk ids of the wanted version,
// citers, their projects, closure. Indexes: Document(id), Chunk(document_id, content_hash).
//+ request
CALL {
  OPTIONAL MATCH (doc:Document {id: $p.document_id})
  CALL {
    WITH doc
    OPTIONAL MATCH (doc)-[h:HAS_PART]->(:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
    WITH h LIMIT 1
    RETURN count(h) > 0 AS live
  }
  RETURN [{{document:doc}}, live, coalesce(doc.ctx_managed, false)] AS document
}
CALL {
  OPTIONAL MATCH (job:CutoverJob {document_key: $p.document_key})
  RETURN job.status AS job
}
CALL {
  MATCH (c:Chunk {document_id: $p.document_id, content_hash: $p.content_hash})
  WITH c MATCH (c)<-[h:HAS_PART]-(:Document)
  WHERE h.version_id = $p.version_id AND h._pending_job_id IS NULL
  RETURN collect(DISTINCT c.id) AS chunks
}
//+ citers
RETURN request, entry, document, job, chunks, citers, projects, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
