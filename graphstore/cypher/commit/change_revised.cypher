// As change, and a change that revises a decision or a step gives it a new version.
// $p.set_<label>: [{ids, props, by}], `by` 1 or 0.
CALL {
  UNWIND $p.set_<label> AS g UNWIND g.ids AS i
  MATCH <match>
  SET n += g.props, n.ctx_version = coalesce(n.ctx_version, 0) + g.by
  RETURN count(n) AS set_<label>
}
