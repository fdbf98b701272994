// $p.set_<label>: [{ids, props}] grouped by equal props; null removes a property.
CALL {
  UNWIND $p.set_<label> AS g UNWIND g.ids AS i
  MATCH <match>
  SET n += g.props
  RETURN count(n) AS set_<label>
}
