// What a verdict's page showed, as far as it is still held. $p: {project_id, verdict_id,
// ranges [{document, prefix, start, end, chunk}], documents [id], events [id], decisions [id]}.
// One row: the project's mark before and after, documents with chunks (in scope only), events,
// decisions with task names.
// Indexes: Document(id), Chunk(document_id, content_hash), Event(id), Decision(id).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  UNWIND $p.documents AS i
  MATCH (doc:Document {id: i})
//+ in_scope
  WITH doc, in_scope WHERE in_scope
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
  RETURN collect([{{document:doc}}, chunks]) AS documents
}
CALL {
  UNWIND $p.events AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  WITH e MATCH (t:Task {_agrag_history_record: true, id: e.task_id})
  WHERE t.project_id = $p.project_id
  RETURN collect([{{event:e}}, t.name]) AS events
}
CALL {
  UNWIND $p.decisions AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  WHERE x.project_id = $p.project_id
  WITH x OPTIONAL MATCH (y:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect([{{decision:x}}, y.name]) AS decisions
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  documents, events, decisions
