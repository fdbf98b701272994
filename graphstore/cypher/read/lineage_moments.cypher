// How what is drawn stood at a moment. $p: {project_id, at, decisions [id], documents [id],
// events [id]}. One row: [id, when superseded, when rejected, what stood before the first verdict
// after that moment] of decisions; [id, number and verb of the version of that moment] of
// documents; [id, when recorded, when redacted] of events. Index on CtxVerdict(decision_id).
CALL {
  UNWIND $p.decisions AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WHERE d.project_id = $p.project_id
  WITH d OPTIONAL MATCH (d)<-[:SUPERSEDES]-(n:Decision)
  WITH d, min(n.created_at) AS superseded_at
  CALL {
    WITH d
    MATCH (v:CtxVerdict {decision_id: d.id})
    //neo4j USING INDEX v:CtxVerdict(decision_id)
    WHERE v.at > $p.at AND v.kind IN ['reaffirm', 'supersede', 'reject']
    WITH v ORDER BY v.us LIMIT 1
    RETURN collect(v.undo_json) AS undone
  }
  RETURN collect([d.id, superseded_at, d.ctx_rejected_at, undone]) AS decisions
}
CALL {
  UNWIND $p.documents AS i
  MATCH (doc:Document {id: i})
  CALL {
    WITH doc
    MATCH (doc)-[:HAS_ACTIVATION]->(a:DocumentActivation)
    WHERE a.activated_at <= $p.at
    WITH a ORDER BY a.activation_seq DESC LIMIT 1
    RETURN collect([a.activation_seq, a.verb]) AS then
  }
  RETURN collect([doc.id, then]) AS documents
}
CALL {
  UNWIND $p.events AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  RETURN collect([e.id, e.at, e.redacted_at]) AS events
}
RETURN decisions, documents, events
