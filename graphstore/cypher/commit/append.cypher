// Appends events to tasks whose event_seq a guard has bounded, and takes their numbers.
// $p.appends: [{task_id, base, ids, events}]
CALL {
  UNWIND $p.appends AS a
  MATCH (t:Task {_agrag_history_record: true, id: a.task_id})
  WITH t, a, t.event_seq AS before
  SET t.event_seq = before + size(a.events)
  WITH t, a, before UNWIND range(0, size(a.events) - 1) AS k
  CREATE (t)-[:HAS_EVENT]->(e:Event)
  SET e = a.events[k], e.seq = before + k + 1, e.id = a.ids[before - a.base + k]
  RETURN max(e.seq) AS last_seq, max(e.id) AS last_id
}
