// A task's steps by name. $p: {project_id, name, after_name, first, state ''}, limit.
// Rows: task, steps in order; `first` lets in a step whose name is `after_name`.
// Constraint on Step(task_id, name). FalkorDB's index leaves out names outside ASCII when it
// is asked for a range, so there the names of the task are compared one by one.
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
CALL {
  WITH t
  MATCH (s:Step {_agrag_history_record: true, task_id: t.id})
  //neo4j WHERE s.name >= $p.after_name
  WITH s, s.name AS name
  WHERE (name > $p.after_name OR $p.first) AND ($p.state = '' OR s.state = $p.state)
  WITH s ORDER BY s.name LIMIT $n
  RETURN collect({{step:s}}) AS steps
}
RETURN {{task:t}} AS task, steps
