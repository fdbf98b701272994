"""A task's log for readers: filtered stretches of it, the whole from far away, a time in it.

However long a log is, each of these reads a bounded part of it, found by numbers.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphstore import rows
from graphstore.records import Event, EventKind
from graphstore.rows import Row
from graphstore.store import GraphStore

__all__ = [
    "MAX_STRETCH",
    "LogMap",
    "LogSample",
    "LogStretch",
    "map_log",
    "number_at",
    "read_stretch",
    "wanted_words",
]

MAX_STRETCH = 20_000
"""How many numbers one filtered read looks through."""
MAX_EVENTS = 200
MAX_WORDS_STRETCH = 10_000
"""The same when bodies are searched, which may be long."""
MAX_SAMPLES = 360
MAX_MARKS = 2_000
"""How many decisions, and how many verdicts, a map knows the times of."""
MAX_WORDS = 8
_LONGEST = 200
_PROBES = 500
_WORD = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True)
class LogStretch:
    """Events after one number up to another that are what was asked for.

    `looked_to` is the last number that was looked at: when `truncated` it is that of the
    last event, and what follows may hold more. `since` is when the event before the
    stretch happened, `until` when its last number did; None where there is no such event.
    """

    events: Sequence[Event]
    looked_to: int
    last_seq: int
    truncated: bool = False
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class LogSample:
    """When one event happened, and who wrote it."""

    seq: int
    at: datetime
    author: str


@dataclass(frozen=True)
class LogMap:
    """Every so many events, and when something was decided or judged, in order of time.

    `capped` says that there were more decisions or verdicts than are counted here.
    """

    samples: Sequence[LogSample] = ()
    decided: Sequence[datetime] = ()
    judged: Sequence[datetime] = ()
    capped: bool = False


def wanted_words(text: str) -> list[str]:
    """The first eight words to look for, in small letters; what stands in quotes is one."""
    found = (quoted or word for quoted, word in _WORD.findall(text[:_LONGEST]))
    words = (word.strip().lower().replace("\0", "") for word in found)
    return list(dict.fromkeys(word for word in words if word))[:MAX_WORDS]


def read_stretch(
    store: GraphStore,
    project_id: str,
    task_name: str,
    after_seq: int,
    *,
    look: int = MAX_STRETCH,
    kinds: Iterable[EventKind] = (),
    author: str = "",
    words: Sequence[str] = (),
    limit: int = 50,
) -> LogStretch | None:
    """The first `limit` (1 to 200) events among the `look` (1 to 20,000) numbers after `after_seq`.

    With words among at most 10,000. Without filters all of them. `words` are looked for without regard to small and
    capital letters, all of them in one event's body or name; a redacted event has none.
    None when there is no such task.
    """
    size = max(1, min(limit, MAX_EVENTS))
    first = max(0, after_seq)
    until = first + max(1, min(look, MAX_WORDS_STRETCH if words else MAX_STRETCH))
    p: dict[str, Any] = {
        "project_id": project_id,
        "name": task_name,
        "after_seq": first,
        "until": until,
        "edges": [first, until],
        "kinds": [kind.value for kind in kinds],
        "author": author,
        "words": [_spellings(word) for word in words],
        "limit": size + 1,
    }
    found = store.read("log_page", p)
    if not found:
        return None
    last, edges, listed = found[0]
    times = {seq: _time(at) for seq, at in edges}
    events = [rows.event(row) for row in listed]
    shown = events[:size]
    truncated = len(events) > size
    looked_to = shown[-1].seq if truncated else min(until, last)
    ends = {event.seq: event.at for event in shown[-1:]}
    return LogStretch(
        events=shown,
        looked_to=looked_to,
        last_seq=last,
        truncated=truncated or looked_to < last,
        since=times.get(first),
        until=(times | ends).get(looked_to),
    )


def _spellings(word: str) -> list[str]:
    """A word as a body may hold it: as it is, or inside of JSON, with or without escapes.

    An escape says nothing of small and capital letters, so that of each is looked for.
    """
    inside = json.dumps(word, ensure_ascii=False)[1:-1]
    cases = (word, word.upper(), word.capitalize())
    escaped = [json.dumps(case)[1:-1].lower() for case in cases]
    return list(dict.fromkeys([word, inside, *escaped]))


def map_log(store: GraphStore, project_id: str, task_name: str, last_seq: int) -> LogMap:
    """At most 360 events of a log, evenly spaced, with the first and the last. One read."""
    p: dict[str, Any] = {
        "project_id": project_id,
        "name": task_name,
        "numbers": _spread(1, last_seq, MAX_SAMPLES),
        "limit": MAX_MARKS + 1,
    }
    found = store.read("log_map", p)
    if not found:
        return LogMap()
    sampled, decided, judged = found[0]
    return LogMap(
        samples=sorted((_sample(row) for row in sampled), key=lambda sample: sample.seq),
        decided=sorted(map(_time, decided[:MAX_MARKS])),
        judged=sorted(map(rows.at_microseconds, judged[:MAX_MARKS])),
        capped=max(len(decided), len(judged)) > MAX_MARKS,
    )


def number_at(
    store: GraphStore, project_id: str, task_name: str, last_seq: int, at: datetime
) -> int:
    """The number of the first event at `at` or later; without one, the last number.

    A few reads: each looks at up to 500 numbers between those known to be before and after.
    """
    before, after = 0, last_seq
    while after - before > 1:
        numbers = _spread(before + 1, after - 1, _PROBES)
        p = {"project_id": project_id, "name": task_name, "numbers": numbers}
        found = sorted((seq, _time(text)) for seq, text in store.read("event_times", p))
        if not found:
            break
        after = next((seq for seq, time in found if time >= at), after)
        before = max((seq for seq, _ in found if seq < after), default=before)
    return after


def _spread(first: int, last: int, most: int) -> list[int]:
    """At most `most` numbers from `first` to `last`, both among them, evenly spaced."""
    count = last - first + 1
    if count <= most:
        return list(range(first, last + 1))
    return sorted({first + (count - 1) * place // (most - 1) for place in range(most)})


def _sample(row: Row) -> LogSample:
    seq, at, author = row
    return LogSample(seq, _time(at), author)


def _time(text: str) -> datetime:
    return rows.utc(datetime.fromisoformat(text))
