"""Redact an event: its body goes, its number and hash stay, and who stood on it is flagged."""

import json
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Guard
from graphstore.operations.flag_citers import Source, finish_jobs, flag_citers
from graphstore.operations.flagging import MAX_FLAGS, unchanged
from graphstore.records import ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.results import RetentionResult
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
    requests: list[Row]
    citers: list[Row]
    projects: list[str]
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
    keys = {**call.keys(), "event_id": event_id, "document_id": ""}
    result = write(
        store,
        REDACT_EVENT,
        lambda: Gathered(*store.read("redact_event", keys, leader=True)[0]),
        lambda seen: plan(call, event_id, seen),
    )
    if result.left_to_job:
        # The body is gone by now; only the flags are still on their way.
        ids = finish_jobs(store, call)
        result = result.model_copy(update={"affected_decision_ids": ids, "left_to_job": False})
    return result


def plan(call: Call, event_id: str, seen: Gathered) -> Planned[RetentionResult] | RetentionResult:
    """What redacting changes, given what was read."""
    replayed = call.replay(seen.request, RetentionResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if rows.found(seen.entry):
        return RetentionResult(
            recorded=True,
            affected_decision_ids=seen.entry[1],
            left_to_job=len(seen.citers) > MAX_FLAGS,
            arrived=seen.entry[4] or [],
        )
    if not rows.found(seen.event) or not rows.found(seen.task):
        return _refuse(WriteErrorCode.EVENT_NOT_FOUND)
    event = rows.named("event", seen.event)
    redacted_at = event.get("redacted_at", rows.iso(call.at))
    kept, absent = unchanged({"redacted_at": event.get("redacted_at")})
    changes = Changeset(
        guards=[Guard("Task", event["task_id"]), Guard("Event", event_id, kept, absent)],
        changes=[
            Change("Event", event_id, {"payload": REDACTED, "redacted_at": redacted_at}),
            *(
                Change("Request", identity, {"result_json": scrubbed(text, event_id, redacted_at)})
                for identity, text in seen.requests
            ),
        ],
    )
    source = Source(f"event:{event_id}", ReviewReason.SOURCE_REMOVED, event_id=event_id)
    flagged = flag_citers(changes, call, source, seen.citers, seen.projects, seen.closure)
    result = RetentionResult(
        recorded=True,
        affected_decision_ids=flagged.by_project.get(call.project_id, []),
        left_to_job=any(c.label == "CtxJob" for c in changes.creates),
    )
    own = Entry(
        task_id=event["task_id"],
        changed={event_id: {"redacted_at": [event.get("redacted_at"), redacted_at]}},
        hashes={event_id: event["payload_sha256"]},
    )
    changes.entries = flagged.entries(call, own, source.cause)
    changes.request = call.request(dump(result), event["task_id"])
    return Planned(
        changes, lambda committed: result.model_copy(update={"arrived": committed.late_ids})
    )


def scrubbed(text: str, event_id: str, redacted_at: str) -> str:
    """A stored result without the body of one event."""

    def scrub(fields: dict[str, Any]) -> dict[str, Any]:
        if fields.get("id") == event_id and "payload" in fields:
            return {**fields, "payload": REDACTED, "redacted_at": redacted_at}
        return fields

    return json.dumps(json.loads(text, object_hook=scrub))


def _refuse(error: WriteErrorCode) -> RetentionResult:
    return RetentionResult(recorded=False, error=error)
