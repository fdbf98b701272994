// $p.new_<label>: [{props}]
CALL {
  UNWIND $p.new_<label> AS c
  CREATE (n<node>) SET n = c.props
  RETURN count(n) AS new_<label>
}
