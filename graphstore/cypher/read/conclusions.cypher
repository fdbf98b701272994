// Decisions as they are now, beside what was hashed of them. $p: {project_id, ids, task_ids}.
// One row: [id, conclusion, rationale] of those that are there, ids of tasks of which an entry says
// that they were deleted. Constraint on Decision(id), index on CtxTrace(task_id, us).
CALL {
  UNWIND $p.ids AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  RETURN collect([d.id, d.conclusion, d.rationale]) AS decisions
}
CALL {
  UNWIND $p.task_ids AS t
  CALL {
    WITH t
    MATCH (x:CtxTrace {task_id: t})
    //neo4j USING INDEX x:CtxTrace(task_id, us)
    WHERE x.us >= 0 AND x.action = 'delete_task' AND x.project_id = $p.project_id
    WITH x LIMIT 1
    RETURN count(x) AS deleted
  }
  WITH t, deleted WHERE deleted > 0
  RETURN collect(t) AS deleted_tasks
}
RETURN decisions, deleted_tasks
