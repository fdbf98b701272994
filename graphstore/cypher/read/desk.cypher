// Everything that the page of one decision shows. $p: {project_id, decision_id}. One row.
// Indexes: Decision(task_id, choice_key, revision), Decision(project_id, choice_key),
// Chunk(document_id, content_hash).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
//+ judged
CALL {
  WITH d
  MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.current AND s.kind = 'document'
  WITH DISTINCT s.document_node_id AS document_id, s.content_hash AS content_hash
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
  WITH document_ids
  UNWIND document_ids AS i
  MATCH (doc:Document {id: i})
  WITH doc MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
  WITH doc, a ORDER BY a.activation_seq DESC LIMIT 1000
  RETURN collect([doc.id, a.activation_seq, a.activated_at, a.content_hash]) AS activations
}
CALL {
  WITH event_ids
  UNWIND event_ids AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  // The task may be hidden: then its deletion is under way, and its events are gone.
  WITH e MATCH (k:Task {_agrag_history_record: true, id: e.task_id})
  RETURN collect({{event:e}}) AS whole_events
}
CALL {
  WITH parent_ids
  UNWIND parent_ids AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  WITH x OPTIONAL MATCH (y:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect([{{decision:x}}, y.name]) AS whole_parents
}
CALL {
  WITH d
  MATCH (v:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
  WHERE v.revision > 0
  WITH v ORDER BY v.revision DESC LIMIT 50
  RETURN collect({{decision:v}}) AS revisions
}
CALL {
  WITH revisions
  UNWIND revisions AS one
  MATCH (v:CtxVerdict {decision_id: one[0]})
  //neo4j USING INDEX v:CtxVerdict(decision_id)
  WITH v ORDER BY v.us DESC LIMIT 100
  RETURN collect({{verdict:v}}) AS given
}
CALL {
  WITH d
  MATCH (v:Decision {project_id: d.project_id, choice_key: d.choice_key})
  //neo4j USING INDEX v:Decision(project_id, choice_key)
  WHERE v.status = 'active' AND v.task_id <> d.task_id AND v.conclusion <> d.conclusion
  WITH v LIMIT 10
  OPTIONAL MATCH (y:Task {_agrag_history_record: true, id: v.task_id})
  RETURN collect([{{decision:v}}, y.name]) AS rivals
}
//+ direct_dependents
WITH *, CASE WHEN d IS NULL THEN [] ELSE [d] END AS roots
//+ dependents
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  decision, task, supports, documents, events, parents, cited_chunks, current_chunks,
  activations, whole_events, whole_parents, revisions, given, rivals, direct_dependents,
  [r1, r2, r3, r4, r5, r6, r7, r8] AS levels
