// Gather of the drain. $p: {project_id}, limit. One row: project, queued decisions, closure.
// Index on Decision(project_id, review_pending).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [q.project_id, coalesce(q.review_incomplete, false), coalesce(q.review_epoch, 0), coalesce(q.review_lock, 0)] AS project
CALL {
  MATCH (d:Decision {project_id: $p.project_id, review_pending: true})
  WHERE d._agrag_history_record = true
  WITH d ORDER BY d.created_at, d.id LIMIT $n
//+ queued_columns
}
WITH project, queued, nodes AS roots
//+ closure
RETURN project, queued, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
