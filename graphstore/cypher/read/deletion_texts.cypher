// Texts of a task that is to be deleted: bodies of its newest events and, with `whole`, conclusions
// of its newest decisions. $p: {task_id, whole}, limit. One row: bodies, conclusions.
// Constraint on Task(id), Event(task_id, seq), index on Decision(task_id, created_at).
CALL {
  MATCH (t:Task {_agrag_history_record: true, id: $p.task_id})
  WITH t MATCH (e:Event {_agrag_history_record: true, task_id: t.id})
  WHERE e.seq > t.event_seq - 50 AND e.redacted_at IS NULL
  RETURN collect(e.payload) AS bodies
}
CALL {
  MATCH (d:Decision {task_id: $p.task_id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true AND $p.whole = true
  //neo4j AND d.created_at >= ''
  WITH d ORDER BY d.task_id DESC, d.created_at DESC LIMIT $n
  RETURN collect(d.conclusion) AS conclusions
}
RETURN bodies, conclusions
