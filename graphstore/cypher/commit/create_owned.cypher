// $p.new_<label>: [{owner, edge, props}]. Properties of the relationship stand in the
// pattern: module 41603 dies when a statement that set them afterwards has to be undone.
CALL {
  UNWIND $p.new_<label> AS c
  MATCH <match>
  CREATE (o)-[r:<relation><edge>]->(n<node>) SET n = c.props
  RETURN count(n) AS new_<label>
}
