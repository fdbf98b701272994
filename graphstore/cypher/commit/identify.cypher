// Gives events their ids that the library, killed between two statements, left without.
// $p.identified: [[task id, number, id]]. Constraint on Event(task_id, seq).
CALL {
  UNWIND $p.identified AS g
  MATCH (n:Event {_agrag_history_record: true, task_id: g[0], seq: g[1]})
  <lock>
  WITH n, g WHERE n.id IS NULL
  SET n.id = g[2]
  RETURN count(n) AS identified
}
