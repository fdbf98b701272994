// Supports of a decision, archived ones too, by ordinal. $p: {project_id, decision_id, after}, limit.
// Rows: support. Constraint on Decision(id).
MATCH (d:Decision {_agrag_history_record: true, id: $p.decision_id})
WHERE d.project_id = $p.project_id
WITH d
MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
WHERE s.ordinal > $p.after
WITH s ORDER BY s.ordinal LIMIT $n
RETURN {{support:s}} AS support
