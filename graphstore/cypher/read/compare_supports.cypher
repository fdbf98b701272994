// The current supports of up to 50 active decisions, and what they are compared with.
// $p: {project_id, ids}. One row: mark before and after, decision ids, [decision id, support],
// documents with whether they have a current text, chunks as cited, present chunks,
// [event id, redacted at, cut], [decision id, status, review state].
// Indexes: Decision(id), Document(id), Chunk(document_id, content_hash), Event(id).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  UNWIND $p.ids AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WHERE d.project_id = $p.project_id AND d.status = 'active'
  RETURN collect(d) AS decisions, collect(d.id) AS ids
}
CALL {
  WITH decisions
  UNWIND decisions AS d
  MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  RETURN collect([d.id, {{support:s}}]) AS supports,
    collect(DISTINCT s.document_node_id) AS document_ids,
    collect(DISTINCT CASE WHEN s.kind = 'document' THEN [s.document_node_id, s.content_hash] END) AS versions,
    collect(DISTINCT CASE WHEN s.ctx_gone_at IS NULL THEN s.event_id END) AS event_ids,
    collect(DISTINCT CASE WHEN s.ctx_gone_at IS NULL THEN s.target_decision_id END) AS parent_ids
}
CALL {
  WITH document_ids
  UNWIND document_ids AS i
  MATCH (doc:Document {id: i})
  CALL {
    WITH doc
    OPTIONAL MATCH (doc)-[h:HAS_PART]->(:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
    WITH h LIMIT 1
    RETURN count(h) > 0 AS live
  }
  RETURN collect([{{document:doc}}, live]) AS documents
}
CALL {
  WITH versions
  UNWIND versions AS v
  WITH v[0] AS document_id, v[1] AS content_hash
  MATCH (c:Chunk {document_id: document_id})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  WHERE c.content_hash = content_hash AND c._pending_job_id IS NULL
  RETURN collect([document_id, {{chunk:c}}]) AS cited_chunks
}
CALL {
  WITH document_ids
  UNWIND document_ids AS i
  MATCH (doc:Document {id: i})
  WITH doc MATCH (doc)-[h:HAS_PART]->(c:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
  RETURN collect([doc.id, {{chunk:c}}]) AS current_chunks
}
CALL {
  WITH event_ids
  UNWIND event_ids AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  // The task may be hidden: then its deletion is under way, and its events are gone.
  WITH e MATCH (k:Task {_agrag_history_record: true, id: e.task_id})
  RETURN collect([e.id, e.redacted_at, e.truncated]) AS events
}
CALL {
  WITH parent_ids
  UNWIND parent_ids AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  RETURN collect([x.id, x.status, x.review_state]) AS parents
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  ids, supports, documents, cited_chunks, current_chunks, events, parents
