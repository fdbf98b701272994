// What a deletion takes now is cited by exactly the supports that were seen, and a task that is
// to go has nothing attached. $p.erased_part: [{task_id, low, high, decisions, steps, ids, count, close}].
// Indexes on Event(task_id, seq), DecisionSupport(event_id), constraint on Decision(id).
CALL {
  UNWIND $p.erased_part AS g
  CALL {
    WITH g
    MATCH (e:Event {_agrag_history_record: true, task_id: g.task_id})
    WHERE e.seq > g.low AND e.seq <= g.high
    WITH e MATCH (s:DecisionSupport {event_id: e.id})
    //neo4j USING INDEX s:DecisionSupport(event_id)
    WHERE s.ctx_gone_at IS NULL
    RETURN collect(s.id) AS of_events
  }
  CALL {
    WITH g
    UNWIND g.decisions AS i
    MATCH (m:Decision {_agrag_history_record: true, id: i})
    WITH g, m MATCH (m)<-[:DEPENDS_ON]-(d:Decision)
    WHERE d.task_id <> g.task_id
    WITH DISTINCT m, d MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport)
    WHERE s.target_decision_id = m.id AND s.ctx_gone_at IS NULL
    RETURN collect(s.id) AS of_decisions
  }
  CALL {
    WITH g
    MATCH (t:Task {_agrag_history_record: false, id: g.task_id})
    WHERE g.close
    WITH t MATCH (t)-[:HAS_EVENT|HAS_STEP]->(x)
    RETURN count(x) AS attached
  }
  WITH g, of_events + of_decisions AS cited, attached
  WITH g, size(cited) = g.count AND all(i IN cited WHERE i IN g.ids) AND attached = 0 AS ok
  WHERE ok
  RETURN count(g) AS part_held
}
WITH part_held WHERE part_held = size($p.erased_part)
