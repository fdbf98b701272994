// The flagging jobs that a project waits for. $p: {project_id}. Rows as `operations.flag_citers.Job`.
// Index on CtxJob(ctx_open).
MATCH (j:CtxJob {ctx_open: true})
//neo4j USING INDEX j:CtxJob(ctx_open)
WHERE $p.project_id IN j.project_ids
WITH j ORDER BY j.us
RETURN j.id, j.cause, j.reason, j.document_id, j.event_id, j.seq, j.project_ids
