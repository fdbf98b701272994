// Gather of reaffirm_decision. $p: request keys, {decision_id}, what `cited` needs. One row.
//+ request
//+ project
//+ judged
//+ cited
RETURN request, entry, project, task, decision, supports, documents, events, parents,
  cited_documents, cited_chunks
