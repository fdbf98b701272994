// One verdict with the decision it judged. $p: {project_id, verdict_id}.
// Rows: verdict, conclusion, task name. Constraint on CtxVerdict(id).
MATCH (v:CtxVerdict {id: $p.verdict_id})
WHERE v.project_id = $p.project_id
WITH v OPTIONAL MATCH (d:Decision {_agrag_history_record: true, id: v.decision_id})
WITH v, d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: v.task_id})
RETURN {{verdict:v}} AS verdict, d.conclusion, t.name
