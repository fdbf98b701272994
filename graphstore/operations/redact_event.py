"""Redact an event: its body goes, its number and hash stay, and who stood on it is flagged."""

from dataclasses import dataclass
from typing import NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Guard, Props, Scrub
from graphstore.operations.erasing import fingerprint, moved
from graphstore.operations.flag_citers import Flagged, Source, finish_jobs, flag_citers
from graphstore.operations.flagging import MAX_FLAGS, unchanged
from graphstore.operations.log_rewriting import rewriting
from graphstore.operations.record_events import NewEvent, event_arguments
from graphstore.records import Actor, Event, EventKind, ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.results import RecordEventResult, RetentionResult
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
    projects: list[str]
    closure: list[list[Row]]


@dataclass(frozen=True)
class Draft:
    """A redaction that was planned and not yet carried out."""

    changes: Changeset
    flagged: Flagged
    left_to_job: bool
    seen: str


def redact_event(
    store: GraphStore, call: Call, event_id: str, *, seen: str | None = None
) -> RetentionResult:
    """Replace the body by a marker, in the event and in stored results that repeat it.

    Active decisions that cite the event are flagged `source_removed`, and their
    dependents after them. A repeat keeps the first time. `seen` is the fingerprint of the
    plan that the caller was shown. Refusals: `event_not_found`, `moved`,
    `request_id_reused`, `invalid_request_id`, `invalid_text`. Seed: history and
    decisions, Retention.
    """
    if error := call.invalid():
        return _refuse(error)
    result = write(
        store,
        REDACT_EVENT,
        lambda: gather(store, call, event_id),
        lambda gathered: plan(call, event_id, gathered, seen=seen),
    )
    if result.left_to_job:
        # The body is gone by now; only the flags are still on their way.
        ids = finish_jobs(store, call)
        result = result.model_copy(update={"affected_decision_ids": ids, "left_to_job": False})
    return result


def gather(store: GraphStore, call: Call, event_id: str) -> Gathered:
    """What the plan needs."""
    keys = {**call.keys(), "event_id": event_id, "document_id": ""}
    return Gathered(*store.read("redact_event", keys, leader=True)[0])


def plan(
    call: Call, event_id: str, gathered: Gathered, *, seen: str | None = None
) -> Planned[RetentionResult] | RetentionResult:
    """What redacting changes, given what was read."""
    replayed = call.replay(gathered.request, RetentionResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        return RetentionResult(
            recorded=True,
            affected_decision_ids=gathered.entry[1],
            left_to_job=len(gathered.citers) > MAX_FLAGS,
            arrived=gathered.entry[4] or [],
        )
    drafted = draft(call, event_id, gathered)
    if isinstance(drafted, WriteErrorCode):
        return _refuse(drafted)
    if differs := moved(seen, drafted.seen, PARTS):
        return RetentionResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    result = RetentionResult(
        recorded=True,
        affected_decision_ids=drafted.flagged.by_project.get(call.project_id, []),
        left_to_job=drafted.left_to_job,
    )
    drafted.changes.request = call.request(dump(result), gathered.task[0])
    return Planned(
        drafted.changes, lambda committed: result.model_copy(update={"arrived": committed.late_ids})
    )


def draft(call: Call, event_id: str, gathered: Gathered) -> Draft | WriteErrorCode:
    """The redaction as it would be carried out."""
    if not rows.found(gathered.event) or not rows.found(gathered.task):
        return WriteErrorCode.EVENT_NOT_FOUND
    event = rows.named("event", gathered.event)
    redacted_at = event.get("redacted_at", rows.iso(call.at))
    kept, absent = unchanged({"redacted_at": event.get("redacted_at")})
    changes = Changeset(
        guards=[Guard("Task", event["task_id"]), Guard("Event", event_id, kept, absent)],
        creates=[rewriting(call)],
        changes=[
            Change(
                "Event",
                event_id,
                {"payload": REDACTED, "redacted_at": redacted_at, "ctx_emptied": True},
            )
        ],
        scrubs=[
            scrub(call.project_id, rows.named("task", gathered.task)["name"], event, redacted_at)
        ],
    )
    source = Source(f"event:{event_id}", ReviewReason.SOURCE_REMOVED, event_id=event_id)
    flagged = flag_citers(
        changes, call, source, gathered.citers, gathered.projects, gathered.closure
    )
    own = Entry(
        task_id=event["task_id"],
        changed={event_id: {"redacted_at": [event.get("redacted_at"), redacted_at]}},
        hashes={event_id: event["payload_sha256"]},
        erased={"bodies": 1},
    )
    changes.entries = flagged.entries(call, own, source.cause)
    too_many = len(gathered.citers) > MAX_FLAGS
    parts = {
        "event": [event_id, event.get("redacted_at"), event["payload_sha256"]],
        "dependents": ["many"] if too_many else sorted(flagged.by_project.get(call.project_id, [])),
    }
    return Draft(changes, flagged, too_many, fingerprint(parts, PARTS))


PARTS = ("event", "dependents")
"""Of a fingerprint."""


def event_digest(project_id: str, task_name: str, event: Props) -> str:
    """The digest that the request of recording this event carries, whoever recorded it."""
    new = NewEvent(EventKind(event["kind"]), "", event.get("role"), event.get("name"))
    arguments = {**event_arguments(task_name, new), "payload_sha256": event["payload_sha256"]}
    return Call("record_event", project_id, Actor(agent_id=""), arguments).digest


def scrub(project_id: str, task_name: str, event: Props, redacted_at: str) -> Scrub:
    """The stored result of recording an event, without its body."""
    kept = {**event, "payload": REDACTED, "redacted_at": redacted_at}
    result = RecordEventResult(recorded=True, event=Event.model_validate(kept))
    digest = event_digest(project_id, task_name, event)
    return Scrub(project_id, digest, event["id"], dump(result))


def _refuse(error: WriteErrorCode) -> RetentionResult:
    return RetentionResult(recorded=False, error=error)
