// Entries whose number lies beyond the end of the chain. $p: {project_id, chain_id, end}.
// Rows: id, number. The end is read after the entries, so that one that moves on is no finding.
// Constraints on CtxTrace(project_id, sequence_number) and CtxChain(id).
CALL {
  MATCH (x:CtxTrace {project_id: $p.project_id})
  WHERE x.sequence_number > $p.end
  RETURN collect([x.id, x.sequence_number]) AS later
}
CALL {
  OPTIONAL MATCH (c:CtxChain {id: $p.chain_id})
  RETURN coalesce(c.sequence_number, 0) AS reached
}
UNWIND later AS l
WITH l, reached WHERE l[1] > reached
RETURN l[0] AS id, l[1] AS number
