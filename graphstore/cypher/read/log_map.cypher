// A task's log from far away. $p: {project_id, name, numbers}, limit.
// Rows: [number, time, author] of the events with those numbers, times of
// decisions, microseconds of verdicts, at most $n of each, oldest first on Neo4j.
// Constraint on Event(task_id, seq), indexes on Decision(task_id, created_at), CtxVerdict(task_id, us).
MATCH (t:Task {_agrag_history_record: true, project_id: $p.project_id, name: $p.name})
CALL {
  WITH t
  UNWIND $p.numbers AS number
  MATCH (e:Event {_agrag_history_record: true, task_id: t.id, seq: number})
  RETURN collect([e.seq, e.at, e.author]) AS sampled
}
CALL {
  WITH t
  MATCH (d:Decision {task_id: t.id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  WITH d LIMIT $n
  RETURN collect(d.created_at) AS decided
}
CALL {
  WITH t
  MATCH (v:CtxVerdict {task_id: t.id})
  //neo4j USING INDEX v:CtxVerdict(task_id, us)
  WHERE v.us >= 0
  WITH v LIMIT $n
  RETURN collect(v.us) AS judged
}
RETURN sampled, decided, judged
