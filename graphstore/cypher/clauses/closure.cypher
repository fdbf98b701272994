// Active clear dependents of `roots` (a list of nodes), level by level, at most 501 a level;
// paths are never walked, since layered decisions have exponentially many. Gives r1 … r8:
// lists of [id, project_id, task_id, version, created_at, ids of all parents]; repeats, and parents
// that are not above, are the reader's to drop. Parents are looked up for those that were taken,
// so that a decision with ten thousand dependents costs the page.
CALL {
  WITH roots
  UNWIND roots AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l1, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r1
}
CALL {
  WITH l1
  UNWIND l1 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l2, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r2
}
CALL {
  WITH l2
  UNWIND l2 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l3, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r3
}
CALL {
  WITH l3
  UNWIND l3 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l4, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r4
}
CALL {
  WITH l4
  UNWIND l4 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l5, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r5
}
CALL {
  WITH l5
  UNWIND l5 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l6, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r6
}
CALL {
  WITH l6
  UNWIND l6 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l7, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r7
}
CALL {
  WITH l7
  UNWIND l7 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  WITH x MATCH (x)-[:DEPENDS_ON]->(n:Decision)
  WITH x, collect(DISTINCT n.id) AS above
  RETURN collect(x) AS l8, collect([x.id, x.project_id, x.task_id, coalesce(x.ctx_version, 0), x.created_at, above]) AS r8
}
