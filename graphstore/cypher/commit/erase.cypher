// Takes tasks away with their events and steps; with `whole` also their decisions, the supports
// and the verdicts on them. Their requests stay, emptied: ours by the task's id, the library's by
// scan. Choices that nobody stands on go, so that their key is nowhere. It stands last, since
// module 41603 cannot be trusted to undo a deletion.
// $p.erased: [{task_id, project_id, whole, made, ids, count, emptied}], $p.erased_choices: [id].
// Indexes on Request(ctx_task_id), CtxVerdict(task_id, us), Decision(task_id, created_at).
CALL {
  UNWIND $p.erased AS g
  MATCH (r:Request {ctx_task_id: g.task_id})
  //neo4j USING INDEX r:Request(ctx_task_id)
  WHERE r.operation <> 'delete_task'
  SET r.result_json = g.emptied
  RETURN count(r) AS emptied_ours
}
CALL {
  UNWIND $p.erased AS g
  MATCH (r:Request {_agrag_history_record: true, project_id: g.project_id})
  WHERE r.request_id > '' AND r.ctx_digest IS NULL AND r.result_json CONTAINS g.task_id
  SET r.result_json = g.emptied
  RETURN count(r) AS emptied_theirs
}
CALL {
  UNWIND $p.erased AS g
  UNWIND CASE WHEN g.whole THEN [g.task_id] ELSE [] END AS i
  MATCH (v:CtxVerdict {task_id: i})
  //neo4j USING INDEX v:CtxVerdict(task_id, us)
  WHERE v.us >= 0
  DETACH DELETE v
  RETURN count(*) AS erased_verdicts
}
CALL {
  UNWIND $p.erased AS g
  UNWIND CASE WHEN g.whole THEN [g.task_id] ELSE [] END AS i
  MATCH (d:Decision {task_id: i})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  DETACH DELETE s
  RETURN count(*) AS erased_supports
}
CALL {
  UNWIND $p.erased AS g
  UNWIND CASE WHEN g.whole THEN [g.task_id] ELSE [] END AS i
  MATCH (d:Decision {task_id: i})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  DETACH DELETE d
  RETURN count(*) AS erased_decisions
}
CALL {
  UNWIND $p.erased AS g
  MATCH (t:Task {_agrag_history_record: true, id: g.task_id})
  WITH t MATCH (t)-[:HAS_EVENT|HAS_STEP]->(x)
  DETACH DELETE x
  RETURN count(*) AS erased_log
}
CALL {
  UNWIND $p.erased AS g
  MATCH (t:Task {_agrag_history_record: true, id: g.task_id})
  DETACH DELETE t
  RETURN count(*) AS erased_tasks
}
CALL {
  UNWIND $p.erased_choices AS i
  MATCH (n:CtxChoice {id: i})
  <lock>
  WITH n WHERE n.stances <= 0
  DELETE n
  RETURN count(*) AS erased_choices
}
