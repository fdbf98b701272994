// The filters of a browse, after a WHERE over `d` and `task_id`; '' wants any. Neo4j would make
// index unions of ORs, and lose the index's order. $p: {status, state, author, choice_key, task_name}.
AND CASE $p.status WHEN '' THEN true ELSE d.status = $p.status END
AND CASE $p.state WHEN '' THEN true ELSE d.review_state = $p.state END
AND CASE $p.author WHEN '' THEN true ELSE d.author = $p.author END
AND CASE $p.choice_key WHEN '' THEN true ELSE d.choice_key = $p.choice_key END
AND CASE $p.task_name WHEN '' THEN true ELSE d.task_id = task_id END AND d._agrag_history_record = true
