// Remembers which documents a project came to cite, so that listing them costs the page.
// $p.scopes: [{id, props}], sorted by id. A grant that is there is left as it is.
CALL {
  UNWIND $p.scopes AS c
  MERGE (n:CtxScope {id: c.id}) ON CREATE SET n += c.props
  RETURN count(n) AS scopes
}
