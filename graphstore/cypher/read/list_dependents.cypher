// Active decisions that cite one, level by level. $p: {project_id, decision_id}.
// One row: the project's mark before and after, eight levels of [decision, task name].
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [q.review_incomplete, q.review_epoch, q.review_lock] AS before
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
WITH before, [d] AS roots
//+ dependents
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [q.review_incomplete, q.review_epoch, q.review_lock] AS after,
  [r1, r2, r3, r4, r5, r6, r7, r8] AS levels
