// Gather of mending the logs and steps of tasks. $p: request keys, {ids, lost (event ids)}.
// One row: entry, [id, last number, its last event's, numbers of events without id, steps as [step, project, joined documents]],
// which of the lost events are cited. Constraint on Event(task_id, seq), index on DecisionSupport(event_id).
//+ request
CALL {
  UNWIND $p.ids AS i
  MATCH (t:Task {_agrag_history_record: true, id: i})
  WHERE t.project_id = $p.project_id
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, task_id: t.id})
  WHERE e.seq > 0
  WITH t, coalesce(max(e.seq), 0) AS last,
    collect(CASE WHEN e.seq IS NOT NULL AND e.id IS NULL THEN e.seq END) AS nameless
  OPTIONAL MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.result_supports CONTAINS '"document_node_id":"' OR s.ctx_project_id IS NOT NULL
  WITH t, last, nameless, s
  OPTIONAL MATCH (s)-[:CTX_CITES]->(doc:Document)
  WITH t, last, nameless, s, collect(doc.id) AS joined
  WITH t, last, nameless,
    collect(CASE WHEN s IS NOT NULL THEN [{{step:s}}, s.ctx_project_id, joined] END) AS steps
  RETURN [t.id, coalesce(t.event_seq, 0), last, nameless, steps] AS task
}
WITH entry, collect(task) AS tasks
CALL {
  UNWIND $p.lost AS i
  MATCH (s:DecisionSupport {event_id: i})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  RETURN collect(DISTINCT i) AS cited
}
RETURN entry, tasks, cited
