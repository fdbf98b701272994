// The active decisions of one choice. $p: {project_id, choice_key}, limit.
// One row: the project's mark before and after, whether anybody decided it, [decision, task name, supports].
// Index on Decision(project_id, choice_key). Taken from the conclusions in turn, as in list_conflicts.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  MATCH (d:Decision {project_id: $p.project_id, choice_key: $p.choice_key})
  //neo4j USING INDEX d:Decision(project_id, choice_key)
  WHERE d._agrag_history_record = true
  WITH d LIMIT 1
  RETURN count(d) > 0 AS decided
}
CALL {
  MATCH (d:Decision {project_id: $p.project_id, choice_key: $p.choice_key})
  //neo4j USING INDEX d:Decision(project_id, choice_key)
  WHERE d.status = 'active' AND d._agrag_history_record = true
  WITH d ORDER BY d.created_at DESC, d.id DESC
  WITH d.conclusion AS conclusion, collect(d) AS side
  UNWIND range(0, size(side) - 1) AS turn
  WITH side[turn] AS d, turn
  ORDER BY turn, d.created_at DESC, d.id DESC LIMIT $n
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, t
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, t, collect({{support:s}}) AS supports
  RETURN collect([{{decision:d}}, t.name, supports]) AS listed
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after, decided, listed
