// Gather of set_step. $p: request keys, {task_name, step, seq}, what `cited` needs.
// One row. Constraints on Task(project_id, name), Step(task_id, name) and Event(task_id, seq).
//+ request
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  RETURN t, {{task:t}} AS task
}
CALL {
  WITH t
  OPTIONAL MATCH (s:Step {_agrag_history_record: true, task_id: t.id, name: $p.step})
  RETURN {{step:s}} AS step
}
CALL {
  WITH t
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: $p.seq})
  RETURN [e.seq, e.id, e.redacted_at, e.truncated] AS event
}
//+ cited
RETURN request, entry, task, step, event,
  cited_documents, cited_chunks, cited_events, cited_decisions
