// The next decisions of a task that a job deletes: those that go, or that are to be marked as
// without a task. $p: {task_id, whole, cites}, limit. One row: decisions, and who cites them elsewhere
// as in the `erased` clause, at most `cites`. Index on Decision(task_id, created_at).
CALL {
  MATCH (d:Decision {task_id: $p.task_id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true AND ($p.whole = true OR d.ctx_task_gone IS NULL)
  //neo4j AND d.created_at >= ''
  WITH d LIMIT $n
  RETURN collect(d) AS made
}
CALL {
  WITH made
  UNWIND CASE WHEN $p.whole = true THEN made ELSE [] END AS m
  WITH m MATCH (m)<-[:DEPENDS_ON]-(d:Decision)
  WHERE d.task_id <> $p.task_id
  WITH DISTINCT m, d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.target_decision_id = m.id AND s.ctx_gone_at IS NULL
  WITH m, d, s LIMIT 1001
  RETURN collect([s.id, s.current, 'decision:' + m.id, d.id, d.project_id, d.task_id, d.status,
    d.review_state, d.review_reason, d.ctx_version, d.ctx_causes, d.ctx_flagged_us,
    d.created_at]) AS cites
}
CALL {
  WITH made
  UNWIND made AS d
  RETURN collect([d.id, d.status, d.review_state, d.ctx_version, d.choice_key, d.ctx_stance]) AS decisions
}
RETURN decisions, cites
