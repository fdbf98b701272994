// The next steps of a task that a job deletes. $p: {task_id}, limit. One row: [[id]], no citers.
// Constraint on Task(id).
CALL {
  MATCH (t:Task {_agrag_history_record: false, id: $p.task_id})
  WITH t MATCH (t)-[:HAS_STEP]->(s:Step)
  WITH s LIMIT $n
  RETURN collect([s.id]) AS steps
}
RETURN steps, [] AS cites
