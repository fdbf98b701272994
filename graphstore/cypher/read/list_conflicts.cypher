// Choices with more than one conclusion, by key, each confirmed on its decisions.
// $p: {project_id, after, most (decisions a choice)}, limit.
// One row: the project's mark before and after, the keys that were looked at,
// [key, more left, [decision, task name, supports]].
// Indexes: CtxChoice(project_id, stances, choice_key), Decision(project_id, choice_key).
// FalkorDB's index leaves out texts outside ASCII when it is asked for a range, so there the
// keys of conflicts are compared one by one. Decisions are taken from the conclusions in turn,
// newest first, so that each is represented.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  MATCH (c:CtxChoice {project_id: $p.project_id})
  //neo4j USING INDEX c:CtxChoice(project_id, stances, choice_key)
  WHERE c.stances > 1
  //neo4j AND c.choice_key > $p.after
  WITH c.choice_key AS key
  //falkordb WHERE key > $p.after
  WITH key ORDER BY key LIMIT $n
  RETURN collect(key) AS keys
}
CALL {
  WITH keys
  UNWIND keys AS key
  WITH key
  MATCH (d:Decision {project_id: $p.project_id, choice_key: key})
  //neo4j USING INDEX d:Decision(project_id, choice_key)
  WHERE d.status = 'active' AND d._agrag_history_record = true
  WITH key, d ORDER BY d.created_at DESC, d.id DESC
  WITH key, d.conclusion AS conclusion, collect(d) AS side
  UNWIND range(0, size(side) - 1) AS turn
  WITH key, conclusion, side[turn] AS d, turn
  ORDER BY turn, d.created_at DESC, d.id DESC
  WITH key, collect(d) AS decided, count(DISTINCT conclusion) AS sides, count(DISTINCT d.task_id) AS tasks
  WHERE sides > 1 AND tasks > 1
  WITH key, size(decided) > $p.most AS more, decided[0..$p.most] AS shown
  UNWIND shown AS d
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH key, more, d, t
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH key, more, d, t, collect({{support:s}}) AS supports
  WITH key, more, collect([{{decision:d}}, t.name, supports]) AS decisions
  RETURN collect([key, more, decisions]) AS listed
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after, keys, listed
