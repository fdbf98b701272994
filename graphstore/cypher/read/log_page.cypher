// A stretch of a task's log, filtered. $p: {project_id, name, after_seq, until, edges (the numbers at
// its two ends), kinds, author, words (each a list of spellings)}, limit.
// Rows: the task's last number, [number, time] of the edges that are there, events in order.
// The stretch is bounded on both sides, since FalkorDB sorts all that is in it.
// Constraint on Event(task_id, seq).
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
CALL {
  WITH t
  UNWIND $p.edges AS number
  MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: number})
  RETURN collect([e.seq, e.at]) AS edges
}
CALL {
  WITH t
  MATCH (e:Event {_agrag_history_record: true, task_id: t.id})
  WHERE e.seq > $p.after_seq AND e.seq <= $p.until
    AND (size($p.kinds) = 0 OR e.kind IN $p.kinds)
    AND ($p.author = '' OR e.author = $p.author)
    AND (size($p.words) = 0 OR (e.redacted_at IS NULL
      AND all(word IN $p.words WHERE any(spelt IN word
        WHERE toLower(e.payload) CONTAINS spelt OR toLower(coalesce(e.name, '')) CONTAINS spelt))))
  WITH e ORDER BY e.seq LIMIT $n
  RETURN collect({{event:e}}) AS events
}
RETURN t.event_seq AS last, edges, events
