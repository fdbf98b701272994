// Gather of the drain. $p: request keys, {ids}, limit. One row: entry, project, queued decisions in
// order, the decisions `ids` that another writer flagged or recorded, closure of the queued.
// Index on Decision(project_id, review_pending).
//+ request
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH entry, [q.project_id, coalesce(q.review_incomplete, false), coalesce(q.review_epoch, 0), coalesce(q.review_lock, 0)] AS project
CALL {
  MATCH (d:Decision {project_id: $p.project_id, review_pending: true})
  //neo4j USING INDEX d:Decision(project_id, review_pending)
  WHERE d._agrag_history_record = true
  WITH d ORDER BY d.created_at, d.id LIMIT $n
//+ queued_columns
  RETURN collect(d) AS roots, collect(one) AS queued
}
CALL {
  UNWIND $p.ids AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WITH d
//+ queued_columns
  RETURN collect(one) AS others
}
//+ closure
RETURN entry, project, queued, others, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
