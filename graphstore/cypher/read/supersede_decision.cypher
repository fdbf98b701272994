// Gather of supersede_decision. $p: request keys, {decision_id}, what `cited` needs. One row.
//+ request
//+ project
//+ judged
CALL {
  WITH d
  OPTIONAL MATCH (v:Decision {_agrag_history_record: true, task_id: d.task_id, choice_key: d.choice_key})
  WHERE v.revision > 0
  WITH v WHERE v IS NOT NULL
  RETURN collect([v.id, v.revision, v.status, v.conclusion]) AS revisions
}
//+ cited
//+ direct_dependents
WITH *, CASE WHEN d IS NULL THEN [] ELSE [d] END AS roots
//+ closure
RETURN request, entry, project, task, revisions,
  cited_documents, cited_chunks, cited_events, cited_decisions,
  decision, supports, documents, events, parents, direct_dependents, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
