// Which decisions, documents and events are near one decision, level by level; the ids only.
// $p: {project_id, decision_id}. Rows: revisions newest first, four levels of what it rests on
// ([kind, id] of sources, ids of decisions), four levels of ids of what rests on it. Each level
// has at most 61, and paths are never walked; repeats are the reader's to drop.
// Index on Decision(task_id, choice_key, revision).
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
CALL {
  WITH d
  MATCH (v:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
  WHERE v.revision > 0
  WITH v ORDER BY v.revision DESC LIMIT 61
  RETURN collect(v.id) AS revisions
}
WITH revisions, [d] AS u0, [d] AS b0
CALL {
  WITH u0
  UNWIND u0 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 61
  RETURN collect(x) AS u1, collect(x.id) AS up1
}
CALL {
  WITH u0
  UNWIND u0 AS n
  WITH n MATCH (n)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.current AND s.kind <> 'decision'
  WITH DISTINCT s.kind AS kind, coalesce(s.document_node_id, s.event_id) AS id LIMIT 61
  RETURN collect([kind, id]) AS sources1
}
CALL {
  WITH u1
  UNWIND u1 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 61
  RETURN collect(x) AS u2, collect(x.id) AS up2
}
CALL {
  WITH u1
  UNWIND u1 AS n
  WITH n MATCH (n)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.current AND s.kind <> 'decision'
  WITH DISTINCT s.kind AS kind, coalesce(s.document_node_id, s.event_id) AS id LIMIT 61
  RETURN collect([kind, id]) AS sources2
}
CALL {
  WITH u2
  UNWIND u2 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 61
  RETURN collect(x) AS u3, collect(x.id) AS up3
}
CALL {
  WITH u2
  UNWIND u2 AS n
  WITH n MATCH (n)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.current AND s.kind <> 'decision'
  WITH DISTINCT s.kind AS kind, coalesce(s.document_node_id, s.event_id) AS id LIMIT 61
  RETURN collect([kind, id]) AS sources3
}
CALL {
  WITH u3
  UNWIND u3 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x LIMIT 61
  RETURN collect(x) AS u4, collect(x.id) AS up4
}
CALL {
  WITH u3
  UNWIND u3 AS n
  WITH n MATCH (n)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WHERE s.current AND s.kind <> 'decision'
  WITH DISTINCT s.kind AS kind, coalesce(s.document_node_id, s.event_id) AS id LIMIT 61
  RETURN collect([kind, id]) AS sources4
}
CALL {
  WITH b0
  UNWIND b0 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x
  WITH x ORDER BY x.status, x.created_at DESC LIMIT 61
  RETURN collect(x) AS b1, collect(x.id) AS down1
}
CALL {
  WITH b1
  UNWIND b1 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x
  WITH x ORDER BY x.status, x.created_at DESC LIMIT 61
  RETURN collect(x) AS b2, collect(x.id) AS down2
}
CALL {
  WITH b2
  UNWIND b2 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x
  WITH x ORDER BY x.status, x.created_at DESC LIMIT 61
  RETURN collect(x) AS b3, collect(x.id) AS down3
}
CALL {
  WITH b3
  UNWIND b3 AS n
  WITH n MATCH (n)<-[:DEPENDS_ON]-(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH DISTINCT x
  WITH x ORDER BY x.status, x.created_at DESC LIMIT 61
  RETURN collect(x) AS b4, collect(x.id) AS down4
}
RETURN revisions, [sources1, sources2, sources3, sources4], [up1, up2, up3, up4],
  [down1, down2, down3, down4]
