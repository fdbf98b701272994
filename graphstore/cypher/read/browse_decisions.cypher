// A project's decisions, newest first, by the narrowest of four indexes: one of the lists `choices`,
// `tasks` and `authors` has an entry, or `statuses` and `states` name all that are wanted.
// $p: {project_id, when|null (whether flags must travel), choices, tasks, authors, statuses, states,
// what `browsed` needs, before, before_id, windows}, limit.
// One row: the project's mark before and after, count, [decision, task name, supports].
// Indexes: Decision(project_id, choice_key), Decision(task_id, created_at),
// Decision(project_id, author, created_at), Decision(project_id, status, review_state, created_at).
// Neo4j goes on in the index from the cursor, unless a choice is asked for, and stops at the limit;
// an alias of `created_at` before the ORDER BY would make it read everything, and so would an
// UNWIND without a CALL around the MATCH. FalkorDB sorts what the equalities select, or, where
// that is more than 1,000, goes from window to window of time as list_decisions_for_review does.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
WITH before WHERE $p.when IS NULL OR before[0] = $p.when
//+ browsed_task
CALL {
  WITH task_id
  UNWIND $p.choices AS key
  CALL {
    WITH task_id, key
    MATCH (d:Decision {project_id: $p.project_id, choice_key: key})
    //neo4j USING INDEX d:Decision(project_id, choice_key)
    WHERE d._agrag_history_record = true
    //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
    //falkordb WITH d, task_id, d.created_at AS at, d.id AS id
    //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
//+ browsed
    WITH d ORDER BY d.created_at DESC, d.id DESC LIMIT $n
    RETURN d
  }
  RETURN collect(d) AS of_choice
}
CALL {
  WITH task_id
  UNWIND $p.tasks AS task
  CALL {
    WITH task_id, task
    MATCH (d:Decision {task_id: task_id})
    //neo4j USING INDEX d:Decision(task_id, created_at)
    WHERE d._agrag_history_record = true
    //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
    //falkordb WITH d, task_id, d.created_at AS at, d.id AS id
    //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
//+ browsed
    WITH d ORDER BY d.task_id DESC, d.created_at DESC, d.id DESC LIMIT $n
    RETURN d
  }
  RETURN collect(d) AS of_task
}
CALL {
  WITH task_id
  UNWIND $p.authors AS author
  //falkordb CALL {
  //falkordb WITH author
  //falkordb MATCH (d:Decision {project_id: $p.project_id, author: author})
  //falkordb WITH d LIMIT 1001
  //falkordb RETURN count(d) AS many
  //falkordb }
  CALL {
    //neo4j WITH task_id, author
    //falkordb WITH task_id, author, many
    //falkordb WITH task_id, author, many WHERE many <= 1000
    //falkordb WITH task_id, author
    MATCH (d:Decision {project_id: $p.project_id, author: author})
    //neo4j USING INDEX d:Decision(project_id, author, created_at)
    WHERE d._agrag_history_record = true
    //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
    //falkordb WITH d, task_id, d.created_at AS at, d.id AS id
    //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
//+ browsed
    WITH d ORDER BY d.project_id DESC, d.author DESC, d.created_at DESC, d.id DESC LIMIT $n
    RETURN d
    //falkordb UNION ALL
    //falkordb WITH task_id, author, many
    //falkordb UNWIND CASE WHEN many > 1000 THEN $p.windows ELSE [] END AS w
    //falkordb CALL {
    //falkordb WITH task_id, author, w
    //falkordb MATCH (d:Decision {project_id: $p.project_id, author: author})
    //falkordb WHERE d.created_at >= w[0]
    //falkordb WITH d, task_id, w, d.created_at AS at, d.id AS id
    //falkordb WHERE at < w[1] AND (at < $p.before OR (at = $p.before AND id < $p.before_id))
//falkordb //+ browsed
    //falkordb WITH d ORDER BY d.created_at DESC, d.id DESC LIMIT $n
    //falkordb RETURN d
    //falkordb }
    //falkordb WITH d LIMIT $n
    //falkordb RETURN d
  }
  RETURN collect(d) AS of_author
}
CALL {
  WITH task_id
  UNWIND $p.statuses AS status
  UNWIND $p.states AS state
  //falkordb CALL {
  //falkordb WITH status, state
  //falkordb MATCH (d:Decision {project_id: $p.project_id, status: status, review_state: state})
  //falkordb WITH d LIMIT 1001
  //falkordb RETURN count(d) AS many
  //falkordb }
  CALL {
    //neo4j WITH task_id, status, state
    //falkordb WITH task_id, status, state, many
    //falkordb WITH task_id, status, state, many WHERE many <= 1000
    //falkordb WITH task_id, status, state
    MATCH (d:Decision {project_id: $p.project_id, status: status, review_state: state})
    //neo4j USING INDEX d:Decision(project_id, status, review_state, created_at)
    WHERE d._agrag_history_record = true
    //neo4j AND d.created_at <= $p.before AND (d.created_at < $p.before OR d.id < $p.before_id)
    //falkordb WITH d, task_id, d.created_at AS at, d.id AS id
    //falkordb WHERE (at < $p.before OR (at = $p.before AND id < $p.before_id))
//+ browsed
    WITH d ORDER BY d.project_id DESC, d.status DESC, d.review_state DESC, d.created_at DESC, d.id DESC LIMIT $n
    RETURN d
    //falkordb UNION ALL
    //falkordb WITH task_id, status, state, many
    //falkordb UNWIND CASE WHEN many > 1000 THEN $p.windows ELSE [] END AS w
    //falkordb CALL {
    //falkordb WITH task_id, status, state, w
    //falkordb MATCH (d:Decision {project_id: $p.project_id, status: status, review_state: state})
    //falkordb WHERE d.created_at >= w[0]
    //falkordb WITH d, task_id, w, d.created_at AS at, d.id AS id
    //falkordb WHERE at < w[1] AND (at < $p.before OR (at = $p.before AND id < $p.before_id))
//falkordb //+ browsed
    //falkordb WITH d ORDER BY d.created_at DESC, d.id DESC LIMIT $n
    //falkordb RETURN d
    //falkordb }
    //falkordb WITH d LIMIT $n
    //falkordb RETURN d
  }
  WITH d ORDER BY d.created_at DESC, d.id DESC LIMIT $n
  RETURN collect(d) AS of_state
}
CALL {
  WITH of_choice, of_task, of_author, of_state
  UNWIND of_choice + of_task + of_author + of_state AS d
  OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
  WITH d, t
  OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
  WITH d, t, collect({{support:s}}) AS supports
  RETURN collect([{{decision:d}}, t.name, supports]) AS listed
}
CALL {
  WITH task_id
  UNWIND $p.choices AS key
  WITH task_id, key
  MATCH (d:Decision {project_id: $p.project_id, choice_key: key})
  //neo4j USING INDEX d:Decision(project_id, choice_key)
  WHERE d._agrag_history_record = true
  //falkordb WITH d, task_id WHERE true
//+ browsed
  WITH d LIMIT 1001
  RETURN count(d) AS number_of_choice
}
CALL {
  WITH task_id
  UNWIND $p.tasks AS task
  WITH task_id, task
  MATCH (d:Decision {task_id: task_id})
  //neo4j USING INDEX d:Decision(task_id, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  //falkordb WITH d, task_id WHERE true
//+ browsed
  WITH d LIMIT 1001
  RETURN count(d) AS number_of_task
}
CALL {
  WITH task_id
  UNWIND $p.authors AS author
  WITH task_id, author
  MATCH (d:Decision {project_id: $p.project_id, author: author})
  //neo4j USING INDEX d:Decision(project_id, author, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  //falkordb WITH d, task_id WHERE true
//+ browsed
  WITH d LIMIT 1001
  RETURN count(d) AS number_of_author
}
CALL {
  WITH task_id
  UNWIND $p.statuses AS status
  UNWIND $p.states AS state
  WITH task_id, status, state
  MATCH (d:Decision {project_id: $p.project_id, status: status, review_state: state})
  //neo4j USING INDEX d:Decision(project_id, status, review_state, created_at)
  WHERE d._agrag_history_record = true
  //neo4j AND d.created_at >= ''
  //falkordb WITH d, task_id WHERE true
//+ browsed
  WITH d LIMIT 1001
  RETURN count(d) AS number_of_state
}
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after,
  number_of_choice + number_of_task + number_of_author + number_of_state AS number, listed
