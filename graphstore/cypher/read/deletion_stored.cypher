// The next stored results that repeat the id or the name of a task that a job deletes. $p: {project_id,
// task_id, words, after}, limit. One row: [[id, result, whether the library stored it for the task]] by
// id, no citers. By scan within the project, since the library's carry no task id.
CALL {
  MATCH (r:Request {_agrag_history_record: true, project_id: $p.project_id})
  WHERE r.request_id > ''
  WITH r, r.ctx_digest IS NULL AND r.result_json CONTAINS $p.task_id AS theirs,
    any(w IN $p.words WHERE r.result_json CONTAINS w) AS holds
  WHERE (theirs OR holds) AND r.id > $p.after AND r.operation <> 'delete_task'
  WITH r, theirs ORDER BY r.id LIMIT $n
  RETURN collect([r.id, r.result_json, theirs]) AS requests
}
RETURN requests, [] AS cites
