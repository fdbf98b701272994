// Ledger entries of one task, newest first.
// $p: {project_id, task_id, windows, before, before_id, action|null, who|null}, limit. Rows: entry.
// Index on CtxTrace(task_id, us); the windows of time, newest first, widen, so that FalkorDB,
// which cannot read an index in order, sorts little.
// The cursor is compared in a WITH of its own: FalkorDB, whose index holds either side of an OR,
// would find an entry by each and return it twice.
UNWIND $p.windows AS w
CALL {
  WITH w
  MATCH (x:CtxTrace {task_id: $p.task_id})
  //neo4j USING INDEX x:CtxTrace(task_id, us)
  WHERE x.us >= w[0] AND x.us < w[1]
    AND x.project_id = $p.project_id
    AND ($p.action IS NULL OR x.action = $p.action)
    AND ($p.who IS NULL OR x.agent_id = $p.who OR x.principal = $p.who OR x.on_behalf_of = $p.who)
  WITH x, x.us AS at, x.id AS id WHERE at < $p.before OR id < $p.before_id
  WITH x ORDER BY x.us DESC, x.id DESC LIMIT $n
  RETURN x
}
WITH x LIMIT $n
RETURN {{entry:x}} AS entry
