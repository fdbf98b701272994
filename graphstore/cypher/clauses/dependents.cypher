// Active dependents of `roots` (a list of nodes), flagged or not, at most 501 a level.
// Gives r1 … r8: lists of [decision, task name]; repeats are the reader's to drop.
CALL {
  WITH roots
  UNWIND roots AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l1, collect([{{decision:x}}, t.name]) AS r1
}
CALL {
  WITH l1
  UNWIND l1 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l2, collect([{{decision:x}}, t.name]) AS r2
}
CALL {
  WITH l2
  UNWIND l2 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l3, collect([{{decision:x}}, t.name]) AS r3
}
CALL {
  WITH l3
  UNWIND l3 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l4, collect([{{decision:x}}, t.name]) AS r4
}
CALL {
  WITH l4
  UNWIND l4 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l5, collect([{{decision:x}}, t.name]) AS r5
}
CALL {
  WITH l5
  UNWIND l5 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l6, collect([{{decision:x}}, t.name]) AS r6
}
CALL {
  WITH l6
  UNWIND l6 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l7, collect([{{decision:x}}, t.name]) AS r7
}
CALL {
  WITH l7
  UNWIND l7 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect(x) AS l8, collect([{{decision:x}}, t.name]) AS r8
}
