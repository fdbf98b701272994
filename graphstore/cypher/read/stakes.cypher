// What rests on each of up to 200 decisions. $p: {project_id, ids}.
// Rows: id, version, author, current supports, active dependents through up to eight levels and
// open tasks in which it or one of them stands, both counted to 1,001. Levels, not paths, since
// layered decisions have exponentially many of those.
UNWIND $p.ids AS i
MATCH (d:Decision {_agrag_history_record: true, id: i})
WHERE d.project_id = $p.project_id AND d.status = 'active'
CALL {
  WITH d
  MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  RETURN count(s) AS supports
}
CALL {
  WITH d
  MATCH (d)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l1
}
CALL {
  WITH l1
  UNWIND l1 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l2
}
CALL {
  WITH l2
  UNWIND l2 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l3
}
CALL {
  WITH l3
  UNWIND l3 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l4
}
CALL {
  WITH l4
  UNWIND l4 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l5
}
CALL {
  WITH l5
  UNWIND l5 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l6
}
CALL {
  WITH l6
  UNWIND l6 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l7
}
CALL {
  WITH l7
  UNWIND l7 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 1001
  RETURN collect(x) AS l8
}
CALL {
  WITH d, l1, l2, l3, l4, l5, l6, l7, l8
  UNWIND l1 + l2 + l3 + l4 + l5 + l6 + l7 + l8 AS x
  WITH DISTINCT d, x WHERE x.id <> d.id
  WITH x LIMIT 1001
  RETURN count(x) AS dependents, collect(DISTINCT x.task_id) AS below
}
CALL {
  WITH d, below
  UNWIND below + [d.task_id] AS task_id
  WITH DISTINCT task_id
  MATCH (t:Task {_agrag_history_record: true, id: task_id})
  WHERE t.status = 'open'
  WITH t LIMIT 1001
  RETURN count(t) AS open_tasks
}
RETURN d.id, coalesce(d.ctx_version, 0), d.author, supports, dependents, open_tasks
