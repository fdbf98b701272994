// Active decisions that deleting a task would flag: those that cite its events, and with `whole` those
// of other tasks that cite its decisions. $p: {task_id, whole}, limit. Rows: id, oldest first.
// Constraint on Event(task_id, seq), indexes on DecisionSupport(event_id), Decision(task_id, created_at).
CALL {
  MATCH (e:Event {_agrag_history_record: true, task_id: $p.task_id})
  WHERE e.seq > 0
  WITH e MATCH (s:DecisionSupport {event_id: e.id})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  WHERE s.current AND s.ctx_gone_at IS NULL
  WITH s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  RETURN d
  UNION ALL
  MATCH (m:Decision {task_id: $p.task_id})
  //neo4j USING INDEX m:Decision(task_id, created_at)
  WHERE m._agrag_history_record = true AND $p.whole = true
  //neo4j AND m.created_at >= ''
  WITH m MATCH (m)<-[:DEPENDS_ON]-(d:Decision)
  WITH m, d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.target_decision_id = m.id AND s.current AND s.ctx_gone_at IS NULL
  RETURN d
}
WITH DISTINCT d
WHERE d.status = 'active' AND (d.task_id <> $p.task_id OR $p.whole = false)
WITH d ORDER BY d.created_at, d.id LIMIT $n
RETURN d.id
