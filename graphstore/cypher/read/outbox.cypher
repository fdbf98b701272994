// How far the outbox of a project lags. $p: {project_id}, limit. One row: open entries, at most the
// limit; when the oldest of them was written. Index on CtxTrace(project_id, ctx_open).
MATCH (x:CtxTrace {project_id: $p.project_id, ctx_open: true})
//neo4j USING INDEX x:CtxTrace(project_id, ctx_open)
WITH x LIMIT $n
RETURN count(x) AS waiting, min(x.us) AS oldest
