"""A task's log as a page shows it: events, decisions, verdicts and flags where they happened."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from graphstore.records import (
    Decision,
    DecisionStatus,
    Event,
    EventKind,
    ReviewState,
    VerdictKind,
    VerdictRecord,
)
from graphstore.results import Moments
from reviewconsole import words
from reviewconsole.addresses import decision_url, event_url, verdict_url
from reviewconsole.payloads import said

__all__ = ["Lifted", "timeline"]

GAP_SECONDS = 3_600
_ONE_MOMENT = timedelta(seconds=1)
"""What one commit wrote has one time; other writers may take two looks at the clock."""

Item = dict[str, Any]


class Lifted(NamedTuple):
    """A flag that a verdict, or the record itself, took away since."""

    at: datetime
    reason: str
    decision: Decision


_REAFFIRMED = re.compile(r"Decision ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) reaffirmed\.")
"""The note that a reaffirmation leaves in the log of its task, whoever wrote it."""

_TOOLS = (EventKind.TOOL_CALL, EventKind.TOOL_RESULT)
_ORDER = {"event": 0, "decision": 1, "verdict": 2, "flag": 3}
"""Of one moment, the event comes first: a decision stands on what was recorded."""


def timeline(
    project: str,
    task_name: str,
    events: Sequence[Event],
    moments: Moments,
    flagged: Iterable[Decision] = (),
    lifted: Iterable[Lifted] = (),
    *,
    parts: bool = False,
    since: datetime | None = None,
) -> list[Item]:
    """What happened, in order, with long silences marked.

    `flagged` are decisions whose flags belong on this page, `lifted` flags that are gone. `parts` says that only
    some kinds are shown, so that nothing is known of what lies between them. `since` is
    when the page before ended.
    """
    made = {decision.id: decision for decision in moments.decisions}
    known = {**moments.others, **made}
    judged = [_verdict(project, verdict, known) for verdict in moments.verdicts]
    judged += _rejected_elsewhere(project, made.values(), moments.verdicts)
    said_twice = {note.id for note in _notes(project, task_name, events, judged)}
    items = [
        _event(project, task_name, event, known) for event in events if event.id not in said_twice
    ]
    replacing = {item["new"].id for item in judged if item["new"]}
    items += [_decision(project, one) for one in made.values() if one.id not in replacing]
    items += judged
    items += _flags(project, flagged, lifted, moments.verdicts)
    items.sort(key=lambda item: (item["at"], _ORDER[item["kind"]]))
    return _with_gaps(_paired(items), since, parts=parts)


def _item(kind: str, at: datetime, said: str, anchor: str, **more: Any) -> Item:
    empty = {"event": None, "decision": None, "new": None, "verdict": None, "url": None}
    return {"kind": kind, "at": at, "words": said, "anchor": anchor, **empty, **more}


# Events


def _event(project: str, task_name: str, event: Event, known: Mapping[UUID, Decision]) -> Item:
    judged = _reaffirmed(event)
    link = event_url(project, task_name, event.seq)
    if judged:
        return _item(
            "verdict",
            event.at,
            words.JUDGED[VerdictKind.REAFFIRM],
            f"event-{event.seq}",
            event=event,
            decision=known.get(judged),
            verdict={"kind": "reaffirm", "by": event.author, "why": ""},
            url=decision_url(project, judged),
            link=link,
        )
    told = said(event)
    return _item(
        "event",
        event.at,
        words.EVENTS[event.kind],
        f"event-{event.seq}",
        event=event,
        text=told.text,
        call_id=told.call_id,
        answer=None,
        answered_by=None,
        answers=None,
        link=link,
    )


def _reaffirmed(event: Event) -> UUID | None:
    """The decision that this note says was reaffirmed."""
    note = _REAFFIRMED.fullmatch(event.payload) if event.kind == EventKind.NOTE else None
    return UUID(note[1]) if note else None


def _notes(
    project: str, task_name: str, events: Iterable[Event], judged: Iterable[Item]
) -> list[Event]:
    """The notes that say again what a verdict says; each gives that verdict its number."""
    waiting: dict[UUID, list[Item]] = defaultdict(list)
    for item in judged:
        if item["verdict"]["kind"] == VerdictKind.REAFFIRM:
            waiting[item["verdict"]["decision_id"]].append(item)
    notes: list[Event] = []
    for event in events:
        decision_id = _reaffirmed(event)
        for item in waiting.get(decision_id, []) if decision_id else []:
            if item["event"] is None and abs(item["at"] - event.at) < _ONE_MOMENT:
                item["event"], item["anchor"] = event, f"event-{event.seq}"
                item["link"] = event_url(project, task_name, event.seq)
                notes.append(event)
                break
    return notes


def _paired(items: Iterable[Item]) -> list[Item]:
    """Results put to the calls that they answer, where nothing but tools stands between.

    Where something does, both stay in their place, and each names the other.
    """
    shown: list[Item] = []
    calls: dict[str, Item] = {}
    apart: dict[str, Item] = {}
    for item in items:
        event = item["event"]
        if item["kind"] != "event" or event.kind not in _TOOLS:
            apart |= calls
            calls.clear()
        elif event.kind == EventKind.TOOL_CALL and item["call_id"]:
            calls.setdefault(item["call_id"], item)
        elif call := calls.pop(item["call_id"] or "", None):
            _put_together(call, item)
            continue
        elif call := apart.pop(item["call_id"] or "", None):
            call["answered_by"], item["answers"] = event, call["event"]
        shown.append(item)
    return shown


def _put_together(call: Item, result: Item) -> None:
    seconds = (result["at"] - call["at"]).total_seconds()
    first, last = call["event"].seq, result["event"].seq
    call["answer"] = result
    call["numbers"] = f"{first}–{last}" if last == first + 1 else f"{first}, {last}"
    call["took"] = "" if seconds < 1 else words.span_words(seconds)


# Decisions and what became of them


def _decision(project: str, decision: Decision) -> Item:
    revision = (
        _("revision %(number)s") % {"number": decision.revision}
        if decision.revision > 1
        else _("decision")
    )
    active = decision.status == DecisionStatus.ACTIVE
    status = "" if active else f", {words.STATUSES[decision.status]}"
    return _item(
        "decision",
        decision.created_at,
        f"{revision}{status}",
        f"decision-{decision.id}",
        decision=decision,
        url=decision_url(project, decision.id),
    )


def _verdict(project: str, verdict: VerdictRecord, known: Mapping[UUID, Decision]) -> Item:
    new = known.get(verdict.new_decision_id) if verdict.new_decision_id else None
    return _item(
        "verdict",
        verdict.at,
        words.JUDGED[verdict.kind],
        f"decision-{new.id}" if new else f"verdict-{verdict.id}",
        decision=known.get(verdict.decision_id),
        new=new,
        verdict={
            "kind": verdict.kind.value,
            "decision_id": verdict.decision_id,
            "by": verdict.by,
            "why": verdict.why,
            "ground": _small(words.GROUNDS[verdict.ground]) if verdict.ground else "",
            "withdrawn_by": verdict.withdrawn_by,
            "withdrawn_at": verdict.withdrawn_at,
        },
        url=decision_url(project, verdict.decision_id),
        new_url=decision_url(project, new.id) if new else None,
        verdict_url=verdict_url(project, verdict.id),
    )


def _small(sentence: str) -> str:
    """To follow a colon."""
    return sentence[:1].lower() + sentence[1:]


def _rejected_elsewhere(
    project: str, decisions: Iterable[Decision], verdicts: Iterable[VerdictRecord]
) -> list[Item]:
    """Rejections of decisions of this page that left a time and no verdict's record."""
    recorded = {v.decision_id for v in verdicts if v.kind is VerdictKind.REJECT}
    return [
        _item(
            "verdict",
            decision.rejected_at,
            words.JUDGED[VerdictKind.REJECT],
            f"rejected-{decision.id}",
            decision=decision,
            verdict={
                "kind": VerdictKind.REJECT.value,
                "decision_id": decision.id,
                "by": decision.rejected_by or "",
                "why": decision.rejection_reason or "",
            },
            url=decision_url(project, decision.id),
        )
        for decision in decisions
        if decision.rejected_at and decision.id not in recorded
    ]


def _flags(
    project: str,
    decisions: Iterable[Decision],
    lifted: Iterable[Lifted],
    verdicts: Iterable[VerdictRecord],
) -> list[Item]:
    """Flags that are still there, and those that were; of one moment and reason together.

    A flag that came with the decision shows on it, one that somebody asked for is a
    verdict already.
    """
    asked = {(v.decision_id, v.at) for v in verdicts if v.kind is VerdictKind.ASK}
    groups: dict[tuple[datetime, str, bool], dict[UUID, Decision]] = defaultdict(dict)
    for decision in decisions:
        at = decision.flagged_at
        if at and _waits(decision):
            groups[at, str(decision.review_reason or ""), False][decision.id] = decision
    for flag in lifted:
        groups[flag.at, flag.reason, True][flag.decision.id] = flag.decision
    items: list[Item] = []
    for (at, reason, gone), flagged in groups.items():
        shown = [
            decision
            for decision in flagged.values()
            if at > decision.created_at and (decision.id, at) not in asked
        ]
        if shown:
            together = [{"decision": one, "url": decision_url(project, one.id)} for one in shown]
            anchor = f"flag-{shown[0].id}"
            said = words.reason_words(reason)
            more = {"reason": reason, "flagged": together, "lifted": gone}
            items.append(_item("flag", at, said, anchor, **more))
    return items


def _waits(decision: Decision) -> bool:
    return (
        decision.status == DecisionStatus.ACTIVE
        and decision.review_state == ReviewState.NEEDS_REVIEW
    )


# Silences


def _with_gaps(items: Sequence[Item], since: datetime | None, *, parts: bool) -> list[Item]:
    shown: list[Item] = []
    ended = since
    for item in items:
        silence = (item["at"] - ended).total_seconds() if ended else 0
        if silence >= GAP_SECONDS:
            said = _("%(time)s later") if parts else _("%(time)s without anything")
            said %= {"time": words.duration_words(silence)}
            shown.append(_item("gap", item["at"], said, f"gap-{len(shown)}"))
        shown.append(item)
        ended = _end_of(item)
    return shown


def _end_of(item: Item) -> datetime:
    answer = item.get("answer")
    return answer["at"] if answer else item["at"]
