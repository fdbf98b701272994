"""What every deletion does to those who are left: flags, marks of what is gone, names taken out."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call
from graphstore.changeset import Change, Changeset, Guard, Props, StanceCount
from graphstore.ids import derived_id, sha256
from graphstore.operations.flagging import flag_props, unchanged
from graphstore.operations.record_decision import choice_count
from graphstore.records import ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.rows import Row

EMPTIED = json.dumps({"recorded": False, "error": WriteErrorCode.TASK_NOT_FOUND})
"""The stored result of a request whose task is gone, so that no late retry brings anything back."""


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


def as_seen(identity: str, status: str, review_state: str, version: int | None) -> Guard:
    seen, absent = unchanged(
        {"status": status, "review_state": review_state, "ctx_version": version}
    )
    return Guard("Decision", identity, seen, absent)


def flag_those_left(call: Call, changes: Changeset, staying: Sequence[Cite]) -> dict[str, Props]:
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
        changes.guards.append(as_seen(identity, c.status, c.review_state, c.version))
        flags[identity] = flag_props(ReviewReason.SOURCE_REMOVED, own, since, pending=True)
    return flags


def mark_gone(call: Call, changes: Changeset, staying: Sequence[Cite]) -> None:
    """Supports that point to what goes never count again, and forget the task's name."""
    at = rows.iso(call.at)
    for c in staying:
        name = {"task_name": ""} if c.cause.startswith("event:") else {}
        changes.changes.append(Change("DecisionSupport", c.support_id, {"ctx_gone_at": at, **name}))


def one_less(call: Call, d: Made) -> StanceCount:
    return choice_count(call.project_id, d.choice_key, d.stance or "", -1)


def as_stored(name: str) -> list[str]:
    """How a stored result may repeat the name: as a support's, or as a place in the task's log.

    We escape what is not ASCII there, the library does not.
    """
    written = {json.dumps(name)[:-1], json.dumps(name, ensure_ascii=False)[:-1]}
    return [f"{start}{end}" for start in sorted(written) for end in ('"', "/")]


def without_name(requests: Sequence[Row], name: str, events: Collection[str]) -> list[Change]:
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


def scrub_steps(changes: Changeset, steps: Sequence[Row], events: Collection[str]) -> None:
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


def erased_choices(project_id: str, made: Sequence[Made]) -> tuple[str, ...]:
    """The choices of decisions that go; those that nobody stands on any more go, too."""
    return tuple(sorted({derived_id("CtxChoice", project_id, d.choice_key) for d in made}))


def as_support(name: str) -> str:
    """How the supports of a step's result name the task."""
    return f'"task_name":{json.dumps(name)}'


def fingerprint(parts: Mapping[str, Any], names: Sequence[str]) -> str:
    """What a plan showed, in parts, so that a refusal can say which of them moved."""
    return ".".join(sha256(rows.canonical(parts[name]))[:16] for name in names)


def moved(seen: str | None, now: str, names: Sequence[str]) -> list[str]:
    """The parts of fingerprint `seen` that differ from `now`; none when nothing was passed."""
    if seen is None:
        return []
    before = seen.split(".")
    if len(before) != len(names):
        return list(names)
    pairs = zip(names, before, now.split("."), strict=True)
    return [name for name, was, value in pairs if was != value]
