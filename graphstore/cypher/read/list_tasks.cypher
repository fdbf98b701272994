// A project's tasks, newest first. $p: {project_id, before, before_id}, limit.
// Index on Task(project_id, created_at): in order on Neo4j. On FalkorDB the cursor is compared in a
// WITH of its own, since its index takes no upper bound on a text and finds everything; on Neo4j
// an alias before the ORDER BY would make it read everything.
MATCH (t:Task {project_id: $p.project_id})
//neo4j USING INDEX t:Task(project_id, created_at)
WHERE t._agrag_history_record = true
//neo4j AND t.created_at <= $p.before AND (t.created_at < $p.before OR t.id < $p.before_id)
//falkordb WITH t, t.created_at AS at, t.id AS id
//falkordb WHERE at < $p.before OR (at = $p.before AND id < $p.before_id)
WITH t ORDER BY t.project_id DESC, t.created_at DESC, t.id DESC LIMIT $n
RETURN {{task:t}} AS task
