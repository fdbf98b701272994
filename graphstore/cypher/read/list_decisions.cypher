// A task's decisions, newest first. $p: {project_id, task_name, history, before, before_id}, limit.
// Rows: the project's mark before and after, number, [decision, supports]; none without the task.
// Index on Decision(task_id, created_at), in order on Neo4j. FalkorDB sorts the task's; there the
// cursor is compared in a WITH of its own, since its index takes no upper bound on a text and
// finds everything. On Neo4j such a WITH would make it read everything.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d WHERE $p.history OR d.status = 'active'
  WITH d LIMIT 1001
  RETURN count(d) AS number
}
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
  //falkordb WITH d, d.created_at AS at, d.id AS id
  //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
  AND ($p.history OR d.status = 'active')
  WITH d ORDER BY d.task_id DESC, d.created_at DESC, d.id DESC LIMIT $n
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, supports]) AS listed
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  t.name AS task_name, number, listed
