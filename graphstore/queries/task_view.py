"""The bounded view of one task."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from graphstore import rows
from graphstore.queries.decisions import steady
from graphstore.records import Decision, StepState, StepSummary
from graphstore.results import TaskLookup, TaskView
from graphstore.rows import Row
from graphstore.store import GraphStore

MAX_STEPS = 50
STATES = (
    StepState.IN_PROGRESS,
    StepState.FAILED,
    StepState.UNKNOWN,
    StepState.NOT_STARTED,
    StepState.COMPLETED,
)
"""What needs work comes first, as in the library's view."""


def get_task(
    store: GraphStore,
    project_id: str,
    task_name: str | None = None,
    *,
    task_id: UUID | str | None = None,
) -> TaskLookup:
    """The task of that name, or of that id: goal, steps, active decisions, those to review.

    At most 50 steps, open ones first, and 20 decisions of each kind, newest first.
    """
    p: dict[str, Any] = {
        "project_id": project_id,
        "name": task_name or "",
        "task_id": str(task_id) if task_id else "",
    }
    found = steady(lambda: store.read("get_task", p))
    if not found:
        return TaskLookup(found=False)
    _, after, task_row, steps, counts, decisions, number, to_review = found[0]
    task = rows.task(task_row)
    travelling = bool(after[0])
    summaries = [rows.step(s) for s in steps]
    by_state: dict[StepState, list[StepSummary]] = {state: [] for state in STATES}
    for summary in summaries:
        by_state[summary.state].append(summary)
    step_counts = dict.fromkeys(StepState, 0) | {StepState(state): count for state, count in counts}
    return TaskLookup(
        found=True,
        view=TaskView(
            task=task,
            task_name=task.name,
            goal=task.goal,
            status=task.status,
            last_event_seq=task.event_seq,
            steps=by_state,
            step_counts=step_counts,
            steps_truncated=sum(step_counts.values()) > len(summaries),
            decisions=_decisions(decisions, task.name, travelling=travelling),
            decision_count=number,
            decisions_truncated=number > len(decisions),
            review_decisions=_decisions(to_review, task.name, travelling=travelling),
        ),
    )


def _decisions(found: Sequence[Row], task_name: str, *, travelling: bool) -> list[Decision]:
    return [
        rows.decision(row, task_name, supports, travelling=travelling) for row, supports in found
    ]
