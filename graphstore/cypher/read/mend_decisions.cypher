// Gather of mending decisions; those of a task that is being deleted are left out. $p: request keys, {ids}. One row: entry, project,
// [what the drain needs, has a task, says that it is gone, newer active
// revisions as [revision, id], number of supports, supports that point to what is gone as [id, kind],
// whether the newest of them supersedes it].
// Constraint on Decision(task_id, choice_key, revision).
//+ request
//+ project
CALL {
  UNWIND $p.ids AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WHERE d.project_id = $p.project_id
  WITH d
  OPTIONAL MATCH (h:Task {_agrag_history_record: false, id: d.task_id})
  WITH d, h
  WHERE h IS NULL
//+ queued_columns
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, one, t
  OPTIONAL MATCH (o:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
  WHERE o.revision > d.revision AND o.status = 'active' AND d.status = 'active'
  WITH d, one, t, collect(CASE WHEN o IS NOT NULL THEN [o.revision, o.id] END) AS newer
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WITH d, one, t, newer, s
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: s.event_id})
  WITH d, one, t, newer, s, e
  OPTIONAL MATCH (x:Decision {_agrag_history_record: true, id: s.target_decision_id})
  WITH d, one, t, newer, count(s) AS supports,
    collect(CASE WHEN s.ctx_gone_at IS NULL AND s.event_id IS NOT NULL AND e IS NULL THEN [s.id, 'event']
      WHEN s.ctx_gone_at IS NULL AND s.target_decision_id IS NOT NULL AND x IS NULL
      THEN [s.id, 'decision'] END) AS unsaid
  OPTIONAL MATCH (d)<-[:SUPERSEDES]-(y:Decision)
  WITH d, one, t, newer, supports, unsaid, collect(y.id) AS after
  RETURN collect([one, t IS NOT NULL, coalesce(d.ctx_task_gone, false),
    newer, supports, unsaid, after]) AS decisions
}
RETURN entry, project, decisions
