// Writes the ledger entries, each with what arrived late in its project.
// $p.entries: [properties]
CALL {
  WITH last_seq, late
  UNWIND $p.entries AS c
  CREATE (n:CtxTrace)
  SET n = c, n.last_seq = last_seq,
      n.late = reduce(ids = [], l IN late |
        ids + CASE WHEN l[0] = c.project_id THEN l[1] ELSE [] END)
  RETURN count(n) AS entries
}
