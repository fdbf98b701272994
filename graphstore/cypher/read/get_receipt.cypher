// One erasure, by its ledger entry, with the jobs that it left. $p: {project_id, entry_id, job_id, log_id}.
// Rows: entry, the job that deletes, the one that rewrites the log. Constraints on CtxTrace(id), CtxJob(id).
MATCH (x:CtxTrace {id: $p.entry_id})
WITH x, x.project_id = $p.project_id AND x.ctx_erased_us IS NOT NULL AS erased_here
WHERE erased_here
WITH x
OPTIONAL MATCH (j:CtxJob {id: $p.job_id})
WITH x, j
OPTIONAL MATCH (l:CtxJob {id: coalesce(j.log_job, $p.log_id)})
RETURN [x.id, x.action, x.created_at, x.agent_id, x.door, x.task_id, x.decisions, x.gone, x.manifest_json] AS entry,
  {{job:j}} AS job, {{job:l}} AS log
