// A document's change log, newest first. $p: {document_id, before}, limit. Rows: document, versions.
MATCH (doc:Document {id: $p.document_id})
CALL {
  WITH doc
  MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
  WHERE a.activation_seq < $p.before
  WITH a ORDER BY a.activation_seq DESC LIMIT $n
  RETURN collect({{version:a}}) AS versions
}
RETURN doc.id, versions
