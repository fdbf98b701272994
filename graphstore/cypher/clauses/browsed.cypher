// The filters of a browse, after a WHERE over `d` and `task_id`; '' wants any.
// $p: {status, state, author, choice_key, task_name}.
AND ($p.status = '' OR d.status = $p.status) AND ($p.state = '' OR d.review_state = $p.state)
AND ($p.author = '' OR d.author = $p.author) AND ($p.choice_key = '' OR d.choice_key = $p.choice_key)
AND ($p.task_name = '' OR d.task_id = task_id) AND d._agrag_history_record = true
