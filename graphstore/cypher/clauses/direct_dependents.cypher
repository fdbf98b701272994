// Ids of the active decisions that cite `d` directly, at most 501: what a verdict was shown.
CALL {
  WITH d
  MATCH (d)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.status = 'active' AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 501
  RETURN collect(x.id) AS direct_dependents
}
