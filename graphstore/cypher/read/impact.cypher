// What flagging decisions would do to others. $p: {project_id, decision_id, flagged [id]}.
// One row: the project's mark before and after; [id, start of the conclusion, task id, task name,
// [kind, whether it is clear, id of the decision cited] of each support] of those to be flagged;
// eight levels of what rests on the decision; [task name, event there, step] of at most 500
// completed steps of the tasks touched that rest on decisions.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
WITH before, d, [d] AS roots
CALL {
  UNWIND $p.flagged AS i
  MATCH (x:Decision {_agrag_history_record: true, id: i})
  WITH x
  OPTIONAL MATCH (x)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WITH x, s
  OPTIONAL MATCH (doc:Document {id: s.document_node_id})
  WITH x, s, doc
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: s.event_id})
  WITH x, s, doc, e
  OPTIONAL MATCH (y:Decision {_agrag_history_record: true, id: s.target_decision_id})
  WITH x, CASE WHEN s.current THEN [s.kind, s.ctx_gone_at IS NULL AND (
      (doc IS NOT NULL AND doc.activation_seq = s.recorded_activation_seq
        AND doc.current_content_hash = s.content_hash)
      OR (e IS NOT NULL AND e.redacted_at IS NULL)
      OR (y IS NOT NULL AND y.status = 'active' AND y.review_state = 'clear')), y.id] END AS standing
  WITH x, collect(standing) AS standing
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: x.task_id})
  RETURN collect([x.id,
    CASE WHEN size(x.conclusion) > 400 THEN substring(x.conclusion, 0, 400) ELSE x.conclusion END,
    x.task_id, t.name, standing]) AS affected
}
//+ reach
CALL {
  WITH d, affected
  UNWIND [d.task_id] + [a IN affected | a[2]] AS i
  WITH DISTINCT i LIMIT 100
  MATCH (t:Task {_agrag_history_record: true, id: i})
  WITH t MATCH (t)-[:HAS_STEP]->(s:Step)
  WHERE s.state = 'completed' AND s.result_basis = 'supported' AND s.result_supports CONTAINS '"decision"'
  WITH t, s LIMIT 500
  OPTIONAL MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: s.result_event_seq})
  WITH t, s, e
  RETURN collect([t.name, e IS NOT NULL AND e.redacted_at IS NULL AND NOT coalesce(e.truncated, false), {{step:s}}]) AS steps
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  affected, [r1, r2, r3, r4, r5, r6, r7, r8] AS levels, steps
