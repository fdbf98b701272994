// Gather of delete_task. $p: request keys, {name, named, tombstone_id, whole}. One row: request,
// entry, deletions of the project so far, lives of the name, task, its decisions, who cites it
// (see `erased`), stored results of citing decisions and steps, steps of other tasks, which repeat
// the task's name; in steps it stands as `named`.
// Constraints on Project(project_id), Task(project_id, name), CtxTombstone(id); indexes on
// Request(ctx_task_id) and Task(project_id, created_at), the library's requests by scan within the project.
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
  WITH t
  MATCH (o:Task {project_id: t.project_id})
  //neo4j USING INDEX o:Task(project_id, created_at)
  WHERE o._agrag_history_record = true AND o.id <> t.id
  //neo4j AND o.created_at >= ''
  WITH o MATCH (o)-[:HAS_STEP]->(s:Step)
  WHERE s.result_supports CONTAINS $p.named
  RETURN collect({{step:s}}) AS steps
}
WITH *, [c IN cite_events | c[5]] + [s IN steps | s[6]] AS citing_tasks,
  [c IN cite_events | c[3]] + [s IN steps | s[5]] AS citing
CALL {
  WITH citing_tasks
  UNWIND citing_tasks AS i
  WITH DISTINCT i
  MATCH (r:Request {ctx_task_id: i})
  //neo4j USING INDEX r:Request(ctx_task_id)
  RETURN collect([r.id, r.result_json]) AS ours
}
CALL {
  WITH citing
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > '' AND size(citing) > 0 AND r.ctx_digest IS NULL
  WITH r, any(i IN citing WHERE r.result_json CONTAINS i) AS holds
  WHERE holds
  RETURN collect([r.id, r.result_json]) AS theirs
}
RETURN request, entry, deletions, lives, task, decisions, cites, ours + theirs AS requests, steps
