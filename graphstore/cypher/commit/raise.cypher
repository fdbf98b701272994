// $p.raises: [{project_id, flags, incomplete}]
CALL {
  UNWIND $p.raises AS r
  MATCH (q:Project {_agrag_history_record: true, project_id: r.project_id})
  SET q.review_epoch = coalesce(q.review_epoch, 0) + r.flags,
      q.review_incomplete = r.incomplete OR coalesce(q.review_incomplete, false)
  RETURN count(q) AS raised
}
