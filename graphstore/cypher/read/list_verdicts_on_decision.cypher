// Verdicts on one decision, newest first. $p: {project_id, decision_id, before, since, kind|null, by|null}, limit.
// Rows: verdict, conclusion, task name. Index on CtxVerdict(decision_id).
MATCH (v:CtxVerdict {decision_id: $p.decision_id})
//neo4j USING INDEX v:CtxVerdict(decision_id)
WHERE v.project_id = $p.project_id AND v.us < $p.before AND v.us >= $p.since
  AND ($p.kind IS NULL OR v.kind = $p.kind) AND ($p.by IS NULL OR v.by = $p.by)
WITH v ORDER BY v.us DESC LIMIT $n
//+ verdict_row
RETURN verdict, conclusion, task_name
