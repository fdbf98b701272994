// Active decisions that need review, newest first; all active ones while flags travel.
// $p: {project_id, task_name|null, windows [[from, to)], before, before_id}, limit.
// One row: the project's mark before and after, count, [decision, task name, supports].
// Index on Decision(project_id, review_state, created_at), window by window.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH q, [q.review_incomplete, q.review_epoch, q.review_lock] AS before,
  CASE WHEN q.review_incomplete THEN ['needs_review', 'clear'] ELSE ['needs_review'] END AS states
CALL {
  WITH states
  UNWIND $p.windows AS w
  CALL {
    WITH states, w
    UNWIND states AS state
    MATCH (d:Decision {project_id: $p.project_id, review_state: state})
    WHERE d.created_at >= w[0] AND d.created_at < w[1]
      AND (d.created_at < $p.before OR (d.created_at = $p.before AND d.id < $p.before_id))
      AND d.status = 'active' AND d._agrag_history_record = true
    WITH d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
    WITH d, t WHERE $p.task_name IS NULL OR t.name = $p.task_name
    WITH d, t ORDER BY d.created_at DESC, d.id DESC LIMIT $n
    RETURN d, t
  }
  WITH d, t LIMIT $n
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, t, collect({{support:s}}) AS supports
  WITH d, t, supports ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, t.name, supports]) AS listed
}
CALL {
  WITH states
  UNWIND states AS state
  MATCH (d:Decision {project_id: $p.project_id, review_state: state})
  WHERE d.status = 'active'
  WITH d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, t WHERE $p.task_name IS NULL OR t.name = $p.task_name
  WITH d LIMIT 1001
  RETURN count(d) AS number
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [q.review_incomplete, q.review_epoch, q.review_lock] AS after, number, listed
