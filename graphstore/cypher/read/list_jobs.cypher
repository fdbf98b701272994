// The jobs of a project that are open or held, oldest first. $p: {project_id}, limit. Rows: job.
// Indexes on CtxJob(ctx_open) and CtxJob(state).
CALL {
  MATCH (j:CtxJob {ctx_open: true})
  //neo4j USING INDEX j:CtxJob(ctx_open)
  WHERE $p.project_id IN j.project_ids
  RETURN j
  UNION ALL
  MATCH (j:CtxJob {state: 'paused'})
  //neo4j USING INDEX j:CtxJob(state)
  WHERE $p.project_id IN j.project_ids
  RETURN j
}
WITH j ORDER BY j.us LIMIT $n
RETURN {{job:j}} AS job
