// One document with its current text. $p: {project_id, document_id}.
// One row: document, chunks, in scope, granted.
MATCH (doc:Document {id: $p.document_id})
//+ in_scope
WITH doc, in_scope, granted
OPTIONAL MATCH (doc)-[h:HAS_PART]->(c:Chunk) WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
RETURN {{document:doc}} AS document, collect({{chunk:c}}) AS chunks, in_scope, granted
