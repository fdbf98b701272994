// Choices still have as many revisions in their task as were seen.
// $p.revisions_held: [{task_id, choice_key, count}]. Constraint on Decision(task_id, choice_key, revision).
CALL {
  UNWIND $p.revisions_held AS g
  MATCH (n:Decision {_agrag_history_record: true, task_id: g.task_id, choice_key: g.choice_key})
  WHERE n.revision > 0
  WITH g, count(n) AS found WHERE found = g.count
  RETURN count(g) AS revisions_held
}
WITH revisions_held WHERE revisions_held = size($p.revisions_held)
