// When some events of a task happened. $p: {project_id, name, numbers}. Rows: number, time.
// Constraint on Event(task_id, seq).
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
UNWIND $p.numbers AS number
MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: number})
RETURN e.seq AS seq, e.at AS at
