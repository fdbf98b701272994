// Takes away what steps said before about the documents that their results rest on.
// $p.cites: [{step, documents}]
CALL {
  UNWIND $p.cites AS c
  MATCH (s:Step {_agrag_history_record: true, id: c.step})
  WITH s MATCH (s)-[r:CTX_CITES]->(:Document)
  DELETE r
  RETURN count(*) AS uncited
}
