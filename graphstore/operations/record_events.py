"""Append events to a task's log: no gather, one commit, gapless numbers.

The commit takes the numbers under the task's lock and picks the ids derived for
them, so writers to one task queue up instead of failing each other.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump, too_long
from graphstore.changeset import Append, Changeset, Committed, Guard, Props
from graphstore.ids import derived_id, sha256
from graphstore.records import Event, EventKind
from graphstore.refusals import WriteErrorCode
from graphstore.results import RecordEventResult, RecordEventsResult
from graphstore.rows import Row
from graphstore.schema import MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import RECORD_EVENTS

MAX_PAYLOAD = 32_000
"""Characters of a payload that are stored; its hash covers the full text."""
MAX_EVENTS = 100
"""Events that one commit appends."""
SPARE_NUMBERS = 15
"""How many events others may append meanwhile before the commit has no id for its own."""


class NewEvent(NamedTuple):
    """One event to record."""

    kind: EventKind
    payload: str
    role: str | None = None
    name: str | None = None

    def stored(self, call: Call, task_id: str) -> Props:
        return {
            MARKER: True,
            "task_id": task_id,
            "kind": EventKind(self.kind).value,
            "role": self.role,
            "name": self.name,
            "payload": self.payload[:MAX_PAYLOAD],
            "payload_sha256": sha256(self.payload),
            "truncated": len(self.payload) > MAX_PAYLOAD,
            "author": call.actor.agent_id,
            "at": rows.iso(call.at),
        }


class Gathered(NamedTuple):
    request: Row
    entry: Row
    task: Row


def event_arguments(task_name: str, event: NewEvent) -> dict[str, Any]:
    """What the reference library's digest of `record_event` covers."""
    return {
        "task_name": task_name,
        "kind": EventKind(event.kind).value,
        "role": event.role,
        "name": event.name,
        "payload_sha256": sha256(event.payload),
    }


def record_events(
    store: GraphStore,
    call: Call,
    task_name: str,
    events: Sequence[NewEvent],
    last_seqs: dict[str, tuple[str, int]],
) -> RecordEventsResult:
    """Append `events` in order; they get neighbouring numbers.

    `last_seqs` remembers for each task's name its id and the last number seen by this
    caller, which spares the gather; a task that was deleted since no longer has that id.
    Refusals: `task_not_found`, `too_many_events`, `invalid_text`, `request_id_reused`,
    `invalid_request_id`. Seed: history and decisions, Events.
    """
    if error := call.invalid(*(event.payload for event in events)):
        return _refuse(error)
    if any(too_long(name) for event in events for name in (event.role, event.name)):
        return _refuse(WriteErrorCode.NAME_TOO_LONG)
    if len(events) > MAX_EVENTS:
        return _refuse(WriteErrorCode.TOO_MANY_EVENTS)
    keys = {**call.keys(), "name": task_name}
    known = last_seqs.get(task_name)

    def commit_from(task_id: str, base: int) -> Planned[RecordEventsResult]:
        def remember(last: int) -> None:
            last_seqs[task_name] = task_id, last

        return _append(call, task_id, base, events, remember)

    return write(
        store,
        RECORD_EVENTS,
        lambda: Gathered(*store.read("record_events", keys, leader=True)[0]),
        lambda seen: plan(call, events, seen, commit_from, store),
        first=commit_from(*known) if known is not None and events else None,
    )


def plan(
    call: Call,
    events: Sequence[NewEvent],
    seen: Gathered,
    commit_from: Callable[[str, int], Planned[RecordEventsResult]],
    store: GraphStore,
) -> Planned[RecordEventsResult] | RecordEventsResult:
    """What appending changes, given what was read."""

    def stored(text: str) -> RecordEventsResult:
        return _stored(store, call, text, seen, len(events))

    replayed = call.replay(seen.request, stored, _refuse)
    if replayed is not None:
        return replayed
    if not rows.found(seen.task):
        return _refuse(WriteErrorCode.TASK_NOT_FOUND)
    task = rows.task(seen.task)
    if call.landed(seen.request, seen.entry):
        last = seen.entry[2]
        return RecordEventsResult(
            recorded=True, events=_read(store, task.name, call, last - len(events), len(events))
        )
    if not events:
        return _nothing(call, str(task.id))
    return commit_from(str(task.id), task.event_seq)


def _nothing(call: Call, task_id: str) -> Planned[RecordEventsResult] | RecordEventsResult:
    """No events are recorded at once; only a request id is written, which is used from now on."""
    result = RecordEventsResult(recorded=True)
    if call.request_id is None:
        return result
    claim = Changeset(guards=[Guard("Task", task_id)], request=call.request(dump(result), task_id))
    return Planned(claim, lambda _: result)


def _append(
    call: Call,
    task_id: str,
    base: int,
    events: Sequence[NewEvent],
    remember: Callable[[int], None],
) -> Planned[RecordEventsResult]:
    stored = [event.stored(call, task_id) for event in events]
    ids = [
        derived_id("Event", task_id, base + k) for k in range(1, SPARE_NUMBERS + len(events) + 1)
    ]

    def result(committed: Committed) -> RecordEventsResult:
        last = committed.last_seq or 0
        remember(last)
        first = last - len(stored) + 1
        return RecordEventsResult(
            recorded=True,
            events=[
                Event.model_validate(
                    {**_public(props), "id": derived_id("Event", task_id, seq), "seq": seq}
                )
                for seq, props in enumerate(stored, first)
            ],
        )

    # An event's number is known only to the commit, so the ledger entry names the
    # task and the count here and takes the last number there.
    entry = Entry(
        task_id=task_id, hashes={str(k): e["payload_sha256"] for k, e in enumerate(stored)}
    )
    single = call.action == "record_event"
    return Planned(
        Changeset(
            guards=[Guard("Task", task_id, low=base, high=base + SPARE_NUMBERS)],
            appends=[Append(task_id, base, ids, stored)],
            entries=[call.entry(entry)],
            request=call.request(None if single else '{"recorded": true}', task_id),
            result_parts=_parts(stored[0]) if single else None,
        ),
        result,
    )


def _public(props: Props) -> Props:
    return {key: value for key, value in props.items() if key != MARKER}


def _parts(props: Props) -> tuple[str, str, str]:
    """The library's stored result of one event, around the id and number yet to come."""
    whole = dump(
        RecordEventResult(
            recorded=True,
            event=Event.model_validate({**_public(props), "id": _NO_ID, "seq": _NO_SEQ}),
        )
    )
    before, after_id = whole.split(f'"{_NO_ID}"', 1)
    between, after = after_id.split(f'"seq": {_NO_SEQ}', 1)
    return before + '"', '"' + between + '"seq": ', after


_NO_ID = "00000000-0000-0000-0000-000000000000"
_NO_SEQ = 0


def _stored(
    store: GraphStore, call: Call, text: str, seen: Gathered, count: int
) -> RecordEventsResult:
    """A stored result as it stands now: bodies come from the events, which may be redacted."""
    stored = RecordEventResult.model_validate_json(text)
    if not stored.recorded:
        # The task was deleted since, whether or not its name lives again.
        return _refuse(WriteErrorCode.TASK_NOT_FOUND)
    if count == 0:
        return RecordEventsResult(recorded=True)
    if not rows.found(seen.task):
        return _refuse(WriteErrorCode.TASK_NOT_FOUND)
    event = stored.event
    last = event.seq if event is not None else seen.entry[2]
    name = rows.task(seen.task).name
    return RecordEventsResult(recorded=True, events=_read(store, name, call, last - count, count))


def _read(store: GraphStore, name: str, call: Call, after_seq: int, count: int) -> list[Event]:
    p = {
        "project_id": call.project_id,
        "name": name,
        "after_seq": after_seq,
        "until": after_seq + count,
        "limit": count,
    }
    return [rows.event(row) for row in store.read("list_events", p, leader=True)[0][1]]


def _refuse(error: WriteErrorCode) -> RecordEventsResult:
    return RecordEventsResult(recorded=False, error=error)
