// Takes from a hidden task what one commit of its deletion takes; with `close` the task, too.
// Only what hangs below that very node: the reference library may have made a new one of its id.
// $p.erased_part: [{task_id, low, high, decisions, choices, steps, close}].
// Indexes on Event(task_id, seq), CtxVerdict(decision_id), constraints on Decision(id), Step(id).
CALL {
  UNWIND $p.erased_part AS g
  MATCH (e:Event {_agrag_history_record: true, task_id: g.task_id})
  WHERE e.seq > g.low AND e.seq <= g.high
  WITH e MATCH (e)<-[:HAS_EVENT]-(t:Task)
  WHERE t._agrag_history_record = false
  DETACH DELETE e
  RETURN count(*) AS part_events
}
CALL {
  UNWIND $p.erased_part AS g
  UNWIND g.decisions AS i
  MATCH (v:CtxVerdict {decision_id: i})
  //neo4j USING INDEX v:CtxVerdict(decision_id)
  DETACH DELETE v
  RETURN count(*) AS part_verdicts
}
CALL {
  UNWIND $p.erased_part AS g
  UNWIND g.decisions AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  WITH d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
  DETACH DELETE s
  RETURN count(*) AS part_supports
}
CALL {
  UNWIND $p.erased_part AS g
  UNWIND g.decisions AS i
  MATCH (d:Decision {_agrag_history_record: true, id: i})
  DETACH DELETE d
  RETURN count(*) AS part_decisions
}
CALL {
  UNWIND $p.erased_part AS g
  UNWIND g.steps AS i
  MATCH (s:Step {_agrag_history_record: true, id: i})
  DETACH DELETE s
  RETURN count(*) AS part_steps
}
CALL {
  UNWIND $p.erased_part AS g
  UNWIND g.choices AS i
  MATCH (n:CtxChoice {id: i})
  <lock>
  WITH n WHERE n.stances <= 0
  DELETE n
  RETURN count(*) AS part_choices
}
CALL {
  UNWIND $p.erased_part AS g
  MATCH (t:Task {_agrag_history_record: false, id: g.task_id})
  WHERE g.close
  DETACH DELETE t
  RETURN count(*) AS part_tasks
}
