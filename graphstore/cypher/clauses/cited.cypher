// What new supports name. $p: {project_id, documents [id], ranges [{document, prefix, start, end, chunk}],
// events [{task, seq}], decisions [id]}. Gives cited_documents, cited_chunks, cited_events, cited_decisions.
// Indexes: Document(id), Chunk(document_id, content_hash), Event(task_id, seq), Decision(id).
CALL {
  UNWIND $p.documents AS i
  MATCH (doc:Document {id: i})
  CALL {
    WITH doc
    OPTIONAL MATCH (doc)-[h:HAS_PART]->(:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
    WITH h LIMIT 1
    RETURN count(h) > 0 AS live
  }
  RETURN collect([{{document:doc}}, live]) AS cited_documents
}
CALL {
  UNWIND $p.ranges AS g
  MATCH (c:Chunk {document_id: g.document})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  WHERE c.content_hash STARTS WITH g.prefix AND c._pending_job_id IS NULL
    AND (c.id = g.chunk OR (g.chunk IS NULL AND
      (c.char_start IS NULL OR (c.char_start < g.end AND c.char_end > g.start))))
  RETURN collect(DISTINCT [g.document, {{chunk:c}}]) AS cited_chunks
}
CALL {
  UNWIND $p.events AS g
  MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: g.task})
  WITH t, g MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: g.seq})
  RETURN collect([t.name, e.seq, e.id, e.task_id, e.redacted_at]) AS cited_events
}
CALL {
  UNWIND $p.decisions AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  WHERE x.project_id = $p.project_id
  RETURN collect([x.id, x.status, x.review_state, coalesce(x.ctx_version, 0), x.choice_key, x.ctx_causes]) AS cited_decisions
}
