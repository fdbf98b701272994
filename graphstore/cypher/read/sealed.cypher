// Entries by their number in the chain. $p: {project_id, chain_id, low, high}: low <= number < high.
// One row: the number that the chain has reached, entries with whether the mirror knew them first.
// Constraint on CtxTrace(project_id, sequence_number).
CALL {
  OPTIONAL MATCH (c:CtxChain {id: $p.chain_id})
  RETURN coalesce(c.sequence_number, 0) AS reached
}
CALL {
  MATCH (x:CtxTrace {project_id: $p.project_id})
  WHERE x.sequence_number >= $p.low AND x.sequence_number < $p.high
  WITH x ORDER BY x.sequence_number, x.id
  RETURN collect([{{entry:x}}, coalesce(x.ctx_mirrored, false)]) AS entries
}
RETURN reached, entries
