// The project. Constraint on Project(project_id).
CALL {
  OPTIONAL MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
  RETURN [q.project_id, coalesce(q.review_incomplete, false), coalesce(q.review_epoch, 0), coalesce(q.review_lock, 0)] AS project
}
