// Gather of reject_decision. $p: request keys, {decision_id}. One row.
//+ request
//+ project
//+ judged
//+ direct_dependents
WITH *, CASE WHEN d IS NULL THEN [] ELSE [d] END AS roots
//+ closure
RETURN request, entry, project, task, decision, supports, documents, events, parents,
  direct_dependents, [r1, r2, r3, r4, r5, r6, r7, r8] AS closure
