"""One page of a task's timeline: events by number, decisions and verdicts where they happened."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

from graphstore.records import Decision, DecisionStatus, Event, EventKind
from reviewconsole import words
from reviewconsole.addresses import decision_url

__all__ = ["timeline"]

GAP_SECONDS = 3_600

Item = dict[str, Any]

_REAFFIRMED = re.compile(r"Decision ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) reaffirmed\.")
"""The note that a reaffirmation leaves in the log of its task, whoever wrote it."""


def timeline(
    project: str,
    events: Sequence[Event],
    decisions: Iterable[Decision],
    until: datetime | None = None,
) -> list[Item]:
    """Events, decisions, verdicts and long silences in the order in which they happened.

    A reaffirmation stands where its note is, the rejection of a decision shown
    where it was given, unless that is after `until`, the end of the page.
    """
    made = {decision.id: decision for decision in decisions}
    items = [_event(project, event, made) for event in events]
    items += [_decision(project, decision) for decision in made.values()]
    items += [
        _rejection(project, decision)
        for decision in made.values()
        if decision.rejected_at and (until is None or decision.rejected_at <= until)
    ]
    # Of one moment, the event comes first: a decision stands on what was recorded.
    items.sort(key=lambda item: (item["at"], item["kind"] != "event"))
    return _with_gaps(items)


def _item(kind: str, at: datetime, said: str, anchor: str, **more: Any) -> Item:
    empty = {"event": None, "decision": None, "verdict": None, "url": None}
    return {"kind": kind, "at": at, "words": said, "anchor": anchor, **empty, **more}


def _event(project: str, event: Event, made: dict[UUID, Decision]) -> Item:
    anchor, note = f"event-{event.seq}", _REAFFIRMED.fullmatch(event.payload)
    if event.kind == EventKind.NOTE and note:
        judged = UUID(note[1])
        return _item(
            "verdict",
            event.at,
            "reaffirmed",
            anchor,
            event=event,
            decision=made.get(judged),
            verdict={"kind": "reaffirm", "by": event.author, "why": ""},
            url=decision_url(project, judged),
        )
    return _item("event", event.at, words.EVENTS[event.kind], anchor, event=event)


def _decision(project: str, decision: Decision) -> Item:
    revision = f"revision {decision.revision}" if decision.revision > 1 else "decision"
    status = "" if decision.status == DecisionStatus.ACTIVE else f", {decision.status}"
    return _item(
        "decision",
        decision.created_at,
        f"{revision}{status}",
        f"decision-{decision.id}",
        decision=decision,
        url=decision_url(project, decision.id),
    )


def _rejection(project: str, decision: Decision) -> Item:
    why = decision.rejection_reason or ""
    return _item(
        "verdict",
        decision.rejected_at or decision.created_at,
        "rejected",
        f"rejected-{decision.id}",
        decision=decision,
        verdict={"kind": "reject", "by": decision.rejected_by or "", "why": why},
        url=decision_url(project, decision.id),
    )


def _with_gaps(items: Sequence[Item]) -> list[Item]:
    shown = list(items[:1])
    for earlier, later in pairwise(items):
        silence = (later["at"] - earlier["at"]).total_seconds()
        if silence >= GAP_SECONDS:
            said = f"{words.duration_words(silence)} without anything"
            shown.append(_item("gap", later["at"], said, f"gap-{len(shown)}"))
        shown.append(later)
    return shown
