// Whether the project may read document `doc`: an admin granted it, or a decision or a step of
// the project cites it. Gives granted, in_scope. Indexes on CtxScope(project_id, document_key)
// and DecisionSupport(document_node_id).
CALL {
  WITH doc
  MATCH (g:CtxScope {project_id: $p.project_id, document_key: doc.document_key})
  //neo4j USING INDEX g:CtxScope(project_id, document_key)
  WHERE g.granted
  WITH g LIMIT 1
  RETURN count(g) > 0 AS granted
}
CALL {
  WITH doc
  MATCH (s:DecisionSupport {document_node_id: doc.id})
  //neo4j USING INDEX s:DecisionSupport(document_node_id)
  WHERE s.project_id = $p.project_id
  WITH s LIMIT 1
  RETURN count(s) > 0 AS decided_on
}
CALL {
  WITH doc
  MATCH (doc)<-[:CTX_CITES]-(s:Step)
  WHERE s.ctx_project_id = $p.project_id
  WITH s LIMIT 1
  RETURN count(s) > 0 AS rested_on
}
WITH *, granted OR decided_on OR rested_on AS in_scope
