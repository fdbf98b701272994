// A task's events after a number up to another. $p: {project_id, name, after_seq, until}, limit.
// Bounded on both sides, since FalkorDB sorts all that is between.
// Rows: task, events in order. Constraint on Event(task_id, seq).
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
CALL {
  WITH t
  MATCH (e:Event {_agrag_history_record: true, task_id: t.id})
  WHERE e.seq > $p.after_seq AND e.seq <= $p.until
  WITH e ORDER BY e.seq LIMIT $n
  RETURN collect({{event:e}}) AS events
}
RETURN {{task:t}} AS task, events
