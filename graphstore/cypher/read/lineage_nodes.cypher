// What is drawn of a lineage. $p: {project_id, decisions [id], documents [id], events [id]}.
// One row: the project's mark before and after; [decision, task name, supports, ids of what it
// cites, ids of what it supersedes, number of its dependents up to 1,001]; documents; [event id, redacted at].
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
CALL {
  UNWIND $p.decisions AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WHERE d.project_id = $p.project_id
  WITH d
  CALL {
    WITH d
    MATCH (d)<-[:DEPENDS_ON]-(x:Decision)
    WHERE x.project_id = $p.project_id AND x._agrag_history_record = true
    WITH DISTINCT x LIMIT 1001
    RETURN count(x) AS dependents
  }
  WITH d, dependents
  OPTIONAL MATCH (d)-[:DEPENDS_ON]->(y:Decision) WHERE y.project_id = $p.project_id
  WITH d, dependents, collect(DISTINCT y.id) AS cites
  OPTIONAL MATCH (d)-[:SUPERSEDES]->(o:Decision)
  WITH d, dependents, cites, collect(DISTINCT o.id) AS supersedes
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, dependents, cites, supersedes, collect({{support:s}}) AS supports
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, dependents, cites, supersedes, supports, t
  RETURN collect([{{decision:d}}, t.name, supports, cites, supersedes, dependents]) AS decisions
}
CALL {
  UNWIND $p.documents AS i
  MATCH (doc:Document {id: i})
  RETURN collect({{document:doc}}) AS documents
}
CALL {
  UNWIND $p.events AS i
  MATCH (e:Event {_agrag_history_record: true, id: i})
  // The task may be hidden: then its deletion is under way, and its events are gone.
  WITH e MATCH (k:Task {_agrag_history_record: true, id: e.task_id})
  RETURN collect([e.id, e.redacted_at]) AS events
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  decisions, documents, events
