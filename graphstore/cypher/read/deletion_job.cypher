// A job of one project, with the task that it deletes. $p: {project_id, request_id, entry_id, job_id}.
// Rows: entry, job, task. Constraints on CtxJob(id) and Task(id); a hidden task carries false as its marker.
//+ request
MATCH (j:CtxJob {id: $p.job_id})
WHERE $p.project_id IN j.project_ids
WITH entry, j
OPTIONAL MATCH (t:Task {_agrag_history_record: false, id: j.task_id})
RETURN entry, {{job:j}} AS job, {{task:t}} AS task
