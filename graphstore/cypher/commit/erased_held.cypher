// A task that is to be erased has as many decisions as were seen, and what goes with it is cited
// by exactly the supports that were seen: whoever adds one locks the task or the decision.
// $p.erased: [{task_id, project_id, whole, made, ids, count, emptied}].
CALL {
  UNWIND $p.erased AS g
  MATCH (t:Task {_agrag_history_record: true, id: g.task_id})
  WITH t, g, g.whole AS whole
//+ erased
  WITH g, made, [c IN cites | c[0]] AS cited
  WITH g, size(made) = g.made AND size(cited) = g.count AND all(i IN cited WHERE i IN g.ids) AS ok
  WHERE ok
  RETURN count(g) AS erased_held
}
WITH erased_held WHERE erased_held = size($p.erased)
