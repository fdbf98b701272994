// Judged decisions still have as many supports as were seen.
// $p.supports_held: [{id, count}]
CALL {
  UNWIND $p.supports_held AS g
  MATCH (n:Decision {_agrag_history_record: true, id: g.id})
  WITH n, g OPTIONAL MATCH (n)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WITH g, count(s) AS found WHERE found = g.count
  RETURN count(g) AS supports_held
}
WITH supports_held WHERE supports_held = size($p.supports_held)
