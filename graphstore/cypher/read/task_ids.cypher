// The ids of tasks by name. $p: {project_id, names}. Rows: name, id. Constraint on Task(project_id, name).
UNWIND $p.names AS name
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: name})
RETURN t.name, t.id
