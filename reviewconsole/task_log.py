"""One page of a task's log, read as the address says: from where on, and what of it.

Everything comes by numbers, decisions alone by time, what is filtered by wider
stretches of numbers. Each costs a few round trips, however long the log is.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import QueryDict

from graphstore.records import Decision, Event, EventKind, StepSummary, VerdictRecord
from graphstore.results import Moments, TaskView
from graphstore.rows import at_microseconds, microseconds
from graphstore.task_log import MAX_STRETCH, LogStretch, read_stretch, wanted_words
from reviewconsole.access import Scope
from reviewconsole.addresses import task_url
from reviewconsole.models import FlaggedDecision
from reviewconsole.payloads import said
from reviewconsole.timeline import Lifted, timeline
from reviewconsole.waiting import from_us

__all__ = ["KINDS", "PAGE", "LogPage", "Place", "flags_of", "named_decisions", "read_log"]

PAGE = 50
SPARE = 20
"""How many results of tools may follow on a page that ends with their calls."""
LONGEST = 200
SHOWS = 200
"""So many letters of a body show although it is folded, however narrow the screen is."""
AROUND = 80
MOST = 200
NEVER = datetime.fromtimestamp(0, UTC)

Named = dict[UUID, Decision | None]

KINDS: dict[str, tuple[EventKind, ...]] = {
    "messages": (EventKind.MESSAGE,),
    "tools": (EventKind.TOOL_CALL, EventKind.TOOL_RESULT),
    "notes": (EventKind.NOTE,),
}


@dataclass(frozen=True)
class Place:
    """Where in a log, and what of it. As text: the query of the address."""

    show: str = ""
    after: int = 0
    since_us: int = 0
    by: str = ""
    words: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "Place":
        """The place that an address names; what is not understood is the beginning."""
        show = query.get("show", "")
        first = _number(query.get("from", ""))
        return cls(
            show if show in KINDS or show == "decisions" else "",
            first - 1 if first else _number(query.get("after", "")),
            _number(query.get("since", ""), digits=17),
            query.get("by", "").strip()[:LONGEST],
            query.get("words", "").strip()[:LONGEST],
        )

    @property
    def narrowed(self) -> bool:
        """Whether an author or words are asked for."""
        return bool(self.by or self.words)

    def filters(self, **changes: str | int | None) -> dict[str, str | int | None]:
        """The query of an address with the same filters, somewhere else in the log."""
        return {"show": self.show, "by": self.by, "words": self.words, **changes}

    def query(self) -> dict[str, str | int | None]:
        """The query of an address that says all of this."""
        return self.filters(after=self.after or None, since=self.since_us or None)


def _number(text: str, digits: int = 9) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else 0


@dataclass(frozen=True)
class LogPage:
    """`first` and `last` are the numbers looked through.

    `named` holds what was asked for besides, None for a decision that is gone.
    """

    items: list[dict[str, Any]]
    first: int = 0
    last: int = 0
    next_url: str | None = None
    previous_url: str | None = None
    first_url: str | None = None
    last_url: str | None = None
    cut_url: str | None = None
    """Where the rest is, when more was decided between two events than one page holds."""
    named: Named = field(default_factory=dict)
    authors: list[str] = field(default_factory=list)
    """Who wrote the events that are shown."""


def read_log(scope: Scope, view: TaskView, place: Place, also: Iterable[UUID] = ()) -> LogPage:
    """The page of the log at `place`, and the decisions that `also` names."""
    reader = _Reader(scope, view, place, list(dict.fromkeys(also))[:MOST])
    page = reader.decisions() if place.show == "decisions" else reader.events()
    steps = _results(view)
    for item in page.items:
        for part in (item, item.get("answer")):
            if part and part["event"]:
                part["steps"] = steps.get(part["event"].seq, [])
                part["found"] = _found(part.get("text", ""), place)
    return page


def _found(text: str, place: Place) -> tuple[str, str, str] | None:
    """The first word that was looked for, with what stands around it, unless it shows anyway."""
    for word in wanted_words(place.words):
        match = re.search(re.escape(word), text, re.IGNORECASE)
        if match and match.start() > SHOWS:
            start, end = match.span()
            return text[max(0, start - AROUND) : start], match[0], text[end : end + AROUND]
    return None


def _results(view: TaskView) -> dict[int, list[StepSummary]]:
    """The steps whose result an event holds, by its number."""
    found: dict[int, list[StepSummary]] = {}
    for step in (step for steps in view.steps.values() for step in steps):
        if step.result_event_seq is not None:
            found.setdefault(step.result_event_seq, []).append(step)
    return found


@dataclass(frozen=True)
class _Reader:
    scope: Scope
    view: TaskView
    place: Place
    also: list[UUID]

    def events(self) -> LogPage:
        """Fifty events, and what was decided, judged and flagged between them.

        What happened after the last event of the page before belongs to this one. With
        filters, those of the next 20,000 numbers that are asked for.
        """
        place, after = self.place, self.place.after
        parts = bool(place.show or place.narrowed)
        stretch = self._stretch(look=MAX_STRETCH if parts else PAGE + SPARE)
        events = list(stretch.events) if parts else _with_answers(stretch.events)
        whole = len(events) == len(stretch.events)
        last = max(after, stretch.looked_to if whole else events[-1].seq)
        more = last < stretch.last_seq
        until = (stretch.until if whole else events[-1].at) if more else None
        # An address may count further than the log: then nothing belongs to it.
        beyond = bool(after) and stretch.since is None
        between = self._nothing() if beyond or place.show else self._between(stretch.since, until)
        return LogPage(
            self._timeline(events, between, parts=parts, since=stretch.since),
            after + 1 if last > after else 0,
            last,
            next_url=self._url(after=last) if more else None,
            previous_url=None
            if parts or not after
            else self._url(after=max(0, after - PAGE) or None),
            first_url=self._url() if after > (0 if parts else PAGE) else None,
            last_url=self._url(after=stretch.last_seq - PAGE)
            if not parts and stretch.last_seq - last > PAGE
            else None,
            cut_url=self._since(between.complete_until),
            named=self._found(between.moments),
            authors=sorted({event.author for event in events}),
        )

    def decisions(self) -> LogPage:
        """Fifty decisions and fifty verdicts with the flags of their time, without any event."""
        since = from_us(self.place.since_us or None)
        between = self._between(since, None, limit=PAGE)
        end = between.complete_until
        items = self._timeline([], between, parts=True)
        return LogPage(
            [item for item in items if end is None or item["at"] <= end],
            next_url=self._since(end),
            first_url=self._url() if since else None,
            named=self._found(between.moments),
            authors=sorted({one.author for one in between.moments.decisions}),
        )

    def _stretch(self, look: int) -> LogStretch:
        place = self.place
        found = read_stretch(
            self.scope.store,
            self.scope.project_id,
            self.view.task_name,
            place.after,
            look=look,
            kinds=KINDS.get(place.show, ()),
            author=place.by,
            words=wanted_words(place.words),
            limit=PAGE if place.show or place.narrowed else PAGE + SPARE,
        )
        return found or LogStretch([], place.after, 0)

    def _timeline(
        self,
        events: list[Event],
        between: "_Between",
        *,
        parts: bool = False,
        since: datetime | None = None,
    ) -> list[dict[str, Any]]:
        asked = between.asked_for(self.place) if self.place.narrowed else between
        return timeline(
            self.scope.project_id,
            self.view.task_name,
            events,
            asked.moments,
            asked.flagged,
            asked.lifted,
            parts=parts,
            since=None if parts else since,
        )

    def _nothing(self) -> "_Between":
        """Nothing that happened, only the decisions that the caller named."""
        return _Between(_read_named(self.scope, self.view, self.also), [], [])

    def _found(self, moments: Moments) -> Named:
        return {identity: moments.others.get(identity) for identity in self.also}

    def _between(
        self, since: datetime | None, until: datetime | None, limit: int = MOST
    ) -> "_Between":
        flags = list(flags_of(self.scope, self.view, since, until)[:MOST])
        moments = self.scope.traces.list_moments(
            self.view.task.id,
            since,
            until,
            also=[*(flag.decision_id for flag in flags), *self.also],
            limit=limit,
        )
        seen = {**moments.others, **{one.id: one for one in moments.decisions}}
        flagged = [
            one
            for one in seen.values()
            if one.task_id == self.view.task.id and _within(one.flagged_at, since, until)
        ]
        lifted = [
            Lifted(at_microseconds(flag.flagged_us), flag.reason, seen[flag.decision_id])
            for flag in flags
            if flag.cleared_us and not flag.inferred and flag.decision_id in seen
        ]
        end = at_microseconds(flags[-1].flagged_us) if len(flags) == MOST else None
        return _Between(moments, flagged, lifted, end)

    def _url(self, **query: str | int | None) -> str:
        return task_url(self.scope.project_id, self.view.task_name, **self.place.filters(**query))

    def _since(self, end: datetime | None) -> str | None:
        """Where what was decided after `end` is listed; without an end, nowhere."""
        return self._url(show="decisions", since=microseconds(end)) if end else None


@dataclass(frozen=True)
class _Between:
    """What was decided, judged and flagged in a span of time."""

    moments: Moments
    flagged: list[Decision]
    lifted: list[Lifted]
    flags_until: datetime | None = None

    @property
    def complete_until(self) -> datetime | None:
        """The time after which something may be missing; None when nothing is."""
        ends = [end for end in (self.moments.complete_until, self.flags_until) if end]
        return min(ends) if ends else None

    def asked_for(self, place: Place) -> "_Between":
        """What of it the author decided or judged, and has the words."""
        words, moments = wanted_words(place.words), self.moments
        known = {**moments.others, **{one.id: one for one in moments.decisions}}

        def wanted(author: str, *texts: str) -> bool:
            text = "\n".join(texts).lower()
            return place.by in ("", author) and all(word in text for word in words)

        def judged(verdict: VerdictRecord) -> bool:
            about = known.get(verdict.decision_id)
            return wanted(verdict.by, verdict.why, about.conclusion if about else "")

        def decided(decision: Decision) -> bool:
            return wanted(decision.author, decision.conclusion, decision.rationale)

        found = moments.model_copy(
            update={
                "decisions": [one for one in moments.decisions if decided(one)],
                "verdicts": [one for one in moments.verdicts if judged(one)],
            }
        )
        return _Between(
            found,
            [one for one in self.flagged if decided(one)],
            [flag for flag in self.lifted if decided(flag.decision)],
            self.flags_until,
        )


def _with_answers(events: Sequence[Event]) -> list[Event]:
    """A page of events, and after it the results of tools that it called, if nothing else is between."""
    shown = list(events[:PAGE])
    called = {said(one).call_id for one in shown if one.kind == EventKind.TOOL_CALL}
    called -= {said(one).call_id for one in shown if one.kind == EventKind.TOOL_RESULT}
    for event in events[PAGE:]:
        if event.kind != EventKind.TOOL_RESULT or said(event).call_id not in called - {None}:
            break
        shown.append(event)
    return shown


def _within(at: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    return at is not None and (since is None or at > since) and (until is None or at <= until)


def flags_of(
    scope: Scope, view: TaskView, since: datetime | None = None, until: datetime | None = None
) -> QuerySet[FlaggedDecision]:
    """The flags of a task's decisions in a span, as the index knows them, oldest first.

    Also those in the backlog, and those that a verdict lifted; of each decision the last.
    """
    rows = FlaggedDecision.objects.filter(project_id=scope.project_id, task_id=view.task.id)
    if since:
        rows = rows.filter(flagged_us__gt=microseconds(since))
    if until:
        rows = rows.filter(flagged_us__lte=microseconds(until))
    return rows.order_by("flagged_us", "decision_id")


def named_decisions(scope: Scope, view: TaskView, ids: Iterable[UUID]) -> Named:
    """The first 200 decisions of `ids` in one read, None for each that is gone."""
    wanted = list(dict.fromkeys(ids))[:MOST]
    found = _read_named(scope, view, wanted).others
    return {identity: found.get(identity) for identity in wanted}


def _read_named(scope: Scope, view: TaskView, ids: list[UUID]) -> Moments:
    if not ids:
        return Moments()
    return scope.traces.list_moments(view.task.id, NEVER, NEVER, also=ids)
