// The current supports that cite document `$p.document_id` or event `$p.event_id` ('' for none),
// with their decisions, at most 501 (a support of a deleted event is none); the projects of all of them; and the closure of those
// that a change would flag. With `$p.only_of` the citers of that project alone. Indexes on DecisionSupport(document_node_id) and (event_id).
CALL {
  CALL {
    MATCH (s:DecisionSupport {document_node_id: $p.document_id})
    //neo4j USING INDEX s:DecisionSupport(document_node_id)
    WHERE s.current AND ($p.only_of IS NULL OR s.project_id = $p.only_of)
    RETURN s
    UNION ALL
    MATCH (s:DecisionSupport {event_id: $p.event_id})
    //neo4j USING INDEX s:DecisionSupport(event_id)
    WHERE s.current AND s.ctx_gone_at IS NULL
    RETURN s
  }
  WITH s LIMIT 501
  MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
//+ citer
  RETURN collect(citer) AS citers, collect(DISTINCT CASE WHEN touched THEN d END) AS roots
}
CALL {
  CALL {
    MATCH (s:DecisionSupport {document_node_id: $p.document_id})
    //neo4j USING INDEX s:DecisionSupport(document_node_id)
    WHERE s.current
    RETURN DISTINCT s.project_id AS project_id
    UNION
    MATCH (s:DecisionSupport {event_id: $p.event_id})
    //neo4j USING INDEX s:DecisionSupport(event_id)
    WHERE s.current AND s.ctx_gone_at IS NULL
    RETURN DISTINCT s.project_id AS project_id
  }
  RETURN collect(project_id) AS projects
}
//+ closure
