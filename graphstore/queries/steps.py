"""Reads of a task's steps."""

from graphstore import rows
from graphstore.operations.step_results import check_steps
from graphstore.queries.tasks import MAX_PAGE
from graphstore.records import StepState
from graphstore.results import StepPage
from graphstore.store import GraphStore


def list_steps(
    store: GraphStore,
    project_id: str,
    task_name: str,
    state: StepState | None = None,
    *,
    after_name: str | None = None,
    limit: int = 50,
) -> StepPage:
    """A task's steps of one state, or of all, by name after `after_name`, at most `limit` (1 to 200).

    Their results are checked with one more read.
    """
    size = max(1, min(limit, MAX_PAGE))
    p = {
        "project_id": project_id,
        "name": task_name,
        "after_name": after_name or "",
        "first": after_name is None,
        "state": state.value if state else "",
        "limit": size + 1,
    }
    found = store.read("list_steps", p)
    if not found:
        return StepPage(found=False)
    task, steps = rows.task(found[0][0]), [rows.step(row) for row in found[0][1]]
    more = len(steps) > size
    steps = check_steps(store, project_id, task, steps[:size])
    return StepPage(steps=steps, truncated=more, next_after_name=steps[-1].name if more else None)
