// Documents that the project may have come to cite, by key. $p: {project_id, after}, limit.
// Rows: document, in scope. Index on CtxScope(project_id, document_key) for the order and the
// bound; whether each is still in scope is looked up.
MATCH (k:CtxScope {project_id: $p.project_id})
//neo4j USING INDEX k:CtxScope(project_id, document_key)
WHERE k.document_key > $p.after
WITH k ORDER BY k.project_id, k.document_key LIMIT $n
MATCH (doc:Document {id: k.document_id})
//+ in_scope
WITH doc, in_scope ORDER BY doc.document_key
RETURN {{document:doc}} AS document, in_scope
