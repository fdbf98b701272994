// What stands in task `t` and who cites what of it goes; `whole`: its decisions go, too.
// Gives made, the task's decisions, and cites: [support, current, cause, decision, project, task,
// status, review state, reason, version, causes, flagged at, created at], archived supports included.
// Indexes on Decision(task_id, created_at) and DecisionSupport(event_id).
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  RETURN collect(d) AS made
}
CALL {
  WITH t
  MATCH (t)-[:HAS_EVENT]->(e:Event)
  WITH e MATCH (s:DecisionSupport {event_id: e.id})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  WHERE s.ctx_gone_at IS NULL
  WITH e, s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  RETURN collect([s.id, s.current, 'event:' + e.id, d.id, d.project_id, d.task_id, d.status,
    d.review_state, d.review_reason, d.ctx_version, d.ctx_causes, d.ctx_flagged_us,
    d.created_at]) AS cite_events
}
CALL {
  WITH made, whole
  UNWIND CASE WHEN whole THEN made ELSE [] END AS m
  WITH m MATCH (m)<-[:DEPENDS_ON]-(d:Decision)
  WITH DISTINCT m, d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.target_decision_id = m.id AND s.ctx_gone_at IS NULL
  RETURN collect([s.id, s.current, 'decision:' + m.id, d.id, d.project_id, d.task_id, d.status,
    d.review_state, d.review_reason, d.ctx_version, d.ctx_causes, d.ctx_flagged_us,
    d.created_at]) AS cite_decisions
}
WITH *, cite_events + cite_decisions AS cites
