// Gather of delete_task. $p: request keys, {name, named, words, tombstone_id, whole, at_once}. One row:
// request, entry, lives of the name, task, what last cited it for a
// step, how much goes, whether that is too much for one commit; then, unless it is, its decisions, who
// cites it (see `erased`), stored results and steps of other tasks that repeat the task's name;
// in steps it stands as `named`, in stored results as one of `words`.
// Constraints on Task(project_id, name), CtxTombstone(id); indexes on
// Task(project_id, created_at), Decision(task_id, created_at), CtxVerdict(task_id, us),
// Request(ctx_task_id). Stored results are found by scan within the project.
//+ request
CALL {
  OPTIONAL MATCH (k:CtxTombstone {id: $p.tombstone_id})
  RETURN k.lives AS lives
}
CALL {
  OPTIONAL MATCH (a:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN a, {{task:a}} AS task, a.ctx_cited_by AS cited_by
}
//+ size_of_task
WITH *, coalesce(a.event_seq, 0) + sizes[0] + sizes[1] + sizes[4] > $p.at_once AS large
CALL {
  OPTIONAL MATCH (b:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
  RETURN b
}
WITH *, CASE WHEN large THEN null ELSE b END AS t, $p.whole = true AS whole
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
  WITH t
  MATCH (r:Request {_agrag_history_record: true, project_id: t.project_id})
  WHERE r.request_id > ''
  WITH r, any(w IN $p.words WHERE r.result_json CONTAINS w) AS holds
  WHERE holds
  RETURN collect([r.id, r.result_json]) AS requests
}
RETURN request, entry, lives, task, cited_by, sizes, large, decisions, cites, requests, steps
