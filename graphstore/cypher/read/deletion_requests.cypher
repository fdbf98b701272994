// The next stored results of what wrote under a task that a job deletes. $p: {task_id}, limit.
// One row: [[id]], no citers. Index on Request(ctx_task_id).
CALL {
  MATCH (r:Request {ctx_task_id: $p.task_id})
  //neo4j USING INDEX r:Request(ctx_task_id)
  WHERE r.operation <> 'delete_task'
  WITH r LIMIT $n
  RETURN collect([r.id]) AS requests
}
RETURN requests, [] AS cites
