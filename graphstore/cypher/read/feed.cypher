// What a review index has to look at. $p: {project_id, epoch, recent}, limit.
// One row: project, ids of open ledger entries, states of the decisions they name, those that they
// deleted as [task, time, ids, versions], whether
// decisions are queued, ids of flags that the library's own drain set, ids of decisions that
// others recorded since `recent` and nobody here has looked at, whether flagging jobs are open.
// Indexes: CtxTrace(project_id, ctx_open), Decision(project_id, review_pending),
// Decision(project_id, review_epoch), Decision(project_id, review_state, created_at).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [q.project_id, coalesce(q.review_incomplete, false), coalesce(q.review_epoch, 0), coalesce(q.review_lock, 0)] AS project
CALL {
  MATCH (x:CtxTrace {project_id: $p.project_id, ctx_open: true})
  //neo4j USING INDEX x:CtxTrace(project_id, ctx_open)
  WITH x ORDER BY x.us, x.id LIMIT $n
  RETURN collect(x.id) AS entries, collect(x.decisions) AS named, collect(x.late) AS arrived,
    collect(CASE WHEN x.gone IS NOT NULL THEN [x.task_id, x.created_at, x.gone, x.gone_versions] END) AS gone
}
CALL {
  WITH named, arrived
  UNWIND named + arrived AS ids
  UNWIND ids AS i
  WITH DISTINCT i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  RETURN collect([d.id, d.task_id, d.status, d.review_state, d.review_reason,
    coalesce(d.ctx_version, 0), d.ctx_flagged_us, d.created_at, d.ctx_causes,
    d.ctx_inferred_us]) AS states
}
CALL {
  MATCH (d:Decision {project_id: $p.project_id, review_pending: true})
  //neo4j USING INDEX d:Decision(project_id, review_pending)
  WHERE d._agrag_history_record = true
  WITH d LIMIT 1
  RETURN count(d) > 0 AS queued
}
CALL {
  MATCH (d:Decision {project_id: $p.project_id})
  //neo4j USING INDEX d:Decision(project_id, review_epoch)
  WHERE d.review_epoch >= $p.epoch
  WITH d, d.review_epoch AS epoch
  WHERE epoch > coalesce(d.ctx_seen_epoch, -1) AND d.review_state = 'needs_review'
    AND d.status = 'active' AND NOT coalesce(d.review_pending, false)
  WITH d LIMIT $n
  RETURN collect(d.id) AS drained
}
CALL {
  UNWIND ['needs_review', 'clear'] AS state
  MATCH (d:Decision {project_id: $p.project_id, review_state: state})
  //neo4j USING INDEX d:Decision(project_id, review_state, created_at)
  WHERE d.created_at >= $p.recent
  WITH d WHERE (d.ctx_version IS NULL OR (d.ctx_stance IS NULL AND d.status = 'active'))
    AND d._agrag_history_record = true
    AND NOT coalesce(d.review_pending, false)
  WITH d LIMIT $n
  RETURN collect(d.id) AS foreign
}
CALL {
  MATCH (j:CtxJob {ctx_open: true})
  //neo4j USING INDEX j:CtxJob(ctx_open)
  WHERE $p.project_id IN j.project_ids
  WITH j LIMIT 1
  RETURN count(j) AS jobs
}
RETURN project, entries, states, gone, queued, drained, foreign, jobs
