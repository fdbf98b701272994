// The next events of a task that a job deletes. $p: {task_id, low, high}. One row: ids of the events
// above `low`, up to `high`, and who cites them as in the `erased` clause, at most 1,001.
// Constraint on Event(task_id, seq), index on DecisionSupport(event_id).
CALL {
  MATCH (e:Event {_agrag_history_record: true, task_id: $p.task_id})
  WHERE e.seq > $p.low AND e.seq <= $p.high
  WITH e MATCH (e)<-[:HAS_EVENT]-(t:Task)
  WHERE t._agrag_history_record = false
  RETURN collect(e) AS going
}
CALL {
  WITH going
  UNWIND going AS e
  WITH e MATCH (s:DecisionSupport {event_id: e.id})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  WHERE s.ctx_gone_at IS NULL
  WITH e, s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  WITH e, s, d LIMIT 1001
  RETURN collect([s.id, s.current, 'event:' + e.id, d.id, d.project_id, d.task_id, d.status,
    d.review_state, d.review_reason, d.ctx_version, d.ctx_causes, d.ctx_flagged_us,
    d.created_at]) AS cites
}
RETURN [e IN going | [e.id]] AS events, cites
