// Documents by id, for a queue that knows only what caused its flags. $p: {project_id, ids}.
// Rows: document, whether the project may read it.
UNWIND $p.ids AS i
MATCH (doc:Document {id: i})
//+ in_scope
RETURN {{document:doc}} AS document, in_scope
