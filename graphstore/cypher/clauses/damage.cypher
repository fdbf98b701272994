// From rows `d` (decisions) to rows `d, damaged`: whether one is not as the rules leave it. It is
// clear on an outdated version, on a lost source or under a parent that fell; it points to what is
// gone without saying so; its task is gone and it does not say so; its flag has no date; nobody here
// has counted it; or a newer revision of its choice is active beside it. What is still queued is no
// damage, and a task that is being deleted belongs to that job.
// Constraint on Decision(task_id, choice_key, revision).
OPTIONAL MATCH (h:Task {_agrag_history_record: false, id: d.task_id})
WITH d, h
WHERE h IS NULL
OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
WITH d, t
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
WITH d, t, s
OPTIONAL MATCH (doc:Document {id: s.document_node_id})
WITH d, t, s, doc
OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: s.event_id})
WITH d, t, s, doc, e
OPTIONAL MATCH (x:Decision {_agrag_history_record: true, id: s.target_decision_id})
WITH d, t,
  CASE WHEN s.current AND (
      (s.document_node_id IS NOT NULL AND (doc IS NULL OR doc.current_content_hash IS NULL
        OR doc.activation_seq <> s.recorded_activation_seq))
      OR (s.event_id IS NOT NULL AND (e IS NULL OR e.redacted_at IS NOT NULL OR s.ctx_gone_at IS NOT NULL))
      OR (s.target_decision_id IS NOT NULL AND (x IS NULL OR s.ctx_gone_at IS NOT NULL
        OR ((x.status <> 'active' OR x.review_state = 'needs_review')
          AND NOT coalesce(x.review_pending, false)))))
    THEN 1 ELSE 0 END AS shaken,
  CASE WHEN s.ctx_gone_at IS NULL AND ((s.event_id IS NOT NULL AND e IS NULL)
      OR (s.target_decision_id IS NOT NULL AND x IS NULL))
    THEN 1 ELSE 0 END AS unsaid
WITH d, t, max(shaken) > 0 AS shaken, max(unsaid) > 0 AS unsaid
OPTIONAL MATCH (o:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
WHERE o.revision > d.revision AND o.status = 'active' AND d.status = 'active'
WITH d, t, shaken, unsaid, count(o) > 0 AS doubled
WITH d, (doubled OR unsaid
    OR (shaken AND d.status = 'active' AND d.review_state = 'clear')
    OR (t IS NULL AND NOT coalesce(d.ctx_task_gone, false))
    OR (d.status = 'active' AND d.review_state = 'needs_review' AND d.ctx_flagged_us IS NULL)
    OR d.ctx_version IS NULL
    OR (d.status = 'active' AND d.ctx_stance IS NULL)
    OR (d.status <> 'active' AND d.ctx_stance IS NOT NULL)) AS damaged
