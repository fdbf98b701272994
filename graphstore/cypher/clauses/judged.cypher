// One decision with all that a verdict on it rests on. $p: {project_id, decision_id}.
// Gives d, decision, task, supports, documents, events, parents. What was deleted stays gone,
// whatever has its id by now.
CALL {
  OPTIONAL MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
  WHERE d.project_id = $p.project_id
  WITH d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  RETURN d, {{decision:d}} AS decision, {{task:t}} AS task
}
CALL {
  WITH d
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WITH s WHERE s IS NOT NULL
  RETURN collect({{support:s}}) AS supports,
    collect(DISTINCT CASE WHEN s.current THEN s.document_node_id END) AS document_ids,
    collect(DISTINCT CASE WHEN s.current AND s.ctx_gone_at IS NULL THEN s.event_id END) AS event_ids,
    collect(DISTINCT CASE WHEN s.current AND s.ctx_gone_at IS NULL THEN s.target_decision_id END) AS parent_ids
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
  WITH event_ids
  UNWIND event_ids AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  // The task may be hidden: then its deletion is under way, and its events are gone.
  WITH e MATCH (k:Task {_agrag_history_record: true, id: e.task_id})
  RETURN collect([e.id, e.task_id, e.redacted_at]) AS events
}
CALL {
  WITH parent_ids
  UNWIND parent_ids AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  RETURN collect([x.id, x.status, x.review_state, coalesce(x.ctx_version, 0), x.choice_key, x.ctx_causes]) AS parents
}
