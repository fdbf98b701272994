// As change, and each changed decision gets a new version.
CALL {
  UNWIND $p.set_<label> AS g UNWIND g.ids AS i
  MATCH <match>
  SET n += g.props, n.ctx_version = coalesce(n.ctx_version, 0) + 1
  RETURN count(n) AS set_<label>
}
