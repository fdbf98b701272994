// Gather of counting choices anew. $p: request keys, {ids}. One row: entry, choices as [id,
// conclusions counted, sides as [id, active], active decisions as [id, side]].
// Indexes: CtxChoice(id), CtxStance(choice_id), Decision(project_id, choice_key).
//+ request
CALL {
  UNWIND $p.ids AS i
  MATCH (c:CtxChoice {id: i})
  WHERE c.project_id = $p.project_id
  WITH c
  OPTIONAL MATCH (s:CtxStance {choice_id: c.id})
  //neo4j USING INDEX s:CtxStance(choice_id)
  WITH c, collect(CASE WHEN s IS NOT NULL THEN [s.id, s.active] END) AS sides
  OPTIONAL MATCH (d:Decision {project_id: c.project_id, choice_key: c.choice_key})
  //neo4j USING INDEX d:Decision(project_id, choice_key)
  WHERE d.status = 'active' AND d.ctx_stance IS NOT NULL
  WITH c, sides, collect(CASE WHEN d IS NOT NULL THEN [d.id, d.ctx_stance] END) AS decided
  RETURN [c.id, c.stances, sides, decided] AS choice
}
RETURN entry, collect(choice) AS choices
