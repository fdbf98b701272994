// The jobs of a project that are open, oldest first, at most 200. $p: {project_id}.
// Rows: kind, then what `operations.flag_citers.Job` takes.
// Index on CtxJob(ctx_open).
MATCH (j:CtxJob {ctx_open: true})
//neo4j USING INDEX j:CtxJob(ctx_open)
WHERE $p.project_id IN j.project_ids
WITH j ORDER BY j.us LIMIT 200
RETURN j.kind, j.id, j.cause, j.reason, j.document_id, j.event_id, j.seq, j.project_ids
