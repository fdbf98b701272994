// Sets a project's propagation mark by whether anything is still queued, under its lock.
// $p.finish: [project id]. Index on Decision(project_id, review_pending).
CALL {
  UNWIND $p.finish AS i
  MATCH (q:Project {_agrag_history_record: true, project_id: i})
  WITH q, i OPTIONAL MATCH (d:Decision {project_id: i, review_pending: true})
  //neo4j USING INDEX d:Decision(project_id, review_pending)
  WITH q, count(d) AS queued
  SET q.review_incomplete = queued > 0
  RETURN count(q) AS finished
}
