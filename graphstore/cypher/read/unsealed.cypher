// What a sealer takes: the end of the chain, and the oldest entries without a place in it.
// $p: {project_id, chain_id}, limit. One row: [id, number, hash] of the end, entries.
// Index on CtxTrace(project_id, ctx_unsealed), constraint on CtxChain(id).
CALL {
  OPTIONAL MATCH (c:CtxChain {id: $p.chain_id})
  RETURN [c.id, c.sequence_number, c.head_hash] AS head
}
CALL {
  MATCH (x:CtxTrace {project_id: $p.project_id, ctx_unsealed: true})
  //neo4j USING INDEX x:CtxTrace(project_id, ctx_unsealed)
  WITH x ORDER BY x.us, x.id LIMIT $n
  RETURN collect({{entry:x}}) AS entries
}
RETURN head, entries
