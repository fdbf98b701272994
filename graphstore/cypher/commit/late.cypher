// Flags active clear dependents of flagged decisions that appeared since the
// gather, queues them, and returns [[project id, decision ids]].
// $p.late: [{ids, props}]. The state is read again once the node is locked.
CALL {
  UNWIND $p.late AS l UNWIND l.ids AS i
  MATCH (parent:Decision {_agrag_history_record: true, id: i})
  WITH parent, l MATCH (parent)<-[:DEPENDS_ON]-(n:Decision)
  WHERE n.status = 'active' AND n.review_state = 'clear'
  WITH n, collect(l)[0] AS l
  <lock>
  WITH n, l WHERE n.status = 'active' AND n.review_state = 'clear'
  SET n += l.props, n.ctx_version = coalesce(n.ctx_version, 0) + 1
  WITH n MATCH (q:Project {_agrag_history_record: true, project_id: n.project_id})
  WITH q, collect(n.id) AS arrived
  SET q.review_incomplete = true,
      q.review_epoch = coalesce(q.review_epoch, 0) + size(arrived)
  RETURN collect([q.project_id, arrived]) AS late
}
