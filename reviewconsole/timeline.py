"""One page of a task's timeline: events by number, decisions where they were made."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from graphstore.records import Decision, DecisionStatus, Event
from reviewconsole import words
from reviewconsole.addresses import decision_url

__all__ = ["timeline"]

GAP_SECONDS = 3_600

Item = dict[str, Any]


def timeline(
    project: str,
    events: Sequence[Event],
    decisions: Iterable[Decision],
    *,
    first_page: bool,
    last_page: bool,
) -> list[Item]:
    """Events, decisions and long silences in the order in which they happened.

    A decision stands on the page whose events surround it in time; what came
    before the first event stands on the first page, what came after the last one
    on the last.
    """
    start = None if first_page or not events else events[0].at
    end = None if last_page or not events else events[-1].at
    items = [_event(event) for event in events]
    items += [
        _decision(project, decision)
        for decision in decisions
        if (start is None or decision.created_at >= start)
        and (end is None or decision.created_at < end)
    ]
    # Of one moment, the event comes first: a decision stands on what was recorded.
    items.sort(key=lambda item: (item["at"], item["kind"] == "decision"))
    return _with_gaps(items)


def _event(event: Event) -> Item:
    return {
        "kind": "event",
        "event": event,
        "decision": None,
        "verdict": None,
        "at": event.at,
        "words": words.EVENTS[event.kind],
        "url": None,
        "anchor": f"event-{event.seq}",
    }


def _decision(project: str, decision: Decision) -> Item:
    revision = f"revision {decision.revision}" if decision.revision > 1 else "decision"
    status = "" if decision.status == DecisionStatus.ACTIVE else f", {decision.status}"
    return {
        "kind": "decision",
        "event": None,
        "decision": decision,
        "verdict": None,
        "at": decision.created_at,
        "words": f"{revision}{status}",
        "url": decision_url(project, decision.id),
        "anchor": f"decision-{decision.id}",
    }


def _with_gaps(items: Sequence[Item]) -> list[Item]:
    shown = list(items[:1])
    for earlier, later in pairwise(items):
        silence = (later["at"] - earlier["at"]).total_seconds()
        if silence >= GAP_SECONDS:
            shown.append(_gap(later["at"], silence, len(shown)))
        shown.append(later)
    return shown


def _gap(until: datetime, seconds: float, place: int) -> Item:
    return {
        "kind": "gap",
        "event": None,
        "decision": None,
        "verdict": None,
        "at": until,
        "words": f"{words.duration_words(seconds)} without anything",
        "url": None,
        "anchor": f"gap-{place}",
    }
