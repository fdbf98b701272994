// Sets a project's propagation mark by whether anything is still to be flagged, under its lock.
// $p.finish: [project id]. Indexes on Decision(project_id, review_pending) and CtxJob(ctx_open).
CALL {
  UNWIND $p.finish AS i
  MATCH (q:Project {_agrag_history_record: true, project_id: i})
  CALL {
    WITH i
    OPTIONAL MATCH (d:Decision {project_id: i, review_pending: true})
    //neo4j USING INDEX d:Decision(project_id, review_pending)
    WITH d LIMIT 1
    RETURN count(d) AS queued
  }
  CALL {
    WITH i
    OPTIONAL MATCH (j:CtxJob {ctx_open: true})
    //neo4j USING INDEX j:CtxJob(ctx_open)
    WHERE i IN j.project_ids AND j.kind = 'flag_citers'
    WITH j LIMIT 1
    RETURN count(j) AS jobs
  }
  SET q.review_incomplete = queued + jobs > 0
  RETURN count(q) AS finished
}
