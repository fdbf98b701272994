// Verdicts in one task, newest first. $p: {project_id, task_id, windows, kind|null, by|null}, limit.
// Rows: verdict, conclusion, task name. Index on CtxVerdict(task_id, us); the windows of time,
// newest first, widen, so that FalkorDB, which cannot read an index in order, sorts little.
UNWIND $p.windows AS w
CALL {
  WITH w
  MATCH (v:CtxVerdict {task_id: $p.task_id})
  //neo4j USING INDEX v:CtxVerdict(task_id, us)
  WHERE v.us >= w[0] AND v.us < w[1]
    AND v.project_id = $p.project_id
    AND ($p.kind IS NULL OR v.kind = $p.kind) AND ($p.by IS NULL OR v.by = $p.by)
  WITH v ORDER BY v.us DESC LIMIT $n
  RETURN v
}
WITH v LIMIT $n
//+ verdict_row
RETURN verdict, conclusion, task_name
