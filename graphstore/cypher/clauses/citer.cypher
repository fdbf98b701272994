// From rows `s, d` (a support and its decision) to rows `d, touched, citer`.
WITH d, s.current AND d.status = 'active' AND d.review_state = 'clear' AS touched,
  [s.id, d.id, d.project_id, d.task_id, d.status, d.review_state, d.review_reason,
   d.ctx_version, d.ctx_causes, d.ctx_flagged_us, s.recorded_activation_seq] AS citer
