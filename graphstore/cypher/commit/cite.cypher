// Joins steps to the documents that their results rest on.
// $p.cites: [{step, documents}]
CALL {
  UNWIND $p.cites AS c UNWIND c.documents AS i
  MATCH (s:Step {_agrag_history_record: true, id: c.step})
  WITH s, i MATCH (d:Document {id: i})
  CREATE (s)-[r:CTX_CITES]->(d)
  RETURN count(r) AS cited
}
