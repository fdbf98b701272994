// Opens an earlier version again, whose chunks are still there.
// $p.open_parts: [[document id, version id, opening time]]
CALL {
  UNWIND $p.open_parts AS c
  MATCH (d:Document {id: c[0]})
  WITH d, c MATCH (d)-[h:HAS_PART]->() WHERE h.version_id = c[1]
  SET h.invalid_at = null, h.valid_at = c[2]
  RETURN count(h) AS opened_parts
}
