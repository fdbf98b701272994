// Erasures of a project, newest first. $p: {project_id, before}, limit. Rows: entry, its time.
// Index on CtxTrace(project_id, ctx_erased_us).
MATCH (x:CtxTrace {project_id: $p.project_id})
//neo4j USING INDEX x:CtxTrace(project_id, ctx_erased_us)
WHERE x.ctx_erased_us < $p.before
WITH x ORDER BY x.project_id DESC, x.ctx_erased_us DESC LIMIT $n
RETURN [x.id, x.action, x.created_at, x.agent_id, x.door, x.task_id, x.decisions, x.gone, x.manifest_json] AS entry,
  x.ctx_erased_us AS us
