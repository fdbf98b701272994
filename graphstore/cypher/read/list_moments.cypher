// What was decided and judged in a task in a span of time. $p: {project_id, task_id, after,
// until, after_us, until_us, ids}, limit. One row: mark before and after, task name, decisions,
// verdicts, and the decisions that verdicts or $p.ids name, each with its task's name. Indexes on
// Decision(task_id, created_at) and CtxVerdict(task_id, us); on FalkorDB the upper bound of
// the first is compared in a WITH of its own, since its index takes none on a text.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
MATCH (t:Task {_agrag_history_record: true, id: $p.task_id})
WHERE t.project_id = $p.project_id
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at > $p.after AND d.created_at <= $p.until
  //falkordb WITH d, d.created_at AS at
  //falkordb WHERE at > $p.after AND at <= $p.until
  WITH d ORDER BY d.task_id, d.created_at, d.id LIMIT $n
  RETURN collect({{decision:d}}) AS decisions
}
CALL {
  WITH t
  MATCH (v:CtxVerdict {task_id: t.id})
  //neo4j USING INDEX v:CtxVerdict(task_id, us)
  WHERE v.us > $p.after_us AND v.us <= $p.until_us
  WITH v ORDER BY v.task_id, v.us, v.id LIMIT $n
  RETURN collect({{verdict:v}}) AS verdicts,
    collect(v.decision_id) + collect(v.new_decision_id) AS judged
}
CALL {
  WITH judged
  UNWIND judged + $p.ids AS i
  WITH DISTINCT i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WHERE d.project_id = $p.project_id
  OPTIONAL MATCH (o:Task {_agrag_history_record: true, id: d.task_id})
  RETURN collect([{{decision:d}}, o.name]) AS named
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  t.name AS name, decisions, verdicts, named
