// How many choices have more than one conclusion. $p: {project_id}, limit. One row.
// Index on CtxChoice(project_id, stances, choice_key).
MATCH (c:CtxChoice {project_id: $p.project_id})
//neo4j USING INDEX c:CtxChoice(project_id, stances, choice_key)
WHERE c.stances > 1
//neo4j AND c.choice_key >= ''
WITH c LIMIT $n
RETURN count(c) AS number
