// From rows `t` (tasks) to rows `t, damaged`: whether its last number is not its last event's, one of
// its last events has no id, or a step rests on other documents than it is joined to.
// Constraint on Event(task_id, seq).
WITH t, coalesce(t.event_seq, 0) AS told
OPTIONAL MATCH (e:Event {_agrag_history_record: true, task_id: t.id})
WHERE e.seq > told - 20
WITH t, told, coalesce(max(e.seq), 0) AS last,
  count(CASE WHEN e.seq IS NOT NULL AND e.id IS NULL THEN 1 END) AS nameless
OPTIONAL MATCH (t)-[:HAS_STEP]->(s:Step)
WHERE s.result_supports CONTAINS '"document_node_id":"' OR s.ctx_project_id IS NOT NULL
WITH t, told, last, nameless, s
OPTIONAL MATCH (s)-[:CTX_CITES]->(doc:Document)
WITH t, told, last, nameless, s,
  [part IN split(s.result_supports, '"document_node_id":"')[1..] | left(part, 36)] AS rests,
  collect(doc.id) AS joined
WITH t, told, last, nameless,
  CASE WHEN s IS NOT NULL AND ((size(rests) > 0 AND coalesce(s.ctx_project_id, '') <> t.project_id)
      OR any(i IN rests WHERE NOT i IN joined) OR any(i IN joined WHERE NOT i IN rests))
    THEN 1 ELSE 0 END AS apart
WITH t, told, last, nameless, max(apart) > 0 AS apart
WITH t, (told <> last OR nameless > 0 OR apart) AS damaged
