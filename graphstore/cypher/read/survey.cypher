// What a sweep looks at once for the whole graph: what changed in sources, and the next few records of
// each kind in turn, since some damage leaves no date. $p: {recent, Task, Decision, Request, CtxChoice
// (the last id looked at)}, $from_… (the same as FalkorDB counts nodes), limit (records of a kind).
// One row: clear decisions on sources that changed as [project, id]; redacted events whose copies
// nobody has looked for; damaged tasks, decisions, requests and choices, each as [project, id]; where
// to go on in each kind.
// Indexes: DocumentActivation(activated_at), Event(redacted_at), DecisionSupport(document_node_id) and
// (event_id), Decision(project_id, choice_key), CtxStance(choice_id).
CALL {
  MATCH (a:DocumentActivation)
  //neo4j USING INDEX a:DocumentActivation(activated_at)
  WHERE a.activated_at >= $p.recent
  WITH a MATCH (a)<-[:HAS_ACTIVATION]-(doc:Document)
  WITH DISTINCT doc
  MATCH (s:DecisionSupport {document_node_id: doc.id})
  //neo4j USING INDEX s:DecisionSupport(document_node_id)
  WHERE s.current
  WITH doc, s
  WHERE doc.current_content_hash IS NULL OR doc.activation_seq <> s.recorded_activation_seq
  WITH s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  WHERE d.status = 'active' AND d.review_state = 'clear'
  RETURN collect(DISTINCT [d.project_id, d.id]) AS outdated
}
CALL {
  MATCH (e:Event)
  //neo4j USING INDEX e:Event(redacted_at)
  WHERE e.redacted_at >= $p.recent
  WITH e MATCH (s:DecisionSupport {event_id: e.id})
  //neo4j USING INDEX s:DecisionSupport(event_id)
  WHERE s.current
  WITH s MATCH (d:Decision)-[:HAS_SUPPORT]->(s)
  WHERE d.status = 'active' AND d.review_state = 'clear'
  RETURN collect(DISTINCT [d.project_id, d.id]) AS lost
}
CALL {
  MATCH (e:Event)
  //neo4j USING INDEX e:Event(redacted_at)
  WHERE e.redacted_at >= $p.recent
  WITH e WHERE e.ctx_emptied IS NULL
  MATCH (t:Task {_agrag_history_record: true, id: e.task_id})
  RETURN collect([t.project_id, e.id]) AS redacted
}
CALL {
  MATCH (t:Task)
  //neo4j USING INDEX t:Task(_agrag_history_record, id)
  //neo4j WHERE t._agrag_history_record = true AND t.id > $p.Task
  //neo4j WITH t ORDER BY t._agrag_history_record, t.id LIMIT $n
  //falkordb WHERE id(t) >= $from_Task
  //falkordb WITH t LIMIT $n
  WITH collect(t) AS some
  CALL {
    WITH some
    UNWIND some AS t
    WITH t WHERE t._agrag_history_record = true
//+ log_damage
    RETURN collect(CASE WHEN damaged THEN [t.project_id, t.id] END) AS found
  }
  //neo4j RETURN found AS tasks, CASE WHEN size(some) < $n THEN '' ELSE some[-1].id END AS after_task
  //falkordb RETURN found AS tasks, CASE WHEN size(some) < $n THEN 0 ELSE id(some[$n - 1]) + 1 END AS after_task
}
CALL {
  MATCH (d:Decision)
  //neo4j USING INDEX d:Decision(_agrag_history_record, id)
  //neo4j WHERE d._agrag_history_record = true AND d.id > $p.Decision
  //neo4j WITH d ORDER BY d._agrag_history_record, d.id LIMIT $n
  //falkordb WHERE id(d) >= $from_Decision
  //falkordb WITH d LIMIT $n
  WITH collect(d) AS some
  CALL {
    WITH some
    UNWIND some AS d
    WITH d WHERE d._agrag_history_record = true
//+ damage
    RETURN collect(CASE WHEN damaged THEN [d.project_id, d.id] END) AS found
  }
  //neo4j RETURN found AS decisions, CASE WHEN size(some) < $n THEN '' ELSE some[-1].id END AS after_decision
  //falkordb RETURN found AS decisions, CASE WHEN size(some) < $n THEN 0 ELSE id(some[$n - 1]) + 1 END AS after_decision
}
CALL {
  MATCH (r:Request)
  //neo4j USING INDEX r:Request(_agrag_history_record, id)
  //neo4j WHERE r._agrag_history_record = true AND r.id > $p.Request
  //neo4j WITH r ORDER BY r._agrag_history_record, r.id LIMIT $n
  //falkordb WHERE id(r) >= $from_Request
  //falkordb WITH r LIMIT $n
  WITH collect(r) AS some
  CALL {
    WITH some
    UNWIND some AS r
    WITH r, CASE WHEN r.operation = 'create_task' THEN '"task":{"id":"' ELSE '"task_id":"' END AS word
    WITH r, coalesce(r.ctx_task_id, left(split(r.result_json, word)[1], 36)) AS task_id
    WHERE task_id IS NOT NULL AND r._agrag_history_record = true AND r.operation <> 'delete_task'
      AND (r.result_json STARTS WITH '{"recorded":true' OR r.result_json STARTS WITH '{"recorded": true')
    OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: task_id})
    WITH r, t, task_id
    OPTIONAL MATCH (h:Task {_agrag_history_record: false, id: task_id})
    WITH r, t, h, task_id
    RETURN collect(DISTINCT CASE WHEN t IS NULL AND h IS NULL THEN [r.project_id, task_id] END) AS found
  }
  //neo4j RETURN found AS requests, CASE WHEN size(some) < $n THEN '' ELSE some[-1].id END AS after_request
  //falkordb RETURN found AS requests, CASE WHEN size(some) < $n THEN 0 ELSE id(some[$n - 1]) + 1 END AS after_request
}
CALL {
  MATCH (c:CtxChoice)
  //neo4j USING INDEX c:CtxChoice(id)
  //neo4j WHERE c.id > $p.CtxChoice
  //neo4j WITH c ORDER BY c.id LIMIT $n
  //falkordb WHERE id(c) >= $from_CtxChoice
  //falkordb WITH c LIMIT $n
  WITH collect(c) AS some
  CALL {
    WITH some
    UNWIND some AS c
    OPTIONAL MATCH (d:Decision {project_id: c.project_id, choice_key: c.choice_key})
    //neo4j USING INDEX d:Decision(project_id, choice_key)
    WHERE d.status = 'active' AND d.ctx_stance IS NOT NULL
    WITH c, count(DISTINCT d.ctx_stance) AS sides, count(d) AS decided
    OPTIONAL MATCH (s:CtxStance {choice_id: c.id})
    //neo4j USING INDEX s:CtxStance(choice_id)
    WITH c, sides, decided, coalesce(sum(s.active), 0) AS counted
    RETURN collect(CASE WHEN c.stances <> sides OR counted <> decided THEN [c.project_id, c.id] END) AS found
  }
  //neo4j RETURN found AS choices, CASE WHEN size(some) < $n THEN '' ELSE some[-1].id END AS after_choice
  //falkordb RETURN found AS choices, CASE WHEN size(some) < $n THEN 0 ELSE id(some[$n - 1]) + 1 END AS after_choice
}
RETURN outdated + lost, redacted, tasks, decisions, requests, choices,
  [after_task, after_decision, after_request, after_choice] AS places
