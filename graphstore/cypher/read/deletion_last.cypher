// What still hangs below a task that a job deletes. $p: {task_id}, limit. One row: [[number]] of its
// events and steps, a step's being null; no citers. Constraint on Task(id).
CALL {
  MATCH (t:Task {_agrag_history_record: false, id: $p.task_id})
  WITH t MATCH (t)-[:HAS_EVENT|HAS_STEP]->(x)
  WITH x ORDER BY x.seq DESC LIMIT $n
  RETURN collect([x.seq]) AS attached
}
RETURN attached, [] AS cites
