// Documents that the project's decisions cite, by key. $p: {project_id, after}, limit.
// Index on Document(document_key), then DecisionSupport(document_node_id) for the scope.
MATCH (doc:Document)
//neo4j USING INDEX doc:Document(document_key)
WHERE doc.document_key > $p.after
WITH doc ORDER BY doc.document_key
//+ in_scope
WITH doc, in_scope WHERE in_scope
RETURN {{document:doc}} AS document LIMIT $n
