// Verdicts on decisions that one author recorded, newest first. $p: {project_id, author, windows, kind|null, by|null}, limit.
// Rows: verdict, conclusion, task name. Index on CtxVerdict(project_id, decision_author, us); the windows of time,
// newest first, widen, so that FalkorDB, which cannot read an index in order, sorts little.
UNWIND $p.windows AS w
CALL {
  WITH w
  MATCH (v:CtxVerdict {project_id: $p.project_id, decision_author: $p.author})
  //neo4j USING INDEX v:CtxVerdict(project_id, decision_author, us)
  WHERE v.us >= w[0] AND v.us < w[1]
    AND ($p.kind IS NULL OR v.kind = $p.kind) AND ($p.by IS NULL OR v.by = $p.by)
  WITH v ORDER BY v.us DESC LIMIT $n
  RETURN v
}
WITH v LIMIT $n
//+ verdict_row
RETURN verdict, conclusion, task_name
