// Shows tasks again whose deletion was called off. $p.restored: [id].
// Constraint on Task(id); a hidden task carries false as its marker.
CALL {
  UNWIND $p.restored AS i
  MATCH (t:Task {_agrag_history_record: false, id: i})
  SET t._agrag_history_record = true
  SET t.ctx_deleting = null
  RETURN count(t) AS restored
}
