// Decisions that nobody here has looked at. $p: {project_id, after}, limit. Rows: id, creation time.
// Index on Decision(project_id, review_state, created_at); a lower bound only.
UNWIND ['needs_review', 'clear'] AS state
MATCH (d:Decision {project_id: $p.project_id, review_state: state})
//neo4j USING INDEX d:Decision(project_id, review_state, created_at)
WHERE d._agrag_history_record = true
//neo4j AND d.created_at >= $p.after
WITH d, d.created_at AS at
WHERE at >= $p.after AND (d.ctx_version IS NULL OR (d.ctx_stance IS NULL AND d.status = 'active'))
WITH d ORDER BY d.created_at, d.id LIMIT $n
RETURN d.id, d.created_at
