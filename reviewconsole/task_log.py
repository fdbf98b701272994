"""One page of a task's log, read as the address says: from where on, and what of it.

Everything comes by numbers, decisions alone by time, one kind of event by wider
stretches of numbers. Each costs a few round trips, however long the log is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import QueryDict

from graphstore.records import Decision, Event, EventKind, StepSummary
from graphstore.results import EventPage, Moments, TaskView
from graphstore.rows import microseconds
from reviewconsole.access import Scope
from reviewconsole.addresses import task_url
from reviewconsole.timeline import timeline
from reviewconsole.waiting import Filters, from_us, waiting

__all__ = ["KINDS", "LogPage", "Place", "named_decisions", "read_log"]

PAGE = 50
STRETCH = 100
STRETCHES = 4
"""How many numbers a page of one kind looks through: up to 400, in as many reads as it needs."""
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

    @classmethod
    def read(cls, query: QueryDict) -> "Place":
        """The place that an address names; what is not understood is the beginning."""
        show = query.get("show", "")
        first = _number(query.get("from", ""))
        return cls(
            show if show in KINDS or show == "decisions" else "",
            first - 1 if first else _number(query.get("after", "")),
            _number(query.get("since", ""), digits=17),
        )


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
    cut_url: str | None = None
    """Where the rest is, when more was decided between two events than one page holds."""
    named: Named = field(default_factory=dict)


def read_log(scope: Scope, view: TaskView, place: Place, also: Iterable[UUID] = ()) -> LogPage:
    """The page of the log at `place`, and the decisions that `also` names."""
    reader = _Reader(scope, view, place, list(dict.fromkeys(also))[:MOST])
    match place.show:
        case "decisions":
            page = reader.decisions()
        case "":
            page = reader.everything()
        case _:
            page = reader.one_kind()
    steps = _results(view)
    for item in page.items:
        for part in (item, item.get("answer")):
            if part and part["event"]:
                part["steps"] = steps.get(part["event"].seq, [])
    return page


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

    def everything(self) -> LogPage:
        """Fifty events, and what was decided, judged and flagged between them.

        What happened after the last event of the page before belongs to this one.
        """
        after = self.place.after
        before = 1 if after else 0
        shown = self._events(after - before, PAGE + before)
        events, more = [event for event in shown.events if event.seq > after], shown.truncated
        # An address may count further than the log: then nothing belongs to it.
        beyond = bool(after) and (not shown.events or shown.events[0].seq != after)
        since = shown.events[0].at if before and not beyond else None
        until = events[-1].at if events and more else None
        between = self._nothing() if beyond else self._between(since, until)
        last = events[-1].seq if events else after
        return LogPage(
            self._timeline(events, between),
            events[0].seq if events else 0,
            last,
            next_url=self._url(after=last) if more else None,
            previous_url=self._url(after=max(0, after - PAGE) or None) if after else None,
            first_url=self._url() if after > PAGE else None,
            cut_url=self._since(between.complete_until),
            named=self._found(between.moments),
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
            first_url=self._url(show="decisions") if since else None,
            named=self._found(between.moments),
        )

    def one_kind(self) -> LogPage:
        """Events of one kind among the next numbers, looked through until there are enough."""
        kinds, show = KINDS[self.place.show], self.place.show
        after, more, found = self.place.after, True, list[Event]()
        for _ in range(STRETCHES):
            shown = self._events(after, STRETCH)
            found += [event for event in shown.events if event.kind in kinds]
            after, more = shown.events[-1].seq if shown.events else after, shown.truncated
            if not more or len(found) >= PAGE:
                break
        return LogPage(
            self._timeline(found, _Between(Moments(), []), parts=True),
            self.place.after + 1 if after > self.place.after else 0,
            after,
            next_url=self._url(show=show, after=after) if more else None,
            first_url=self._url(show=show) if self.place.after else None,
            named=named_decisions(self.scope, self.view, self.also),
        )

    def _timeline(
        self, events: list[Event], between: "_Between", *, parts: bool = False
    ) -> list[dict[str, Any]]:
        return timeline(
            self.scope.project_id,
            self.view.task_name,
            events,
            between.moments,
            between.flagged,
            parts=parts,
        )

    def _events(self, after: int, limit: int) -> EventPage:
        return self.scope.history.list_events(self.view.task_name, after_seq=after, limit=limit)

    def _nothing(self) -> "_Between":
        """Nothing that happened, only the decisions that the caller named."""
        return _Between(_read_named(self.scope, self.view, self.also), [])

    def _found(self, moments: Moments) -> Named:
        return {identity: moments.others.get(identity) for identity in self.also}

    def _between(
        self, since: datetime | None, until: datetime | None, limit: int = MOST
    ) -> "_Between":
        flags = self._flags(since, until)
        moments = self.scope.traces.list_moments(
            self.view.task.id,
            since,
            until,
            also=[*(decision_id for _, decision_id in flags), *self.also],
            limit=limit,
        )
        seen = {**moments.others, **{one.id: one for one in moments.decisions}}
        flagged = [
            one
            for one in seen.values()
            if one.task_id == self.view.task.id and _within(one.flagged_at, since, until)
        ]
        return _Between(moments, flagged, from_us(flags[-1][0]) if len(flags) == MOST else None)

    def _flags(self, since: datetime | None, until: datetime | None) -> list[tuple[int, UUID]]:
        """The task's decisions that wait since some time of this span, as the index knows them."""
        rows = waiting(self.scope.project_id, Filters(task=self.view.task.id))
        if since:
            rows = rows.filter(flagged_us__gt=microseconds(since))
        if until:
            rows = rows.filter(flagged_us__lte=microseconds(until))
        rows = rows.order_by("flagged_us", "decision_id")
        return list(rows.values_list("flagged_us", "decision_id")[:MOST])

    def _url(self, **query: str | int | None) -> str:
        return task_url(self.scope.project_id, self.view.task_name, **query)

    def _since(self, end: datetime | None) -> str | None:
        """Where what was decided after `end` is listed; without an end, nowhere."""
        return self._url(show="decisions", since=microseconds(end)) if end else None


@dataclass(frozen=True)
class _Between:
    """What was decided, judged and flagged in a span of time."""

    moments: Moments
    flagged: list[Decision]
    flags_until: datetime | None = None

    @property
    def complete_until(self) -> datetime | None:
        """The time after which something may be missing; None when nothing is."""
        ends = [end for end in (self.moments.complete_until, self.flags_until) if end]
        return min(ends) if ends else None


def _within(at: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    return at is not None and (since is None or at > since) and (until is None or at <= until)


def named_decisions(scope: Scope, view: TaskView, ids: Iterable[UUID]) -> Named:
    """The first 200 decisions of `ids` in one read, None for each that is gone."""
    wanted = list(dict.fromkeys(ids))[:MOST]
    found = _read_named(scope, view, wanted).others
    return {identity: found.get(identity) for identity in wanted}


def _read_named(scope: Scope, view: TaskView, ids: list[UUID]) -> Moments:
    if not ids:
        return Moments()
    return scope.traces.list_moments(view.task.id, NEVER, NEVER, also=ids)
