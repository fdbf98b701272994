// Gather of record_decision. $p: request keys, {task_name, choice_key}, what `cited` needs.
// One row. Constraints on Task(project_id, name) and Decision(task_id, choice_key, revision).
//+ request
//+ project
CALL {
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.task_name})
  RETURN t, {{task:t}} AS task
}
CALL {
  WITH t
  MATCH (d:Decision {_agrag_history_record: true, task_id: t.id, choice_key: $p.choice_key})
  WHERE d.revision > 0
  RETURN collect([d.id, d.revision, d.status, d.conclusion]) AS revisions
}
//+ cited
RETURN request, entry, project, task, revisions,
  cited_documents, cited_chunks, cited_events, cited_decisions
