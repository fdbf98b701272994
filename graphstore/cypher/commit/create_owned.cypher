// $p.new_<label>: [{owner, edge, props}]
CALL {
  UNWIND $p.new_<label> AS c
  MATCH <match>
  CREATE (o)-[r:<relation>]->(n<node>) SET r = c.edge, n = c.props
  RETURN count(n) AS new_<label>
}
