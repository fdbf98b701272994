// Decisions of a project whose conclusion or rationale has the words, best first.
// $p: {project_id, lucene, redisearch (the words for each index), when|null (whether flags must
// travel), what `browsed` needs}, limit.
// One row: the project's mark before and after, [score, decision, task name, task goal, supports].
// The index knows no project: Neo4j gives its matches by falling score, one at a time, until the
// limit behind the filters is met; FalkorDB filters and sorts them all. So nobody's matches
// push out another's.
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
WITH [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS before
//+ browsed_task
//neo4j WITH before, task_id, $p.lucene AS words
//falkordb WITH before, task_id, $p.redisearch AS words
WHERE words <> '' AND ($p.when IS NULL OR before[0] = $p.when)
//neo4j CALL db.index.fulltext.queryNodes('idx_8_Decision_10_conclusion_9_rationale_fulltext', words) YIELD node AS d, score
//falkordb CALL db.idx.fulltext.queryNodes('Decision', words) YIELD node AS d, score
WITH before, d, score, task_id
WHERE d.project_id = $p.project_id
//+ browsed
//falkordb WITH before, d, score ORDER BY score DESC, d.created_at DESC, d.id DESC
WITH before, d, score LIMIT $n
OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: d.task_id})
WITH before, d, score, t
OPTIONAL MATCH (d)-[:HAS_SUPPORT]->(s:DecisionSupport) WHERE s.current
WITH before, d, score, t, collect({{support:s}}) AS supports
WITH before, collect([score, {{decision:d}}, t.name, t.goal, supports]) AS listed
MATCH (q:Project {_agrag_history_record: true, project_id: $p.project_id})
RETURN before, [coalesce(q.review_incomplete, false), q.review_epoch, q.review_lock] AS after, listed
