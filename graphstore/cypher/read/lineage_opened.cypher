// The neighbours of nodes that a reader opened in a drawing. $p: {project_id, opened [id],
// drawn [id]}. A row for each: id, ids of decisions that it cites, [kind, id] of other sources,
// ids of decisions that cite it; at most 20 of each, without those that are drawn.
UNWIND $p.opened AS i
MATCH (d:Decision {_agrag_history_record: true, id: i})
WHERE d.project_id = $p.project_id
CALL {
  WITH d
  MATCH (d)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true AND NOT x.id IN $p.drawn
  WITH DISTINCT x LIMIT 20
  RETURN collect(x.id) AS cites
}
CALL {
  WITH d
  MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.current AND s.kind <> 'decision' AND NOT coalesce(s.document_node_id, s.event_id) IN $p.drawn
  WITH DISTINCT s.kind AS kind, coalesce(s.document_node_id, s.event_id) AS id LIMIT 20
  RETURN collect([kind, id]) AS sources
}
CALL {
  WITH d
  MATCH (d)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true AND NOT x.id IN $p.drawn
  WITH DISTINCT x
  WITH x ORDER BY x.status, x.created_at DESC LIMIT 20
  RETURN collect(x.id) AS cited_by
}
RETURN d.id, cites, sources, cited_by
