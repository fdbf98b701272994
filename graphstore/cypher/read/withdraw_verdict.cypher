// Gather of withdraw_verdict. $p: request keys, {verdict_id}. One row: request, entry, what an earlier
// try did [lifted, kept], verdict, task, decision, supports, the decision and those that the verdict
// flagged as the drain sees them, the revision that a supersession made, who cites that, revisions,
// clear dependents, number of later verdicts that stand.
// Constraints on CtxVerdict(id), Decision(id), Decision(task_id, choice_key, revision).
//+ request
CALL {
  OPTIONAL MATCH (y:CtxVerdict {id: $p.entry_id})
  RETURN [coalesce(y.lifted, []), coalesce(y.kept, [])] AS done
}
CALL {
  OPTIONAL MATCH (v:CtxVerdict {id: $p.verdict_id})
  WHERE v.project_id = $p.project_id
  WITH v OPTIONAL MATCH (x:CtxTrace {id: v.id})
  RETURN {{verdict:v}} AS verdict, coalesce(v.us, 0) AS given_us, v.decision_id AS judged_id,
    v.new_decision_id AS new_id, coalesce(v.flagged, []) + coalesce(x.late, []) AS flagged_ids
}
CALL {
  WITH judged_id
  MATCH (d:Decision {_agrag_history_record: true, id: judged_id})
  WHERE d.project_id = $p.project_id
  WITH d
//+ queued_columns
  RETURN collect(one) AS own
}
CALL {
  WITH flagged_ids
  UNWIND flagged_ids AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WITH d
//+ queued_columns
  RETURN collect(one) AS flagged
}
CALL {
  WITH new_id
  OPTIONAL MATCH (n:Decision {_agrag_history_record: true, id: new_id})
  WITH n
  OPTIONAL MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WITH n, collect(DISTINCT [x.id, x.conclusion]) AS citing
  RETURN [n.id, n.status, n.conclusion, n.ctx_stance, n.ctx_reviewed_at] AS successor,
    [c IN citing WHERE c[0] IS NOT NULL][0..21] AS upon_successor
}
CALL {
  WITH judged_id
  OPTIONAL MATCH (d:Decision {_agrag_history_record: true, id: judged_id})
  WHERE d.project_id = $p.project_id
  WITH d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  RETURN d, {{decision:d}} AS decision, {{task:t}} AS task
}
CALL {
  WITH d
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WITH s WHERE s IS NOT NULL
  RETURN collect({{support:s}}) AS supports
}
CALL {
  WITH d
  OPTIONAL MATCH (r:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
  WHERE r.revision > 0
  WITH r WHERE r IS NOT NULL
  RETURN collect([r.id, r.status, r.conclusion]) AS revisions
}
CALL {
  WITH d
  OPTIONAL MATCH (d)<-[:DEPENDS_ON]-(z:Decision)
  WHERE z.status = 'active' AND z.review_state = 'clear'
  WITH DISTINCT z LIMIT 21
  WITH z WHERE z IS NOT NULL
  RETURN collect([z.id, z.conclusion]) AS clear_dependents
}
CALL {
  WITH judged_id, given_us
  MATCH (w:CtxVerdict {decision_id: judged_id})
  //neo4j USING INDEX w:CtxVerdict(decision_id)
  WHERE w.us > given_us AND w.withdrawn_at IS NULL AND w.kind <> 'withdraw'
  RETURN count(w) AS later
}
RETURN request, entry, done, verdict, task, decision, supports,
  own, flagged, successor, upon_successor, revisions, clear_dependents, later
