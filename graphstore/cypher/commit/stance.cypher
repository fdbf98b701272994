// Counts active decisions by conclusion, and conclusions by choice.
// $p.stances: [{choice_id, choice, sides: [{id, props, by}]}], one row a choice.
CALL {
  UNWIND $p.stances AS g
  MERGE (n:CtxChoice {id: g.choice_id}) ON CREATE SET n += g.choice
  <lock>
  WITH n, g UNWIND g.sides AS side
  MERGE (s:CtxStance {id: side.id}) ON CREATE SET s += side.props
  WITH n, s, side, s.active AS before
  SET s.active = before + side.by
  WITH n, sum(CASE WHEN before <= 0 AND before + side.by > 0 THEN 1
                   WHEN before > 0 AND before + side.by <= 0 THEN -1 ELSE 0 END) AS more
  SET n.stances = n.stances + toInteger(more)
  RETURN count(n) AS stances
}
