"""Create a task, the named unit of work that everything else hangs below."""

from typing import NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Changeset, Create, Guard, LivesHeld, Props
from graphstore.ids import derived_id, sha256, tombstone_id
from graphstore.records import Task
from graphstore.refusals import WriteErrorCode
from graphstore.results import CreateTaskResult
from graphstore.rows import Row
from graphstore.schema import MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import CREATE_TASK


class Gathered(NamedTuple):
    request: Row
    entry: Row
    project: Row
    task: Row
    lives: int | None
    deleting: str | None


def create_task(store: GraphStore, call: Call, task_name: str, goal: str) -> CreateTaskResult:
    """Create the task, or return the one of that name when the goal is the same.

    A name that was deleted here has a next life, with an id that it never had: nothing
    that points to the old task may point to the new one (`RULES.md` 2).

    Refusals: `task_exists` (another goal, or the old one is still being deleted), `request_id_reused`,
    `invalid_request_id`, `invalid_text`, `invalid_name`, `name_too_long`. Seed: history and decisions, Tasks.
    """
    if error := call.invalid():
        return _refuse(error)
    tombstone = tombstone_id(call.project_id, task_name)
    keys = {**call.keys(), "name": task_name, "tombstone_id": tombstone}
    return write(
        store,
        CREATE_TASK,
        lambda: Gathered(*store.read("create_task", keys, leader=True)[0]),
        lambda seen: plan(call, task_name, goal, seen),
    )


def plan(
    call: Call, task_name: str, goal: str, seen: Gathered
) -> Planned[CreateTaskResult] | CreateTaskResult:
    """What creating the task changes, given what was read."""
    replayed = call.replay(seen.request, CreateTaskResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if rows.found(seen.task):
        existing = rows.task(seen.task)
        if existing.goal != goal:
            return _refuse(WriteErrorCode.TASK_EXISTS)
        return _found(call, existing)
    if seen.deleting is not None:
        # The task of that name is being deleted; the name is free once it is gone.
        return _refuse(WriteErrorCode.TASK_EXISTS)
    props = _task(call, task_name, goal, seen.lives)
    result = CreateTaskResult(recorded=True, task=Task(**props))
    changes = Changeset(
        creates=[Create("Task", {MARKER: True, **props})],
        entries=[
            call.entry(
                Entry(
                    task_id=props["id"],
                    created=[props["id"]],
                    hashes={props["id"]: sha256(goal)},
                )
            )
        ],
        request=call.request(dump(result), props["id"]),
        lives_held=[LivesHeld(tombstone_id(call.project_id, task_name), seen.lives or 0)],
    )
    if rows.found(seen.project):
        changes.guards.append(Guard("Project", call.project_id))
    else:
        changes.creates.insert(0, Create("Project", _project(call.project_id)))
    return Planned(changes, lambda _: result)


def _found(call: Call, existing: Task) -> Planned[CreateTaskResult] | CreateTaskResult:
    """The task that is there; only the request id is written, which is used from now on."""
    result = CreateTaskResult(recorded=True, task=existing)
    if call.request_id is None:
        return result
    request = call.request(dump(result), str(existing.id))
    claim = Changeset(guards=[Guard("Task", str(existing.id))], request=request)
    return Planned(claim, lambda _: result)


def _task(call: Call, task_name: str, goal: str, lives: int | None) -> Props:
    life = () if lives is None else (lives + 1,)
    return {
        "id": derived_id(call.project_id, task_name, *life),
        "project_id": call.project_id,
        "name": task_name,
        "goal": goal,
        "status": "open",
        "event_seq": 0,
        "author": call.actor.agent_id,
        "created_at": rows.iso(call.at),
    }


def _project(project_id: str) -> Props:
    return {
        MARKER: True,
        "project_id": project_id,
        "review_epoch": 0,
        "review_incomplete": False,
    }


def _refuse(error: WriteErrorCode) -> CreateTaskResult:
    return CreateTaskResult(recorded=False, error=error)
