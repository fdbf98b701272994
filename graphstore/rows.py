"""From the lists that statements return to records."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from graphstore.faults import CorruptRecord
from graphstore.ids import derived_id, sha256
from graphstore.records import (
    Decision,
    DecisionSupport,
    Document,
    DocumentSupport,
    DocumentVersion,
    Event,
    EventSupport,
    Record,
    ReviewState,
    Step,
    StepSummary,
    Support,
    Task,
    VerdictRecord,
)
from graphstore.schema import COLUMNS

Row = Sequence[Any]


def named(kind: str, row: Row) -> dict[str, Any]:
    """A list that `{{kind:x}}` returned, by property name, without what is missing."""
    pairs = zip(COLUMNS[kind], row, strict=True)
    return {name: value for name, value in pairs if value is not None}


def found(row: Row | None) -> bool:
    """Whether an optional match gave a node: its first column is its key, never null."""
    return row is not None and row[0] is not None


def task(row: Row) -> Task:
    return record(Task, named("task", row))


def event(row: Row) -> Event:
    values = named("event", row)
    if "id" not in values and "task_id" in values and "seq" in values:
        # The library, killed between its two statements, leaves an event without its id.
        values["id"] = derived_id("Event", values["task_id"], values["seq"])
    return record(Event, values)


def step(row: Row) -> StepSummary:
    """A step as lists show it, its result not yet checked."""
    values = _step_values(row)
    if values.get("ctx_as_set") == as_set(named("step", row)):
        values |= {"set_by": values.get("ctx_author"), "set_at": values.get("ctx_at")}
    return record(StepSummary, values)


def step_record(row: Row) -> Step:
    """A step as it was last set."""
    return record(Step, _step_values(row))


def _step_values(row: Row) -> dict[str, Any]:
    values = named("step", row)
    try:
        stored = json.loads(values.get("result_supports", "[]"))
    except ValueError:
        raise CorruptRecord(f"Step {values.get('id')} is damaged in: result_supports.") from None
    return {**values, "result_supports": [support(s) for s in stored]}


STEP_PROPERTIES = (
    "kind", "state", "result_event_seq", "updated_seq", "result_basis", "result_supports",
)  # fmt: skip
"""What setting a step sets, as the library does."""


def as_set(props: Mapping[str, Any]) -> str:
    """A digest of what setting a step set: whether it is still as we set it.

    The library leaves our author and time on a step that it sets later.
    """
    return sha256(canonical([props.get(key) for key in STEP_PROPERTIES]))


def document(row: Row) -> Document:
    return document_of(named("document", row))


def document_of(props: Mapping[str, Any]) -> Document:
    """A document from its properties."""
    return record(Document, {"activation_seq": 0, **props})


def version(row: Row) -> DocumentVersion:
    return record(DocumentVersion, named("version", row))


_SUPPORTS = {"document": DocumentSupport, "event": EventSupport, "decision": DecisionSupport}


def support(values: Mapping[str, Any]) -> Support:
    """A support from its properties."""
    kind = _SUPPORTS.get(values.get("kind", ""), DocumentSupport)
    return record(kind, {**values, "gone_at": values.get("ctx_gone_at")})


def decision(
    row: Row, task_name: str, supports: Sequence[Row] = (), *, travelling: bool = False
) -> Decision:
    """A decision as read; `travelling` says that its project's flags still travel.

    Then what is stored as clear reads `unknown`, whatever its status (seed).
    """
    values = named("decision", row)
    if travelling and values.get("review_state") == "clear":
        values["review_state"] = ReviewState.UNKNOWN
    return decision_of(values, task_name, [named("support", s) for s in supports if found(s)])


def decision_of(
    props: Mapping[str, Any], task_name: str, supports: Sequence[Mapping[str, Any]] = ()
) -> Decision:
    """A decision from its properties and those of its supports."""
    values = {k: v for k, v in props.items() if v is not None}
    flagged_us = values.get("ctx_flagged_us")
    return record(
        Decision,
        {
            **values,
            "task_name": task_name,
            "version": values.get("ctx_version", 0),
            "causes": values.get("ctx_causes", []),
            "rejected_at": values.get("ctx_rejected_at"),
            # The library leaves no mark when it deletes a task and keeps its decisions.
            "task_deleted": values.get("ctx_task_gone", False) or not task_name,
            "flagged_at": at_microseconds(flagged_us) if flagged_us else None,
            "supports": sorted((support(s) for s in supports), key=lambda s: s.ordinal),
        },
    )


def verdict(row: Row, conclusion: str | None = None, task_name: str | None = None) -> VerdictRecord:
    """A verdict, with what its decision says and where, if that was read."""
    values = named("verdict", row)
    stored = values.pop("exhibit_json", None)
    joined = {"conclusion": conclusion or "", "task_name": task_name or ""}
    return record(
        VerdictRecord, {**values, **joined, "exhibit": json.loads(stored) if stored else None}
    )


def record[R: Record](kind: type[R], values: Mapping[str, Any]) -> R:
    """A record from its properties.

    Raises `CorruptRecord`, which quotes nothing of what is stored.
    """
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        lacking = ", ".join(sorted(str(e["loc"][0]) for e in error.errors() if e["loc"]))
        name = kind.__name__
        identity = values.get("id", "without an id")
        raise CorruptRecord(f"{name} {identity} is damaged in: {lacking}.") from None


def now_us() -> int:
    """Microseconds since 1970, now."""
    return microseconds(datetime.now(UTC))


def microseconds(at: datetime) -> int:
    """Microseconds since 1970, the integer time of our own properties."""
    since = utc(at) - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def microseconds_of(at: str) -> int:
    """As `microseconds`, of a stored time."""
    return microseconds(datetime.fromisoformat(at))


def at_microseconds(us: int) -> datetime:
    return datetime.fromtimestamp(us / 1_000_000, UTC)


def iso(at: datetime) -> str:
    """A time as the library stores it; such strings sort by time."""
    return utc(at).isoformat()


def utc(at: datetime) -> datetime:
    """A time in UTC, which it is meant in when it names no zone.

    One in the first or last hours of the calendar, which UTC cannot hold, stays as it is written.
    """
    if at.tzinfo is None:
        return at.replace(tzinfo=UTC)
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return at.replace(tzinfo=UTC)


def canonical(value: object) -> str:
    """JSON with sorted keys, no blanks, ASCII only: what digests and seals cover."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
