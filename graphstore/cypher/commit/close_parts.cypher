// Closes the open version of documents whose text is replaced or removed.
// $p.close_parts: [[document id, closing time]]
CALL {
  UNWIND $p.close_parts AS c
  MATCH (d:Document {id: c[0]})
  WITH d, c MATCH (d)-[h:HAS_PART]->() WHERE h.invalid_at IS NULL AND h._pending_job_id IS NULL
  SET h.invalid_at = c[1]
  RETURN count(h) AS closed_parts
}
