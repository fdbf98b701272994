// Gather of withdraw_verdict. $p: request keys, {verdict_id, decision_id, new_id, flagged [ids]}.
// One row. Constraints on CtxVerdict(id), Decision(id), Decision(task_id, choice_key, revision).
//+ request
//+ project
CALL {
  OPTIONAL MATCH (v:CtxVerdict {id: $p.verdict_id})
  WHERE v.project_id = $p.project_id
  RETURN {{verdict:v}} AS verdict, coalesce(v.us, 0) AS verdict_us
}
CALL {
  UNWIND [$p.decision_id] AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WITH d
//+ queued_columns
  RETURN collect(one) AS own
}
CALL {
  UNWIND $p.flagged AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WITH d
//+ queued_columns
  RETURN collect(one) AS flagged
}
CALL {
  OPTIONAL MATCH (n:Decision {_agrag_history_record: true, id: $p.new_id})
  RETURN n, [n.id, n.status, n.conclusion, n.ctx_stance, n.ctx_version, n.ctx_reviewed_at] AS successor
}
CALL {
  WITH n
  OPTIONAL MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WITH DISTINCT x LIMIT 21
  WITH x WHERE x IS NOT NULL
  RETURN collect([x.id, x.conclusion]) AS upon_successor
}
//+ judged
CALL {
  WITH d
  OPTIONAL MATCH (y:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
  WHERE y.revision > 0
  WITH y WHERE y IS NOT NULL
  RETURN collect([y.id, y.status, y.conclusion]) AS revisions
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
  WITH verdict_us
  MATCH (w:CtxVerdict {decision_id: $p.decision_id})
  //neo4j USING INDEX w:CtxVerdict(decision_id)
  WHERE w.us > verdict_us AND w.withdrawn_at IS NULL AND w.kind <> 'withdraw'
  RETURN count(w) AS later
}
RETURN request, entry, verdict, task, decision, supports, documents, events, parents,
  own, flagged, successor, upon_successor, revisions, clear_dependents, later
