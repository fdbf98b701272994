"""Resume a task: steps that a run left in progress become unknown, and what is left to do is returned."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Guard
from graphstore.operations.set_step import names_task, own_props, step_guard
from graphstore.operations.step_results import check_steps
from graphstore.records import EventSupport, StepResultValidity, StepState, StepSummary
from graphstore.refusals import WriteErrorCode
from graphstore.results import ResumeTaskResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import RESUME_TASK

MAX_STEPS = 1000
"""Steps of each kind that one call looks at."""


class Gathered(NamedTuple):
    request: Row
    entry: Row
    manifest: str | None
    task: Row
    to_do: list[Row]
    completed: list[Row]


class Seen(NamedTuple):
    """What was read, with the completed steps checked."""

    rows: Gathered
    recheck: list[StepSummary]
    named: dict[str, str]
    """Ids of the other tasks that the steps name, by their names."""


def resume_task(store: GraphStore, call: Call, task_name: str) -> ResumeTaskResult:
    """Mark every step in progress as unknown, in one commit, and say what is left.

    At most 1,000 steps are marked and 1,000 of each kind looked at; `truncated` says that
    there are more, and another call goes on. Refusals: `task_not_found`,
    `request_id_reused`, `invalid_request_id`, `invalid_text`, `invalid_name`,
    `name_too_long`. Rules of the record, 3.
    """
    if error := call.invalid():
        return _refuse(error)
    keys = {**call.keys(), "task_name": task_name}
    return write(
        store, RESUME_TASK, lambda: _gather(store, call, keys), lambda seen: plan(call, seen)
    )


def _gather(store: GraphStore, call: Call, keys: dict[str, Any]) -> Seen:
    gathered = Gathered(*store.read("resume_task", keys, leader=True)[0])
    if not rows.found(gathered.task):
        return Seen(gathered, [], {})
    completed = [rows.step(row) for row in gathered.completed[:MAX_STEPS]]
    checked = check_steps(store, call.project_id, rows.task(gathered.task), completed, leader=True)
    reusable = StepResultValidity.REUSABLE
    recheck = [s for s in checked if s.result_validity is not reusable]
    to_do = [rows.step(row) for row in gathered.to_do[:MAX_STEPS]]
    names = sorted(
        {
            support.task_name
            for step in [*to_do, *recheck]
            for support in step.result_supports
            if isinstance(support, EventSupport) and support.task_name
        }
    )
    if not names:
        return Seen(gathered, recheck, {})
    p = {"project_id": call.project_id, "names": names}
    return Seen(gathered, recheck, dict(store.read("task_ids", p, leader=True)))


def plan(call: Call, seen: Seen) -> Planned[ResumeTaskResult] | ResumeTaskResult:
    """What resuming changes, given what was read."""
    gathered = seen.rows
    replayed = call.replay(gathered.request, ResumeTaskResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if not rows.found(gathered.task):
        return _refuse(WriteErrorCode.TASK_NOT_FOUND)
    task = rows.task(gathered.task)
    to_do = gathered.to_do[:MAX_STEPS]
    running = [
        props
        for props in (rows.named("step", row) for row in to_do)
        if props["state"] == StepState.IN_PROGRESS
    ]
    result = ResumeTaskResult(
        recorded=True,
        task=task,
        to_do=_in_order([_nameless(rows.step(row), seen.named) for row in to_do]),
        recheck=[_nameless(step, seen.named) for step in seen.recheck],
        marked_unknown=[props["name"] for props in running],
        truncated=max(len(gathered.to_do), len(gathered.completed)) > MAX_STEPS,
    )
    if call.landed(gathered.request, gathered.entry):
        names = _recovered(gathered.manifest, gathered.to_do)
        return result.model_copy(update={"marked_unknown": names})
    if not running and call.request_id is None:
        return result
    task_id = str(task.id)
    elsewhere = sorted({*seen.named.values()} - {task_id}) if call.request_id else []
    changes = Changeset(
        guards=[Guard("Task", identity) for identity in [task_id, *elsewhere]],
        changes=[names_task(call, identity) for identity in elsewhere],
    )
    after = {"state": StepState.UNKNOWN.value, "updated_seq": task.event_seq}
    marked: dict[str, StepSummary] = {}
    for props in running:
        own = {**after, **own_props(call, {**props, **after})}
        changes.guards.append(step_guard(props["id"], props))
        changes.changes.append(Change("Step", props["id"], own))
        row = [{**props, **own}.get(key) for key in rows.COLUMNS["step"]]
        marked[props["name"]] = _nameless(rows.step(row), seen.named)
    result = result.model_copy(
        update={"to_do": [marked.get(step.name, step) for step in result.to_do]}
    )
    if running:
        changes.entries = [call.entry(_entry(task_id, running, task.event_seq))]
    changes.request = call.request(dump(result), task_id)
    return Planned(changes, lambda _: result)


def _nameless(step: StepSummary, named: Mapping[str, str]) -> StepSummary:
    """The step without the names of tasks that are gone, or about to be."""
    supports = [
        s.model_copy(update={"task_name": ""})
        if isinstance(s, EventSupport) and s.task_name not in named
        else s
        for s in step.result_supports
    ]
    block = step.result_blocked_by
    if block is not None and block.kind == "event" and block.ref:
        name = block.ref.rpartition("/")[0]
        if name not in named:
            block = block.model_copy(update={"ref": "", "label": ""})
    return step.model_copy(update={"result_supports": supports, "result_blocked_by": block})


RANKS = {StepState.FAILED: 0, StepState.NOT_STARTED: 2}
"""What failed comes first, then what is unknown or about to be, as in the task view."""


def _in_order(steps: list[StepSummary]) -> list[StepSummary]:
    return sorted(steps, key=lambda step: (RANKS.get(step.state, 1), step.name))


def _entry(task_id: str, running: Sequence[dict[str, Any]], event_seq: int) -> Entry:
    changed = {
        props["id"]: {
            "state": ["in_progress", "unknown"],
            "updated_seq": [props.get("updated_seq"), event_seq],
        }
        for props in running
    }
    return Entry(task_id=task_id, changed=changed)


def _recovered(manifest: str | None, to_do: Sequence[Row]) -> list[str]:
    """The names of what an earlier try marked, whose answer was lost."""
    changed = json.loads(manifest or "{}").get("changed", {})
    found = [rows.named("step", row) for row in to_do]
    return [props["name"] for props in found if props["id"] in changed]


def _refuse(error: WriteErrorCode) -> ResumeTaskResult:
    return ResumeTaskResult(recorded=False, error=error)
