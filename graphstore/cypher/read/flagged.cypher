// Every flagged decision of a project from a place on, for filling an index anew.
// $p: {project_id, after}, limit. Rows: states in the order of creation time.
// Index on Decision(project_id, review_state, created_at); a lower bound only.
MATCH (d:Decision {project_id: $p.project_id, review_state: 'needs_review'})
//neo4j USING INDEX d:Decision(project_id, review_state, created_at)
WHERE d._agrag_history_record = true AND d.status = 'active'
//neo4j AND d.created_at >= $p.after
WITH d, d.created_at AS at WHERE at >= $p.after
WITH d ORDER BY d.project_id, d.review_state, d.created_at, d.id LIMIT $n
RETURN d.id, d.task_id, d.status, d.review_state, d.review_reason,
  coalesce(d.ctx_version, 0), d.ctx_flagged_us, d.created_at, d.ctx_causes,
  d.ctx_inferred_us
