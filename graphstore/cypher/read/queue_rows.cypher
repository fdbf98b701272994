// The decisions of one queue page as they stand, and documents that the page names.
// $p: {project_id, ids [of decisions], documents [ids]}.
// Rows: mark, decision, task name, direct active dependents, titles of documents that moved on,
// when it was last reaffirmed; then one for each document: false, document, and nothing else.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH coalesce(q.review_incomplete, false) AS travelling
UNWIND $p.ids AS i
MATCH (d:Decision {_agrag_history_record: true, id: i})
WHERE d.project_id = $p.project_id AND d.status = 'active'
WITH travelling, d
OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
WITH travelling, d, t.name AS task_name
OPTIONAL MATCH (d)<-[:DEPENDS_ON]-(x:Decision) WHERE x.status = 'active'
WITH travelling, d, task_name, count(DISTINCT x) AS dependents
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
WITH travelling, d, task_name, dependents, s
OPTIONAL MATCH (doc:Document {id: s.document_node_id})
WITH travelling, d, task_name, dependents,
  collect(DISTINCT CASE WHEN doc.activation_seq <> s.recorded_activation_seq
    THEN coalesce(doc.title, doc.document_key) END) AS moved,
  max(s.reviewed_at) AS reaffirmed
RETURN travelling, {{decision:d}} AS decision, task_name, dependents, moved, reaffirmed
UNION ALL
UNWIND $p.documents AS i
MATCH (doc:Document {id: i})
RETURN false AS travelling, {{document:doc}} AS decision, null AS task_name, null AS dependents,
  null AS moved, null AS reaffirmed
