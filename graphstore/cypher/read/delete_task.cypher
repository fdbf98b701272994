// Gather of delete_task. $p: request keys, {name, tombstone_id, whole}. One row: request, entry,
// deletions of the project so far, lives of the name, task, its decisions, who cites it (see
// `erased`), stored results of citing decisions, which repeat the task's name.
// Constraints on Project(project_id), Task(project_id, name), CtxTombstone(id); index on
// Request(ctx_task_id), the library's requests by scan within the project.
//+ request
CALL {
  OPTIONAL MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
  RETURN q.ctx_deletions AS deletions
}
CALL {
  OPTIONAL MATCH (k:CtxTombstone {id: $p.tombstone_id})
  RETURN k.lives AS lives
}
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN t, {{task:t}} AS task
}
WITH *, $p.whole = true AS whole
//+ erased
CALL {
  WITH made
  UNWIND made AS d
  RETURN collect([d.id, d.status, d.review_state, d.ctx_version, d.choice_key, d.ctx_stance]) AS decisions
}
CALL {
  WITH cite_events
  UNWIND cite_events AS c
  WITH DISTINCT c[5] AS i
  MATCH (r:Request {ctx_task_id: i})
  //neo4j USING INDEX r:Request(ctx_task_id)
  RETURN collect([r.id, r.result_json]) AS ours
}
CALL {
  WITH cite_events
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > '' AND size(cite_events) > 0 AND r.ctx_digest IS NULL
  WITH r, any(c IN cite_events WHERE r.result_json CONTAINS c[3]) AS holds
  WHERE holds
  RETURN collect([r.id, r.result_json]) AS theirs
}
RETURN request, entry, deletions, lives, task, decisions, cites, ours + theirs AS requests
