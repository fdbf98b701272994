// Entries of a span of time that have no place in the chain. $p: {project_id, low, high, waiting_since}.
// One row: how many entries the span holds, ids of those without a number that nobody will seal, or
// nobody has since `waiting_since`. Index on CtxTrace(project_id, us).
CALL {
  MATCH (x:CtxTrace {project_id: $p.project_id})
  //neo4j USING INDEX x:CtxTrace(project_id, us)
  WHERE x.us >= $p.low AND x.us < $p.high
  RETURN count(x) AS held, collect(CASE WHEN x.sequence_number IS NULL
    AND (x.ctx_unsealed IS NULL OR x.us < $p.waiting_since) THEN x.id END) AS ids
}
RETURN held, ids
