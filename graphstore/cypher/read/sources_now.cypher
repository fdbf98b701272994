// Where sources stand, to see which comparisons are out of date. $p: {documents, decisions}, lists
// of ids. One row: documents as [id, activation], decisions as [id, status, review state].
CALL {
  UNWIND $p.documents AS i
  MATCH (s:Document {id: i})
  RETURN collect([s.id, s.activation_seq]) AS documents
}
CALL {
  UNWIND $p.decisions AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  RETURN collect([d.id, d.status, d.review_state]) AS decisions
}
RETURN documents, decisions
