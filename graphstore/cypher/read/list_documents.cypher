// Documents that the project's decisions cite, by key. $p: {project_id, after}, limit.
// Index on Document(document_key), then DecisionSupport(document_node_id) for the scope.
MATCH (doc:Document)
//neo4j USING INDEX doc:Document(document_key)
WHERE doc.document_key > $p.after
WITH doc ORDER BY doc.document_key
CALL {
  WITH doc
  MATCH (s:DecisionSupport {document_node_id: doc.id})
  //neo4j USING INDEX s:DecisionSupport(document_node_id)
  WHERE s.project_id = $p.project_id
  WITH s LIMIT 1
  RETURN count(s) AS cited
}
WITH doc, cited WHERE cited > 0
RETURN {{document:doc}} AS document LIMIT $n
