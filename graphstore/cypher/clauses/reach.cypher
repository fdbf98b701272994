// Active decisions of the project that rest on `roots` (a list of nodes), flagged or not, level by
// level, at most 501 a level; paths are never walked. Gives r1 … r8: lists of [id, task id,
// review state]; repeats are the reader's to drop.
CALL {
  WITH roots
  UNWIND roots AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l1, collect([x.id, x.task_id, x.review_state]) AS r1
}
CALL {
  WITH l1
  UNWIND l1 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l2, collect([x.id, x.task_id, x.review_state]) AS r2
}
CALL {
  WITH l2
  UNWIND l2 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l3, collect([x.id, x.task_id, x.review_state]) AS r3
}
CALL {
  WITH l3
  UNWIND l3 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l4, collect([x.id, x.task_id, x.review_state]) AS r4
}
CALL {
  WITH l4
  UNWIND l4 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l5, collect([x.id, x.task_id, x.review_state]) AS r5
}
CALL {
  WITH l5
  UNWIND l5 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l6, collect([x.id, x.task_id, x.review_state]) AS r6
}
CALL {
  WITH l6
  UNWIND l6 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l7, collect([x.id, x.task_id, x.review_state]) AS r7
}
CALL {
  WITH l7
  UNWIND l7 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x) AS l8, collect([x.id, x.task_id, x.review_state]) AS r8
}
