// Which of these entries are in the graph. $p: {project_id, ids}. Rows: id.
// Constraint on CtxTrace(id).
UNWIND $p.ids AS i
MATCH (x:CtxTrace {id: i})
WHERE x.project_id = $p.project_id
RETURN x.id AS id
