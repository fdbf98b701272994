// Every project of the graph. $p: {}, limit. Rows: project id, mark.
MATCH (q:Project {_agrag_history_record: true})
WHERE q.project_id > ''
WITH q ORDER BY q.project_id LIMIT $n
RETURN q.project_id, coalesce(q.review_incomplete, false)
