// Active decisions of the project with a current support on a document, newest first.
// $p: {project_id, document_id, before, before_id}, limit. One row: the project's mark before and
// after, in scope, [decision, task name, supports, evidence ids, version].
// Index on DecisionSupport(document_node_id).
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
MATCH (doc:Document {id: $p.document_id})
//+ in_scope
WITH before, doc, in_scope
CALL {
  WITH doc
  MATCH (c:DecisionSupport {document_node_id: doc.id})
  //neo4j USING INDEX c:DecisionSupport(document_node_id)
  WHERE c.current AND c.project_id = $p.project_id
  WITH c MATCH (d:Decision)-[:HAS_SUPPORT]->(c)
  WHERE d.status = 'active' AND d._agrag_history_record = true
  WITH d, collect(c.evidence_id) AS evidence, min(c.recorded_activation_seq) AS cited,
    d.created_at AS at, d.id AS id
  WHERE at < $p.before OR (at = $p.before AND id < $p.before_id)
  WITH d, evidence, cited ORDER BY d.created_at DESC, d.id DESC LIMIT $n
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, evidence, cited, t
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, evidence, cited, t, collect({{support:s}}) AS supports
  ORDER BY d.created_at DESC, d.id DESC
  RETURN collect([{{decision:d}}, t.name, supports, evidence, cited]) AS listed
}
WITH before, in_scope, listed
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  in_scope, listed
