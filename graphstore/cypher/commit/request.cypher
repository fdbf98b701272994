// Claims the request id with its stored result; `parts` leaves gaps for the event's id and number.
// $p.requests: [{props, parts}]
CALL {
  WITH last_seq, last_id
  UNWIND $p.requests AS c
  CREATE (n:Request)
  SET n = c.props, n.result_json = coalesce(
    c.parts[0] + last_id + c.parts[1] + toString(last_seq) + c.parts[2], c.props.result_json)
  RETURN count(n) AS requests
}
