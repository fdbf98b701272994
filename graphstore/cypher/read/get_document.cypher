// One document with its current text. $p: {document_id}. One row: document, chunks.
MATCH (doc:Document {id: $p.document_id})
OPTIONAL MATCH (doc)-[h:HAS_PART]->(c:Chunk) WHERE h.invalid_at IS NULL
RETURN {{document:doc}} AS document, collect({{chunk:c}}) AS chunks
