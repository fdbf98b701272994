// Active decisions that need review, newest first; all active ones while flags travel.
// $p: {project_id, before, before_id, windows}, limit.
// One row: the project's mark before and after, count, [decision, task name, supports].
// Index on Decision(project_id, status, review_state, created_at), read in order on Neo4j, where an alias
// before the ORDER BY would make it read everything. FalkorDB has no order, and its index takes
// no upper bound on a text and finds everything. So up to 1,000 decisions of a state are sorted
// there, with the cursor compared in a WITH of its own; more are looked for from window to window
// of time, newest first, whose lower bound it does take, until there are enough.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
WITH before, CASE WHEN before[0] THEN ['needs_review', 'clear'] ELSE ['needs_review'] END AS states
CALL {
  WITH states
  UNWIND states AS state
  CALL {
    WITH state
    MATCH (d:Decision {project_id: $p.project_id, status: 'active', review_state: state})
    //neo4j USING INDEX d:Decision(project_id, status, review_state, created_at)
    //neo4j WHERE d.created_at >= ''
    WITH d LIMIT 1001
    RETURN count(d) AS found
  }
  RETURN collect([state, found]) AS counts
}
CALL {
  WITH counts
  UNWIND counts AS c
  CALL {
    WITH c
    //falkordb WITH c WHERE c[1] <= 1000
    //falkordb WITH c
    MATCH (d:Decision {project_id: $p.project_id, status: 'active', review_state: c[0]})
    //neo4j USING INDEX d:Decision(project_id, status, review_state, created_at)
    WHERE d._agrag_history_record = true
    //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
    //falkordb WITH d, d.created_at AS at, d.id AS id
    //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
    WITH d ORDER BY d.project_id DESC, d.status DESC, d.review_state DESC, d.created_at DESC, d.id DESC LIMIT $n
    RETURN d
    //falkordb UNION ALL
    //falkordb WITH c
    //falkordb UNWIND CASE WHEN c[1] > 1000 THEN $p.windows ELSE [] END AS w
    //falkordb CALL {
    //falkordb WITH c, w
    //falkordb MATCH (d:Decision {project_id: $p.project_id, review_state: c[0]})
    //falkordb WHERE d.created_at >= w[0]
    //falkordb WITH d, w, d.created_at AS at, d.id AS id
    //falkordb WHERE at < w[1] AND (at < $p.before OR (at = $p.before AND id < $p.before_id))
    //falkordb AND d.status = 'active' AND d._agrag_history_record = true
    //falkordb WITH d ORDER BY d.created_at DESC, d.id DESC LIMIT $n
    //falkordb RETURN d
    //falkordb }
    //falkordb WITH d LIMIT $n
    //falkordb RETURN d
  }
  WITH d ORDER BY d.created_at DESC, d.id DESC LIMIT $n
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, t
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, t, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, t.name, supports]) AS listed
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  reduce(number = 0, c IN counts | number + c[1]) AS number, listed
