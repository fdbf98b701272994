// How much hangs below task `a`. Gives sizes: decisions, steps, supports of its decisions, verdicts
// on them, requests that wrote under it. Indexes on Decision(task_id, created_at),
// CtxVerdict(task_id, us), Request(ctx_task_id).
CALL {
  WITH a
  MATCH (d:Decision {task_id: a.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  RETURN count(d) AS size_decisions
}
CALL {
  WITH a
  MATCH (a)-[:HAS_STEP]->(s:Step)
  RETURN count(s) AS size_steps
}
CALL {
  WITH a
  MATCH (d:Decision {task_id: a.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  RETURN count(s) AS size_supports
}
CALL {
  WITH a
  MATCH (v:CtxVerdict {task_id: a.id})
  //neo4j USING INDEX v:CtxVerdict(task_id, us)
  WHERE v.us >= 0
  RETURN count(v) AS size_verdicts
}
CALL {
  WITH a
  MATCH (r:Request {ctx_task_id: a.id})
  //neo4j USING INDEX r:Request(ctx_task_id)
  WHERE r.operation <> 'delete_task'
  RETURN count(r) AS size_requests
}
WITH *, [size_decisions, size_steps, size_supports, size_verdicts, size_requests] AS sizes
