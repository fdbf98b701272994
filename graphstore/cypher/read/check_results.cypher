// What the results of steps rest on, as it stands now. $p: {project_id, task_id, seqs,
// events [{task, seq}], documents [id], decisions [id]}. One row: mark before and after,
// results, events, documents, decisions. Indexes: Event(task_id, seq), Task(project_id, name),
// Document(id), Decision(id).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  UNWIND $p.seqs AS seq
  MATCH (e:Event {_agrag_history_record: true, task_id: $p.task_id, seq: seq})
  RETURN collect([e.seq, e.id, e.redacted_at, e.truncated]) AS results
}
CALL {
  UNWIND $p.events AS g
  MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: g.task})
  WITH t, g MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: g.seq})
  RETURN collect([t.name, e.seq, e.id, e.redacted_at, e.truncated]) AS events
}
CALL {
  UNWIND $p.documents AS i
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
  UNWIND $p.decisions AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  WHERE x.project_id = $p.project_id
  RETURN collect([x.id, x.status, x.review_state, x.choice_key]) AS decisions
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  results, events, documents, decisions
