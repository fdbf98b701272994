// What stands around the decisions of one choice. $p: {project_id, ids}. One row a decision.
// Rows: id, goal of its task, direct active dependents, then what it cites: documents,
// events [id, kind, name, redacted_at, start of the payload], decisions [id, conclusion, status].
UNWIND $p.ids AS i
MATCH (d:Decision {_agrag_history_record: true, id: i})
WHERE d.project_id = $p.project_id
OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
WITH d, t.goal AS goal
OPTIONAL MATCH (d)<-[:DEPENDS_ON]-(x:Decision) WHERE x.status = 'active'
WITH d, goal, count(DISTINCT x) AS dependents
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
WITH d, goal, dependents, s.document_node_id AS document_id,
  CASE WHEN s.ctx_gone_at IS NULL THEN s.event_id END AS event_id,
  CASE WHEN s.ctx_gone_at IS NULL THEN s.target_decision_id END AS parent_id
OPTIONAL MATCH (doc:Document {id: document_id})
WITH d, goal, dependents, doc, event_id, parent_id
OPTIONAL MATCH (e:Event {_agrag_history_record: true, id: event_id})
WITH d, goal, dependents, doc, e, parent_id
// The task may be hidden: then its deletion is under way, and its events are gone.
OPTIONAL MATCH (k:Task {_agrag_history_record: true, id: e.task_id})
WITH d, goal, dependents, doc, CASE WHEN k IS NULL THEN null ELSE e END AS e, parent_id
OPTIONAL MATCH (y:Decision {_agrag_history_record: true, id: parent_id})
RETURN d.id AS id, goal, dependents,
  collect(DISTINCT CASE WHEN doc IS NULL THEN null ELSE {{document:doc}} END) AS documents,
  collect(DISTINCT CASE WHEN e IS NULL THEN null
    ELSE [e.id, e.kind, e.name, e.redacted_at,
      CASE WHEN size(e.payload) > 300 THEN substring(e.payload, 0, 300) ELSE e.payload END] END) AS events,
  collect(DISTINCT CASE WHEN y IS NULL THEN null
    ELSE [y.id, y.conclusion, y.status] END) AS parents
