// Documents that the project may have come to cite, by key. $p: {project_id, after}, limit.
// Rows: document, in scope. Index on CtxScope(project_id, document_key) for the order and the
// bound; whether each is still in scope is looked up. FalkorDB's index leaves out texts outside
// ASCII when it is asked for a range, so there the project's keys are compared one by one.
MATCH (k:CtxScope {project_id: $p.project_id})
//neo4j USING INDEX k:CtxScope(project_id, document_key)
//neo4j WHERE k.document_key > $p.after
//falkordb WITH k, k.document_key AS key WHERE key > $p.after
WITH k ORDER BY k.project_id, k.document_key LIMIT $n
MATCH (doc:Document {id: k.document_id})
//+ in_scope
WITH doc, in_scope ORDER BY doc.document_key
RETURN {{document:doc}} AS document, in_scope
