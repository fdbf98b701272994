"""Delete a task: it goes with its log, its steps and, if wanted, its decisions, from everywhere."""

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Create, Erase, Guard, Props, StanceCount
from graphstore.ids import derived_id, tombstone_id
from graphstore.operations.flagging import flag_props, raise_queue, unchanged
from graphstore.operations.record_decision import choice_count
from graphstore.records import ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.results import RetentionResult
from graphstore.rows import Row
from graphstore.schema import CTX_MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import DELETE_TASK


class Made(NamedTuple):
    """A decision of the task."""

    id: str
    status: str
    review_state: str
    version: int | None
    choice_key: str
    stance: str | None


class Cite(NamedTuple):
    """One support that points to what goes, with its decision, as the `erased` clause returns it."""

    support_id: str
    current: bool
    cause: str
    decision_id: str
    project_id: str
    task_id: str
    status: str
    review_state: str
    review_reason: str | None
    version: int | None
    causes: list[str] | None
    flagged_us: int | None
    created_at: str


class Gathered(NamedTuple):
    request: Row
    entry: Row
    deletions: int | None
    lives: int | None
    task: Row
    decisions: list[Row]
    cites: list[Row]
    requests: list[Row]
    steps: list[Row]


def delete_task(
    store: GraphStore, call: Call, name: str, *, include_decisions: bool
) -> RetentionResult:
    """Remove the task, its events and its steps, with its decisions or without.

    One commit. Decisions that stay keep their task's id and read as `task_deleted`.
    Active decisions that cite a deleted event or decision are flagged `source_removed`,
    queued so that their own dependents follow with the drain, and reported; what they
    cited is marked as gone, so that nothing that takes its id later stands in for it.
    Stored results of requests are replaced by `task_not_found`. The name may be used
    again, by a task with another id.

    A task of a hundred thousand events wants a job of several commits, which is not here
    yet; some thousands go in one. Refusals: `task_not_found`, `request_id_reused`,
    `invalid_request_id`, `invalid_text`. Seed: history and decisions, Retention.
    """
    if error := call.invalid():
        return _refuse(error)
    keys = {
        **call.keys(),
        "name": name,
        "named": f'"task_name":{json.dumps(name)}',
        "words": _as_stored(name),
        "tombstone_id": tombstone_id(call.project_id, name),
        "whole": include_decisions,
    }
    return write(
        store,
        DELETE_TASK,
        lambda: Gathered(*store.read("delete_task", keys, leader=True)[0]),
        lambda seen: plan(call, name, seen, include_decisions=include_decisions),
    )


def plan(
    call: Call, name: str, seen: Gathered, *, include_decisions: bool
) -> Planned[RetentionResult] | RetentionResult:
    """What deleting changes, given what was read."""
    replayed = call.replay(seen.request, RetentionResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if rows.found(seen.entry):
        return RetentionResult(recorded=True, affected_decision_ids=seen.entry[1])
    if not rows.found(seen.task):
        return _refuse(WriteErrorCode.TASK_NOT_FOUND)
    task = rows.named("task", seen.task)
    made = [Made(*row) for row in seen.decisions]
    going = {d.id for d in made} if include_decisions else set[str]()
    cites = sorted((Cite(*row) for row in seen.cites), key=lambda c: (c.created_at, c.decision_id))
    staying = [c for c in cites if c.decision_id not in going]
    kept, absent = unchanged({"ctx_deletions": seen.deletions})
    changes = Changeset(
        guards=[
            Guard("Project", call.project_id, kept, absent),
            # Every event has a number, so an unchanged last number means the same events.
            Guard("Task", task["id"], low=task["event_seq"], high=task["event_seq"]),
            *(_as_seen(d.id, d.status, d.review_state, d.version) for d in made),
            *(Guard("Decision", d.id, *unchanged({"ctx_stance": d.stance})) for d in made),
        ],
        changes=[Change("Project", call.project_id, {"ctx_deletions": (seen.deletions or 0) + 1})],
    )
    flags = _flags(call, changes, staying)
    _mark_gone(call, changes, staying)
    if include_decisions:
        changes.stances = [_one_less(call, d) for d in made if d.stance is not None]
    else:
        for d in made:
            flags.setdefault(d.id, {})["ctx_task_gone"] = True
    flagged = [i for i, props in flags.items() if "review_state" in props]
    changes.changes += [
        Change("Decision", i, props, revises="review_state" in props) for i, props in flags.items()
    ]
    raise_queue(
        changes,
        {call.project_id: len(flagged)},
        incomplete=[call.project_id] if flagged else [],
    )
    _bury(call, changes, name, seen.lives)
    events = {derived_id("Event", task["id"], k) for k in range(1, task["event_seq"] + 1)}
    changes.changes += _scrubbed(seen.requests, name, events)
    _scrub_steps(changes, seen.steps, events)
    emptied = RetentionResult(recorded=False, error=WriteErrorCode.TASK_NOT_FOUND)
    changes.erase = Erase(
        task_id=task["id"],
        project_id=call.project_id,
        whole=include_decisions,
        made=len(made),
        support_ids=tuple(c.support_id for c in cites),
        choice_ids=tuple(
            sorted({derived_id("CtxChoice", call.project_id, d.choice_key) for d in made})
        ),
        emptied=json.dumps({"recorded": emptied.recorded, "error": emptied.error}),
    )
    result = RetentionResult(recorded=True, affected_decision_ids=flagged)
    entry = _entry(task, made, flagged, staying, include_decisions=include_decisions)
    changes.entries = [call.entry(entry)]
    changes.request = call.request(dump(result), task["id"])
    return Planned(changes, lambda _: result)


def _as_seen(identity: str, status: str, review_state: str, version: int | None) -> Guard:
    seen, absent = unchanged(
        {"status": status, "review_state": review_state, "ctx_version": version}
    )
    return Guard("Decision", identity, seen, absent)


def _flags(call: Call, changes: Changeset, staying: Sequence[Cite]) -> dict[str, Props]:
    """Flags of the active decisions that cite what goes; an earlier flag keeps time and causes."""
    us = rows.microseconds(call.at)
    causes: dict[str, set[str]] = {}
    citers: dict[str, Cite] = {}
    for c in staying:
        if c.current and c.status == "active":
            citers[c.decision_id] = c
            causes.setdefault(c.decision_id, set()).add(c.cause)
    flags: dict[str, Props] = {}
    # A retired citer that comes back meanwhile would stand clear on what is gone.
    changes.guards += [
        Guard("Decision", c.decision_id, {"status": c.status})
        for c in {c.decision_id: c for c in staying if c.decision_id not in citers}.values()
    ]
    for identity, c in citers.items():
        waits = c.review_state == "needs_review"
        own = sorted(causes[identity].union(c.causes or () if waits else ()))
        since = c.flagged_us if waits and c.flagged_us else us
        changes.guards.append(_as_seen(identity, c.status, c.review_state, c.version))
        flags[identity] = flag_props(ReviewReason.SOURCE_REMOVED, own, since, pending=True)
    return flags


def _mark_gone(call: Call, changes: Changeset, staying: Sequence[Cite]) -> None:
    """Supports that point to what goes never count again, and forget the task's name."""
    at = rows.iso(call.at)
    for c in staying:
        name = {"task_name": ""} if c.cause.startswith("event:") else {}
        changes.changes.append(Change("DecisionSupport", c.support_id, {"ctx_gone_at": at, **name}))


def _one_less(call: Call, d: Made) -> StanceCount:
    return choice_count(call.project_id, d.choice_key, d.stance or "", -1)


def _bury(call: Call, changes: Changeset, name: str, lives: int | None) -> None:
    """Count one more life of the name, under the project's lock."""
    identity = tombstone_id(call.project_id, name)
    if lives is None:
        props = {CTX_MARKER: True, "id": identity, "project_id": call.project_id, "lives": 1}
        changes.creates.append(Create("CtxTombstone", props))
    else:
        changes.changes.append(Change("CtxTombstone", identity, {"lives": lives + 1}))


def _as_stored(name: str) -> list[str]:
    """How a stored result may repeat the name: as a support's, or as a place in the task's log.

    We escape what is not ASCII there, the library does not.
    """
    written = {json.dumps(name)[:-1], json.dumps(name, ensure_ascii=False)[:-1]}
    return [f"{start}{end}" for start in sorted(written) for end in ('"', "/")]


def _scrubbed(requests: Sequence[Row], name: str, events: Collection[str]) -> list[Change]:
    """Stored results of what cited these events elsewhere, without the name of their task."""

    def scrub(fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("event_id") in events:
            return {**fields, "task_name": ""}
        if "cause" in fields and str(fields.get("ref")).startswith(f"{name}/"):
            return {**fields, "ref": "", "label": ""}
        return fields

    found: list[Change] = []
    for identity, text in requests:
        if text is None:
            continue
        after = json.dumps(json.loads(text, object_hook=scrub))
        if after != json.dumps(json.loads(text)):
            found.append(Change("Request", identity, {"result_json": after}))
    return found


def _scrub_steps(changes: Changeset, steps: Sequence[Row], events: Collection[str]) -> None:
    """What results of other tasks' steps rest on, without the name of the task that they cited."""
    for row in steps:
        step = rows.named("step", row)
        before = step["result_supports"]
        supports: list[Props] = json.loads(before)
        for s in supports:
            if s.get("event_id") in events:
                s["task_name"] = ""
        props = {"result_supports": rows.canonical(supports)}
        if step.get("ctx_as_set") == rows.as_set(step):
            props["ctx_as_set"] = rows.as_set({**step, **props})
        changes.guards.append(Guard("Step", step["id"], {"result_supports": before}))
        changes.changes.append(Change("Step", step["id"], props, revises=False))


def _entry(
    task: Props,
    made: Sequence[Made],
    flagged: Sequence[str],
    staying: Sequence[Cite],
    *,
    include_decisions: bool,
) -> Entry:
    changed: dict[str, dict[str, list[Any]]] = {task["id"]: {"status": [task["status"], None]}}
    if include_decisions:
        changed |= {d.id: {"status": [d.status, None]} for d in made}
    changed |= {
        c.decision_id: {
            "review_state": [c.review_state, "needs_review"],
            "review_reason": [c.review_reason, ReviewReason.SOURCE_REMOVED],
        }
        for c in staying
        if c.decision_id in flagged
    }
    return Entry(
        task_id=task["id"],
        changed=changed,
        flagged=flagged,
        gone=[(d.id, (d.version or 0) + 1) for d in made if include_decisions],
        cause=f"task:{task['id']}",
    )


def _refuse(error: WriteErrorCode) -> RetentionResult:
    return RetentionResult(recorded=False, error=error)
