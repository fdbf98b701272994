// Why a decision is flagged: what it rests on, level by level, with what each cites itself.
// $p: {project_id, decision_id, documents [{id, seq}], events [id], asked [id]}. One row: eight
// lists of [id, ids of those below that cite it], at most 51 a level, those first whose state may
// be the reason (paths are never walked); what is known of all of them and the decision itself;
// [id, number, when, verb] of the versions named; [id, when redacted, task name, number] of the
// events named; [id, decision id, when, who, why] of the requests for review named.
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
WITH [d] AS l0
CALL {
  WITH l0
  UNWIND l0 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l1, collect([x.id, below]) AS up1
}
CALL {
  WITH l1
  UNWIND l1 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l2, collect([x.id, below]) AS up2
}
CALL {
  WITH l2
  UNWIND l2 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l3, collect([x.id, below]) AS up3
}
CALL {
  WITH l3
  UNWIND l3 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l4, collect([x.id, below]) AS up4
}
CALL {
  WITH l4
  UNWIND l4 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l5, collect([x.id, below]) AS up5
}
CALL {
  WITH l5
  UNWIND l5 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l6, collect([x.id, below]) AS up6
}
CALL {
  WITH l6
  UNWIND l6 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l7, collect([x.id, below]) AS up7
}
CALL {
  WITH l7
  UNWIND l7 AS n
  WITH n MATCH (n)-[:DEPENDS_ON]->(x:Decision)
  WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
  WITH x, collect(DISTINCT n.id) AS below
  WITH x, below ORDER BY CASE WHEN x.status = 'active' AND x.review_state = 'clear' THEN 1 ELSE 0 END, x.id LIMIT 51
  RETURN collect(x) AS l8, collect([x.id, below]) AS up8
}
CALL {
  WITH l0, l1, l2, l3, l4, l5, l6, l7, l8
  UNWIND l0 + l1 + l2 + l3 + l4 + l5 + l6 + l7 + l8 AS n
  WITH DISTINCT n
  OPTIONAL MATCH (n)-[:HAS_SUPPORT]->(s:DecisionSupport)
  WITH n, s
  OPTIONAL MATCH (doc:Document {id: s.document_node_id})
  WITH n, CASE WHEN s.kind <> 'decision' THEN [coalesce(s.document_node_id, s.event_id), s.current,
    doc.current_content_hash IS NULL OR doc.activation_seq <> s.recorded_activation_seq,
    doc.document_key, doc.title, doc.activation_seq, doc.updated_at] END AS source
  WITH n, collect(source) AS sources
  OPTIONAL MATCH (n)<-[:SUPERSEDES]-(v:Decision)
  WITH n, sources, min(v.created_at) AS superseded_at
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: n.task_id})
  RETURN collect([n.id,
    CASE WHEN size(n.conclusion) > 300 THEN substring(n.conclusion, 0, 300) ELSE n.conclusion END,
    n.revision, t.name, n.status, n.review_state,
    n.ctx_flagged_us, n.ctx_causes, n.ctx_rejected_at, superseded_at, n.ctx_reviewed_at, sources]) AS nodes
}
CALL {
  UNWIND $p.documents AS g
  MATCH (doc:Document {id: g.id})
  WITH doc, g MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
  WHERE a.activation_seq = g.seq
  RETURN collect([doc.id, a.activation_seq, a.activated_at, a.verb]) AS versions
}
CALL {
  UNWIND $p.events AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  // The task may be hidden: then its deletion is under way, and its events are gone.
  WITH e MATCH (k:Task {_agrag_history_record: true, id: e.task_id})
  WHERE k.project_id = $p.project_id
  RETURN collect([e.id, e.redacted_at, k.name, e.seq]) AS events
}
CALL {
  UNWIND $p.asked AS i
  MATCH (v:CtxVerdict {id: i})
  WHERE v.project_id = $p.project_id
  RETURN collect([v.id, v.decision_id, v.at, v.by, v.why]) AS asked
}
RETURN [up1, up2, up3, up4, up5, up6, up7, up8] AS levels, nodes, versions, events, asked
