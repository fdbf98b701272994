// Names still had as many lives as were seen. Whoever buries one locks its Project, which is locked
// by now: a gather can see half of a deletion, this cannot.
// $p.lives_held: [{id, lives}]. Constraint on CtxTombstone(id).
CALL {
  UNWIND $p.lives_held AS g
  OPTIONAL MATCH (k:CtxTombstone {id: g.id})
  WITH coalesce(k.lives, 0) = g.lives AS ok
  WHERE ok
  RETURN count(ok) AS lives_held
}
WITH lives_held WHERE lives_held = size($p.lives_held)
