// From rows `v` to rows `verdict, conclusion, task_name`, newest first.
OPTIONAL MATCH (d:Decision {_agrag_history_record: true, id: v.decision_id})
WITH v, d OPTIONAL MATCH (t:Task {_agrag_history_record: true, id: v.task_id})
WITH v.us AS us, {{verdict:v}} AS verdict, d.conclusion AS conclusion, t.name AS task_name
ORDER BY us DESC
