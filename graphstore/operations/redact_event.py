"""Redact an event: its body goes, its number and hash stay, and who stood on it is flagged."""

import json
from collections import Counter
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, CitersHeld, Guard
from graphstore.operations.flagging import (
    closure,
    flag_dependents,
    flag_props,
    raise_queue,
    unchanged,
)
from graphstore.operations.put_document import Citer
from graphstore.records import RetentionResult
from graphstore.refusals import WriteErrorCode
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import REDACT_EVENT

REDACTED = "[REDACTED]"
"""The library's marker in place of a body."""


class Gathered(NamedTuple):
    request: Row
    entry: Row
    event: Row
    task: Row
    citers: list[Row]
    requests: list[Row]
    closure: list[list[Row]]


def redact_event(store: GraphStore, call: Call, event_id: str) -> RetentionResult:
    """Replace the body by a marker, in the event and in stored results that repeat it.

    Active decisions that cite the event are flagged `source_removed`, and their
    dependents after them. A repeat keeps the first time. Refusals:
    `event_not_found`, `request_id_reused`, `invalid_request_id`. Seed: history
    and decisions, Retention.
    """
    if error := call.invalid():
        return _refuse(error)
    keys = {**call.keys(), "event_id": event_id}
    return write(
        store,
        REDACT_EVENT,
        lambda: Gathered(*store.read("redact_event", keys, leader=True)[0]),
        lambda seen: plan(call, event_id, seen),
    )


def plan(call: Call, event_id: str, seen: Gathered) -> Planned[RetentionResult] | RetentionResult:
    """What redacting changes, given what was read."""
    replayed = call.replay(seen.request, RetentionResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if rows.found(seen.entry):
        return RetentionResult(recorded=True, affected_decision_ids=seen.entry[1])
    if not rows.found(seen.event) or not rows.found(seen.task):
        return _refuse(WriteErrorCode.EVENT_NOT_FOUND)
    event = rows.named("event", seen.event)
    at = rows.iso(call.at)
    redacted_at = event.get("redacted_at", at)
    changes = Changeset(
        guards=[Guard("Task", event["task_id"]), Guard("Event", event_id)],
        citers_held=[
            CitersHeld("event_id", event_id, tuple(sorted(row[0] for row in seen.citers)))
        ],
        changes=[
            Change("Event", event_id, {"payload": REDACTED, "redacted_at": redacted_at}),
            *(
                Change("Request", identity, {"result_json": scrubbed(text, event_id, redacted_at)})
                for identity, text in seen.requests
            ),
        ],
    )
    flagged = _flag(changes, call, event_id, seen)
    raise_queue(changes, Counter(project for project, _ in flagged))
    ids = [identity for _, identity in flagged]
    result = RetentionResult(recorded=True, affected_decision_ids=ids)
    changes.entries = [
        call.entry(
            Entry(
                task_id=event["task_id"],
                changed={event_id: {"redacted_at": [event.get("redacted_at"), redacted_at]}},
                flagged=ids,
                cause=f"event:{event_id}",
                hashes={event_id: event["payload_sha256"]},
            )
        )
    ]
    changes.request = call.request(json.dumps(result.model_dump(mode="json")), event["task_id"])
    return Planned(
        changes, lambda committed: result.model_copy(update={"arrived": committed.late_ids})
    )


def _flag(changes: Changeset, call: Call, event_id: str, seen: Gathered) -> list[tuple[str, str]]:
    us = rows.microseconds(call.at)
    cause = f"event:{event_id}"
    citers = {
        c.decision_id: c
        for c in (Citer(*row) for row in seen.citers)
        if c.current and c.status == "active"
    }
    found = closure(seen.closure, [i for i, c in citers.items() if c.review_state == "clear"])
    roots: dict[str, list[str]] = {}
    for identity, citer in citers.items():
        kept, absent = unchanged(
            {
                "status": citer.status,
                "review_state": citer.review_state,
                "ctx_version": citer.version or None,
            }
        )
        changes.guards.append(Guard("Decision", identity, kept, absent))
        causes = sorted({*(citer.causes or ()), cause})
        props = flag_props(
            "source_removed", causes, citer.flagged_us or us, pending=identity in found.frontier
        )
        if identity not in found.frontier:
            del props["review_pending"]
        changes.changes.append(Change("Decision", identity, props))
        if citer.review_state == "clear":
            roots[identity] = causes
    further = flag_dependents(changes, found, roots, us)
    if found.frontier:
        raise_queue(changes, {}, incomplete={c.project_id for c in citers.values()})
    projects = {d.id: d.project_id for d in found.dependents}
    return [(c.project_id, i) for i, c in citers.items()] + [(projects[i], i) for i in further]


def scrubbed(text: str, event_id: str, redacted_at: str) -> str:
    """A stored result without the body of one event."""

    def scrub(fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("id") == event_id and "payload" in fields:
            return {**fields, "payload": REDACTED, "redacted_at": redacted_at}
        return fields

    return json.dumps(json.loads(text, object_hook=scrub))


def _refuse(error: WriteErrorCode) -> RetentionResult:
    return RetentionResult(recorded=False, error=error)
