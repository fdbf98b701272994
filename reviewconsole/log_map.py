"""A whole task's log in one small picture: where much happened, what was decided, where we are.

The picture goes by numbers, at most 120 bars of as many events each. A bar is
high where its events followed each other fast, and carries marks for decisions,
verdicts and flags. Its links are for a pointer; the same stands in words beside it,
in at most twelve lines.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphstore.rows import microseconds
from graphstore.task_log import LogMap, LogSample
from reviewconsole import words
from reviewconsole.addresses import task_url
from reviewconsole.task_log import Place

__all__ = ["Bar", "Drawing", "Line", "draw"]

MOST_BARS = 120
MOST_LINES = 12
LABELS = 4
BASE = 46
LOW, HIGH = 4, 26
"""Heights of bars, in pixels."""
MARKS = (("flag", 2), ("verdict", 8), ("decision", 14))
"""What has a row of marks, and how far from the top it stands, in pixels."""
DAYS_APART = 2 * 86_400


@dataclass(frozen=True)
class Bar:
    """Some events in a row. `x` and `width` are percentages, the rest is in pixels."""

    x: str
    width: str
    y: int
    height: int
    tone: str
    marks: Sequence[tuple[str, int]]
    words: str
    url: str


@dataclass(frozen=True)
class Line:
    """A longer part of the log, in words."""

    words: str
    url: str


@dataclass(frozen=True)
class Drawing:
    """`here_x` and `here_width` frame what the page shows, in percent."""

    bars: Sequence[Bar]
    labels: Sequence[tuple[str, str]]
    lines: Sequence[Line]
    here_x: str = ""
    here_width: str = ""
    capped: bool = False


@dataclass(frozen=True)
class _Part:
    """Events `first` to `last`, from `start` to `end`, and how much of what else happened then."""

    first: int
    last: int
    start: datetime
    end: datetime
    counts: Counter[str]

    @property
    def pace(self) -> float:
        """Events a second; a commit's events have one time, so no part is shorter than one."""
        return (self.last - self.first + 1) / max(1.0, (self.end - self.start).total_seconds())


class _Clock:
    """When each event happened, as far as a map knows."""

    def __init__(self, samples: Sequence[LogSample]) -> None:
        self._numbers = [sample.seq for sample in samples]
        # Writers' clocks differ a little: a time never lies before an earlier number's.
        self._times = list(accumulate((sample.at for sample in samples), max))

    def at(self, seq: int) -> datetime:
        """The time of this event, or of the nearest known one before."""
        return self._times[max(0, bisect_right(self._numbers, seq) - 1)]

    def last_before(self, at: datetime) -> int:
        """The last known number that had happened at `at`."""
        return self._numbers[max(0, bisect_right(self._times, at) - 1)]


def draw(
    project: str,
    task_name: str,
    last_seq: int,
    known: LogMap,
    flagged: Iterable[datetime],
    place: Place,
    shown: tuple[int, int],
) -> Drawing | None:
    """The map of a log; `shown` are the first and last number on the page, 0 for none.

    None when nothing is known of its events.
    """
    if not known.samples:
        return None
    clock = _Clock(known.samples)
    happened = {"flag": flagged, "verdict": known.judged, "decision": known.decided}
    parts = _parts(last_seq, clock, happened)
    first, last = shown

    base = task_url(project, task_name, **place.filters())
    base += "&" if "?" in base else "?"

    def url(part: _Part) -> str:
        if place.show == "decisions":
            return f"{base}since={max(1, microseconds(part.start) - 1)}#log"
        return f"{base}from={part.first}#log"

    return Drawing(
        bars=_bars(parts, last_seq, [url(part) for part in parts]),
        labels=_labels(parts, last_seq),
        lines=[Line(_words(part), url(part)) for part in _together(parts)],
        here_x=_percent(first - 1, last_seq) if first else "",
        here_width=_percent(last - first + 1, last_seq) if first else "",
        capped=known.capped,
    )


def _parts(last_seq: int, clock: _Clock, happened: dict[str, Iterable[datetime]]) -> list[_Part]:
    count = min(MOST_BARS, last_seq)
    edges = [place * last_seq // count for place in range(count + 1)]
    counts = [Counter[str]() for _edge in edges]
    for what, times in happened.items():
        for at in times:
            counts[bisect_right(edges, clock.last_before(at) - 1) - 1][what] += 1
    return [
        _Part(low + 1, high, clock.at(low + 1), clock.at(min(high + 1, last_seq)), counted)
        for (low, high), counted in zip(pairwise(edges), counts, strict=False)
    ]


def _bars(parts: Sequence[_Part], last_seq: int, urls: Sequence[str]) -> list[Bar]:
    paces = [math.log1p(part.pace) for part in parts]
    fastest = max(paces)
    bars: list[Bar] = []
    for part, pace, url in zip(parts, paces, urls, strict=True):
        height = LOW + round((HIGH - LOW) * pace / fastest)
        bars.append(
            Bar(
                x=_percent(part.first - 1, last_seq),
                width=_percent(part.last - part.first + 1, last_seq),
                y=BASE - height,
                height=height,
                tone=next((what for what, _y in MARKS if part.counts[what]), ""),
                marks=[(what, y) for what, y in MARKS if part.counts[what]],
                words=_words(part),
                url=url,
            )
        )
    return bars


def _percent(number: int, of: int) -> str:
    return f"{100 * number / of:.3f}%"


def _labels(parts: Sequence[_Part], last_seq: int) -> list[tuple[str, str]]:
    """Where a time stands below the picture, and which."""
    span = (parts[-1].end - parts[0].start).total_seconds()
    chosen = parts[:: max(1, len(parts) // LABELS)][:LABELS]
    labels: list[tuple[str, str]] = []
    day = ""
    for part in chosen:
        said = _time(part.start, day_only=span > DAYS_APART)
        shown = words.clock_words(part.start) if said == day else said
        labels.append((_percent(part.first - 1, last_seq), shown))
        day = said
    return labels


def _time(at: datetime, *, day_only: bool = False) -> str:
    return words.day_words(at) if day_only else words.moment_words(at)


def _together(parts: Sequence[_Part]) -> list[_Part]:
    """The parts, several as one, so that there are few."""
    size = math.ceil(len(parts) / MOST_LINES)
    groups = [parts[start : start + size] for start in range(0, len(parts), size)]
    return [
        _Part(
            group[0].first,
            group[-1].last,
            group[0].start,
            group[-1].end,
            sum((part.counts for part in group), Counter[str]()),
        )
        for group in groups
    ]


def _words(part: _Part) -> str:
    """What happened in a part, as one sentence."""
    numbers = {"first": f"{part.first:,}", "last": f"{part.last:,}"}
    said = (
        _("Event %(first)s") if part.first == part.last else _("Events %(first)s to %(last)s")
    ) % numbers
    start, end = _time(part.start), _time(part.end)
    when = start if start == end else _("%(start)s to %(end)s") % {"start": start, "end": end}
    decisions, verdicts, flags = (part.counts[what] for what in ("decision", "verdict", "flag"))
    counted = [
        ngettext("%(count)s decision", "%(count)s decisions", decisions) % {"count": decisions}
        if decisions
        else "",
        ngettext("%(count)s verdict", "%(count)s verdicts", verdicts) % {"count": verdicts}
        if verdicts
        else "",
        ngettext("%(count)s flag", "%(count)s flags", flags) % {"count": flags} if flags else "",
    ]
    return " · ".join(filter(None, [said, when, *counted]))
