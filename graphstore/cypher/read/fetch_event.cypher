// One event of a task by its number. $p: {project_id, name, seq}. Rows: event.
// Constraint on Event(task_id, seq).
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
WITH t MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: $p.seq})
RETURN {{event:e}} AS event
