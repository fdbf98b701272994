// What a sweep looks at in one project: whatever changed lately. $p: {project_id, recent, us, epoch, ids}.
// `ids` are decisions that stand on sources that changed. One row: project, whether anything is queued,
// whether a job is open, whether one that flags is, ids of damaged decisions, ids of damaged tasks.
// Indexes: Decision(project_id, review_pending), Decision(project_id, review_state, created_at),
// Decision(project_id, review_epoch), CtxTrace(project_id, us), Task(project_id, created_at),
// CtxJob(ctx_open).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [q.project_id, coalesce(q.review_incomplete, false), coalesce(q.review_epoch, 0), coalesce(q.review_lock, 0)] AS project
CALL {
  MATCH (d:Decision {project_id: $p.project_id, review_pending: true})
  //neo4j USING INDEX d:Decision(project_id, review_pending)
  WHERE d._agrag_history_record = true
  WITH d LIMIT 1
  RETURN count(d) > 0 AS queued
}
CALL {
  MATCH (j:CtxJob {ctx_open: true})
  //neo4j USING INDEX j:CtxJob(ctx_open)
  WHERE $p.project_id IN j.project_ids
  RETURN count(j) > 0 AS jobs, count(CASE WHEN j.kind = 'flag_citers' THEN 1 END) > 0 AS flagging
}
CALL {
  UNWIND ['needs_review', 'clear'] AS state
  MATCH (d:Decision {project_id: $p.project_id, review_state: state})
  //neo4j USING INDEX d:Decision(project_id, review_state, created_at)
  WHERE d.created_at >= $p.recent
  WITH d WHERE d._agrag_history_record = true
  RETURN collect(d) AS made
}
CALL {
  MATCH (d:Decision {project_id: $p.project_id})
  //neo4j USING INDEX d:Decision(project_id, review_epoch)
  WHERE d.review_epoch >= $p.epoch
  WITH d WHERE d._agrag_history_record = true
  RETURN collect(d) AS visited
}
CALL {
  MATCH (x:CtxTrace {project_id: $p.project_id})
  //neo4j USING INDEX x:CtxTrace(project_id, us)
  WHERE x.us >= $p.us
  RETURN collect(x.decisions) + collect(x.late) AS named, collect(DISTINCT x.task_id) AS task_ids
}
CALL {
  WITH named
  UNWIND named + [$p.ids] AS ids
  UNWIND ids AS i
  WITH DISTINCT i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WHERE d.project_id = $p.project_id
  RETURN collect(d) AS touched
}
CALL {
  WITH made, visited, touched
  UNWIND made + visited + touched AS d
  WITH DISTINCT d
  WHERE (d.status <> 'active' OR d.review_state = 'needs_review')
    AND NOT coalesce(d.review_pending, false)
  MATCH (d)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x.review_state = 'clear' AND x._agrag_history_record = true
  RETURN collect(DISTINCT x) AS below
}
CALL {
  WITH made, visited, touched, below
  UNWIND made + visited + touched + below AS d
  WITH DISTINCT d
//+ damage
  WITH d WHERE damaged
  RETURN collect(d.id) AS decisions
}
CALL {
  MATCH (t:Task {project_id: $p.project_id})
  //neo4j USING INDEX t:Task(project_id, created_at)
  WHERE t.created_at >= $p.recent
  WITH t WHERE t._agrag_history_record = true
  RETURN collect(t) AS begun
}
CALL {
  WITH task_ids
  UNWIND task_ids AS i
  MATCH (t:Task {_agrag_history_record: true, id: i})
  RETURN collect(t) AS worked
}
CALL {
  WITH begun, worked
  UNWIND begun + worked AS t
  WITH DISTINCT t
//+ log_damage
  WITH t WHERE damaged
  RETURN collect(t.id) AS tasks
}
RETURN project, queued, jobs, flagging, decisions, tasks
