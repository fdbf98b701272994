// A project's tasks, newest first. $p: {project_id, windows [[from, to)], before, before_id}, limit.
// Index on Task(project_id, created_at), window by window.
UNWIND $p.windows AS w
CALL {
  WITH w
  MATCH (t:Task {project_id: $p.project_id})
  WHERE t.created_at >= w[0] AND t.created_at < w[1]
    AND (t.created_at < $p.before OR (t.created_at = $p.before AND t.id < $p.before_id))
    AND t._agrag_history_record = true
  WITH t ORDER BY t.created_at DESC, t.id DESC LIMIT $n
  RETURN t
}
RETURN {{task:t}} AS task LIMIT $n
