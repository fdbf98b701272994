// Whether the project cites document `doc`: gives in_scope. Index on DecisionSupport(document_node_id).
CALL {
  WITH doc
  MATCH (s:DecisionSupport {document_node_id: doc.id})
  //neo4j USING INDEX s:DecisionSupport(document_node_id)
  WHERE s.project_id = $p.project_id
  WITH s LIMIT 1
  RETURN count(s) > 0 AS in_scope
}
