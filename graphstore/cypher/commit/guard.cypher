// Locks the nodes that the plan relied on and counts those that are as it saw them.
// $p.guard_<label>: [{ids, seen, absent, low, high}] grouped by equal content, ids sorted.
// A task that is being deleted is none any more, also for whoever waited for its lock.
// The comparison stands in a WITH of its own: module 41603 evaluates a filter on
// n[k] in the MATCH before n is bound, and then it holds for anything.
CALL {
  UNWIND $p.guard_<label> AS g UNWIND g.ids AS i
  MATCH <match>
  <lock>
  WITH n, g, all(k IN keys(g.seen) WHERE n[k] = g.seen[k])
    AND all(k IN g.absent WHERE n[k] IS NULL)
    AND coalesce(n.event_seq >= g.low AND n.event_seq <= g.high, true)
    AND n.ctx_deleting IS NULL AS ok
  WHERE ok RETURN count(n) AS held_<label>
}
