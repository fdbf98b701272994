// Gather of grant_document and revoke_document. $p: request keys, {document_id, scope_id}.
// One row: request, entry, document, the project's scope of it. Constraints on Document(id)
// and CtxScope(id).
//+ request
CALL {
  OPTIONAL MATCH (doc:Document {id: $p.document_id})
  RETURN doc.id AS document
}
CALL {
  OPTIONAL MATCH (k:CtxScope {id: $p.scope_id})
  RETURN [k.id, k.granted] AS scope
}
RETURN request, entry, document, scope
