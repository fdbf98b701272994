// Gather of delete_task. $p: request keys, {name, named, words, tombstone_id, whole}. One row:
// request, entry, deletions of the project so far, lives of the name, task, its decisions, who
// cites it (see `erased`), stored results and steps of other tasks that repeat the task's name;
// in steps it stands as `named`, in stored results as one of `words`.
// Constraints on Project(project_id), Task(project_id, name), CtxTombstone(id); index on
// Task(project_id, created_at). Stored results are found by scan within the project.
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
CALL {
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > ''
  WITH r, any(w IN $p.words WHERE r.result_json CONTAINS w) AS holds
  WHERE holds
  RETURN collect([r.id, r.result_json]) AS requests
}
RETURN request, entry, deletions, lives, task, decisions, cites, requests, steps
