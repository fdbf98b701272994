// The supports that cite a document or event are exactly those seen, archived ones aside.
// $p.citers_document, $p.citers_event: [{ref, ids, count}]. Indexes on
// DecisionSupport(document_node_id) and (event_id).
CALL {
  UNWIND $p.citers_document AS g
  OPTIONAL MATCH (s:DecisionSupport {document_node_id: g.ref})
  //neo4j USING INDEX s:DecisionSupport(document_node_id)
  WHERE s.current
  WITH g, count(s) AS found, count(CASE WHEN s.id IN g.ids THEN 1 END) AS known
  WHERE found = g.count AND known = g.count
  RETURN count(g) AS held_document
}
CALL {
  UNWIND $p.citers_event AS g
  OPTIONAL MATCH (s:DecisionSupport {event_id: g.ref})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  WHERE s.current AND s.ctx_gone_at IS NULL
  WITH g, count(s) AS found, count(CASE WHEN s.id IN g.ids THEN 1 END) AS known
  WHERE found = g.count AND known = g.count
  RETURN count(g) AS held_event
}
WITH held_document, held_event
WHERE held_document = size($p.citers_document) AND held_event = size($p.citers_event)
