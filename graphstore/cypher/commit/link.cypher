// $p.link_<type>: [[start id, end id]], both decisions.
CALL {
  UNWIND $p.link_<type> AS l
  MATCH (a:Decision {_agrag_history_record: true, id: l[0]})
  WITH a, l MATCH (b:Decision {_agrag_history_record: true, id: l[1]})
  CREATE (a)-[r:<type>]->(b)
  RETURN count(r) AS link_<type>
}
