// A document's change log, newest first. $p: {project_id, document_id, before}, limit. Rows: document, versions, in scope.
MATCH (doc:Document {id: $p.document_id})
//+ in_scope
CALL {
  WITH doc
  MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
  WHERE a.activation_seq < $p.before
  WITH a ORDER BY a.activation_seq DESC LIMIT $n
  RETURN collect({{version:a}}) AS versions
}
RETURN doc.id, versions, in_scope
