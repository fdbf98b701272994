// Active decisions that need review, newest first; all active ones while flags travel.
// $p: {project_id, task_name|null, before, before_id}, limit.
// One row: the project's mark before and after, count, [decision, task name, supports].
// Index on Decision(project_id, review_state, created_at). On FalkorDB the cursor is
// compared in a WITH of its own, since its index takes no upper bound on a text and finds
// everything; on Neo4j an alias before the ORDER BY would make it read everything.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
WITH before, CASE WHEN before[0] THEN ['needs_review', 'clear'] ELSE ['needs_review'] END AS states
CALL {
  WITH states
  UNWIND states AS state
  CALL {
    WITH state
    MATCH (d:Decision {project_id: $p.project_id, review_state: state})
    //neo4j USING INDEX d:Decision(project_id, review_state, created_at)
    WHERE d._agrag_history_record = true
    //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
    //falkordb WITH d, d.created_at AS at, d.id AS id
    //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
    AND d.status = 'active'
    WITH d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
    WITH d, t WHERE $p.task_name IS NULL OR t.name = $p.task_name
    WITH d, t ORDER BY d.project_id DESC, d.review_state DESC, d.created_at DESC, d.id DESC LIMIT $n
    RETURN d, t
  }
  WITH d, t ORDER BY d.created_at DESC, d.id DESC LIMIT $n
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, t, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, t.name, supports]) AS listed
}
CALL {
  WITH states
  UNWIND states AS state
  MATCH (d:Decision {project_id: $p.project_id, review_state: state})
  //neo4j USING INDEX d:Decision(project_id, review_state, created_at)
  WHERE d.status = 'active'
  //neo4j AND d.created_at >= ''
  WITH d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, t WHERE $p.task_name IS NULL OR t.name = $p.task_name
  WITH d LIMIT 1001
  RETURN count(d) AS number
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after, number, listed
