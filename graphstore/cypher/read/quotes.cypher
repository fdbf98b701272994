// Where a project repeats one of some passages. $p: {project_id, probes, apart_from, stay, scanned}, limit.
// One row of four lists, decisions, verdicts, events and documents: each [[ref, label, seq, text]] and
// how many were looked through. By scan within the project, at most `scanned` of each kind.
// Indexes on Decision(project_id, choice_key), CtxVerdict(project_id, us), Task(project_id, created_at),
// CtxScope(project_id, document_key), Chunk(document_id, content_hash).
CALL {
  MATCH (d:Decision {project_id: $p.project_id})
  //neo4j USING INDEX d:Decision(project_id, choice_key)
  WHERE d._agrag_history_record = true
  //neo4j AND d.choice_key >= ''
  WITH d LIMIT 100000
  WITH d, d.conclusion + '\n' + d.rationale + reduce(x = '', a IN coalesce(d.assumptions, []) | x + '\n' + a)
    + reduce(x = '', a IN coalesce(d.open_questions, []) | x + '\n' + a)
    + '\n' + coalesce(d.rejection_reason, '') + '\n' + coalesce(d.supersession_explanation, '')
    + '\n' + coalesce(d.ctx_review_explanation, '') AS text
  WITH d, text, any(w IN $p.probes WHERE text CONTAINS w) AND (d.task_id <> $p.apart_from OR $p.stay = true) AS holds
  WITH count(d) AS seen, collect(CASE WHEN holds THEN [d.id, d.choice_key, d.revision, text] END) AS found
  RETURN [found[0..21], seen] AS decisions
}
CALL {
  MATCH (v:CtxVerdict {project_id: $p.project_id})
  //neo4j USING INDEX v:CtxVerdict(project_id, us)
  WHERE v.us >= 0
  WITH v LIMIT 100000
  WITH v, coalesce(v.why, '') AS text
  WITH v, text, any(w IN $p.probes WHERE text CONTAINS w) AND (v.task_id <> $p.apart_from OR $p.stay = true) AS holds
  WITH count(v) AS seen, collect(CASE WHEN holds THEN [v.id, v.choice_key, v.revision, text] END) AS found
  RETURN [found[0..21], seen] AS verdicts
}
CALL {
  MATCH (t:Task {project_id: $p.project_id})
  //neo4j USING INDEX t:Task(project_id, created_at)
  WHERE t._agrag_history_record = true AND t.id <> $p.apart_from
  //neo4j AND t.created_at >= ''
  WITH t MATCH (t)-[:HAS_EVENT]->(e:Event)
  WITH t, e LIMIT 100000
  WITH t, e, any(w IN $p.probes WHERE e.payload CONTAINS w) AND e.id <> $p.apart_from AS holds
  WITH count(e) AS seen, collect(CASE WHEN holds THEN [e.id, t.name, e.seq, e.payload] END) AS found
  RETURN [found[0..21], seen] AS events
}
CALL {
  MATCH (g:CtxScope {project_id: $p.project_id})
  //neo4j USING INDEX g:CtxScope(project_id, document_key)
  //neo4j WHERE g.document_key >= ''
  WITH g MATCH (c:Chunk {document_id: g.document_id})
  //neo4j USING INDEX c:Chunk(document_id, content_hash)
  //neo4j WHERE c.content_hash >= ''
  WITH g, c LIMIT 100000
  WITH g, c, any(w IN $p.probes WHERE c.text CONTAINS w) AS holds
  WITH count(c) AS seen, collect(CASE WHEN holds THEN [c.document_id, g.document_key, null, c.text] END) AS found
  RETURN [found[0..21], seen] AS documents
}
RETURN decisions, verdicts, events, documents
