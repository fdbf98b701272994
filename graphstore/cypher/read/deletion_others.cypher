// The next steps of other tasks whose result names a task that a job deletes. $p: {project_id, task_id,
// named, after}, limit. One row: steps by id, no citers. Index on Task(project_id, created_at).
CALL {
  MATCH (o:Task {project_id: $p.project_id})
  //neo4j USING INDEX o:Task(project_id, created_at)
  WHERE o._agrag_history_record = true AND o.id <> $p.task_id
  //neo4j AND o.created_at >= ''
  WITH o MATCH (o)-[:HAS_STEP]->(s:Step)
  WHERE s.result_supports CONTAINS $p.named
  WITH s WHERE s.id > $p.after
  WITH s ORDER BY s.id LIMIT $n
  RETURN collect({{step:s}}) AS steps
}
RETURN steps, [] AS cites
