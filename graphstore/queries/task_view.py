"""The bounded view of one task."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from graphstore import rows
from graphstore.operations.record_decision import normalised
from graphstore.operations.step_results import check_steps
from graphstore.records import Decision, DecisionStatus, StepState, StepSummary
from graphstore.results import ConflictGroup, TaskLookup, TaskView
from graphstore.rows import Row
from graphstore.store import GraphStore, steady

MAX_CONFLICTS = 10
MAX_CONFLICTING = 10
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
    """The task of that name, or of that id: goal, steps, active decisions, those to review, conflicts.

    At most 50 steps, open ones first, 20 decisions of each kind, newest first, and 10
    choices on which other tasks decided otherwise, each with 10 decisions. One read, and a
    second when there are results to check.
    """
    p: dict[str, Any] = {
        "project_id": project_id,
        "name": task_name or "",
        "task_id": str(task_id) if task_id else "",
    }
    found = steady(lambda: store.read("get_task", p))
    if not found:
        return TaskLookup(found=False)
    _, after, task_row, steps, counts, decisions, numbers, to_review, choices = found[0]
    task = rows.task(task_row)
    travelling = bool(after[0])
    summaries = check_steps(store, project_id, task, [rows.step(s) for s in steps])
    conflicts = _conflicts(choices, travelling=travelling)
    by_state: dict[StepState, list[StepSummary]] = {state: [] for state in STATES}
    for summary in summaries:
        by_state[summary.state].append(summary)
    step_counts = dict.fromkeys(StepState, 0) | {StepState(state): count for state, count in counts}
    by_status = dict(numbers)
    decision_counts = {status: by_status.get(status.value, 0) for status in DecisionStatus}
    active = decision_counts[DecisionStatus.ACTIVE]
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
            decision_count=active,
            decision_counts=decision_counts,
            decisions_truncated=active > len(decisions),
            review_decisions=_decisions(to_review, task.name, travelling=travelling),
            conflicts=conflicts[:MAX_CONFLICTS],
            conflicts_truncated=len(choices) > MAX_CONFLICTS,
        ),
    )


def _conflicts(found: Sequence[Row], *, travelling: bool) -> list[ConflictGroup]:
    """The choices counted as conflicts, confirmed against the decisions that are shown.

    A count can be ahead of its decisions by a commit; only a choice too big to be shown
    whole is believed by its sides.
    """
    groups: list[ConflictGroup] = []
    for choice_key, sides, decisions in found:
        shown = [
            rows.decision(row, name or "", supports, travelling=travelling)
            for row, name, supports in decisions
        ]
        group = ConflictGroup(
            choice_key=choice_key,
            decisions=shown[:MAX_CONFLICTING],
            truncated=len(shown) > MAX_CONFLICTING,
        )
        conclusions = {normalised(d.conclusion) for d in shown}
        if len(conclusions) > 1 or (group.truncated and sides > 1):
            groups.append(group)
    return groups


def _decisions(found: Sequence[Row], task_name: str, *, travelling: bool) -> list[Decision]:
    return [
        rows.decision(row, task_name, supports, travelling=travelling) for row, supports in found
    ]
