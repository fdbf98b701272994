"""What readers of a log ask on either engine: filtered stretches, a map, the event of a time."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from graphstore import NewEvent
from graphstore.records import EventKind
from graphstore.store import counting
from graphstore.task_log import (
    LogMap,
    LogStretch,
    map_log,
    number_at,
    read_stretch,
    wanted_words,
)
from tests.contract.looking import decision
from tests.contract.seeding import Heard, Seed, derived
from tests.contract.world import Work

TASK = derived("p", "t")
SAID = ["The first of all.", "ÄRGER im Büro", r'{"content": "A \"quoted\" \u00e4rger"}', "Last."]


@pytest.fixture(autouse=True)
def log(seed: Seed) -> None:
    """A task with four messages."""
    seed.project_node()
    seed.task("t", *SAID)


def stretch(work: Work, after: int = 0, **asked: Any) -> LogStretch:
    found = read_stretch(work.store, "p", "t", after, **asked)
    assert found is not None
    return found


def found(work: Work, text: str) -> list[int]:
    return [event.seq for event in stretch(work, words=wanted_words(text)).events]


def test_a_stretch_is_bounded_on_both_sides(work: Work) -> None:
    """It says how far it looked, when the event before it happened, and when its last did."""
    whole = stretch(work).events
    part = stretch(work, 1, look=2)
    assert [event.seq for event in part.events] == [2, 3]
    assert (part.looked_to, part.last_seq, part.truncated) == (3, 4, True)
    assert (part.since, part.until) == (whole[0].at, whole[2].at)
    rest = stretch(work, 3, look=2)
    assert (rest.looked_to, rest.truncated, rest.until) == (4, False, whole[3].at)
    full = stretch(work, limit=2)
    assert (len(full.events), full.looked_to, full.truncated) == (2, 2, True)
    beyond = stretch(work, 9)
    assert (list(beyond.events), beyond.since, beyond.truncated) == ([], None, False)
    assert read_stretch(work.store, "p", "none", 0) is None


def test_a_stretch_holds_what_is_asked_for(work: Work) -> None:
    """Kinds, an author, words: each alone and together."""
    other = work.by("other").history
    assert other.record_event("t", "note", payload="First again.", name="Lookup").recorded
    assert [e.seq for e in stretch(work, kinds=[EventKind.NOTE]).events] == [5]
    assert [e.seq for e in stretch(work, author="other").events] == [5]
    assert [e.seq for e in stretch(work, author="nobody").events] == []
    assert found(work, "first") == [1, 5]
    assert found(work, "FIRST of") == [1]
    assert found(work, "lookup") == [5]
    assert [e.seq for e in stretch(work, author="other", words=["all"]).events] == []


def test_words_are_found_whatever_their_letters_and_escapes(work: Work) -> None:
    """Also outside of English, and where JSON wrote them another way."""
    assert found(work, "ärger") == found(work, "Ärger") == [2, 3]
    assert found(work, '"quoted') == found(work, "quoted") == [3]
    assert found(work, '"first of"') == [1]
    assert found(work, '"of first"') == found(work, "%") == found(work, ".*") == []


def test_what_is_looked_for_is_a_few_words() -> None:
    """Eight, small, each once; an empty quote is none."""
    assert wanted_words('B "c  D" b "" \0') == ["b", "c  d", '""']
    assert len(wanted_words(" ".join(map(str, range(99))))) == 8


def test_a_map_knows_when_things_happened(work: Work, seed: Seed) -> None:
    """Some events, decisions and verdicts, oldest first, in one read."""
    made = [seed.decision("a", Heard("t", 1)), seed.decision("b")]
    given = work.by("bob").traces.ask_for_review(made[0], "Is it?")
    assert given.recorded
    with counting() as trips:
        drawn = map_log(work.store, "p", "t", 4)
    assert trips.count == 1
    assert [sample.seq for sample in drawn.samples] == [1, 2, 3, 4]
    assert [s.at for s in drawn.samples] == [e.at for e in stretch(work).events]
    assert list(drawn.decided) == [
        datetime.fromisoformat(decision(work.raw, identity)["created_at"]) for identity in made
    ]
    judged = work.traces.list_moments(TASK, None, None).verdicts
    assert list(drawn.judged) == [verdict.at for verdict in judged]
    assert map_log(work.store, "p", "none", 4) == LogMap()


def test_a_time_is_found_by_looking_at_few_events(work: Work) -> None:
    """Before all of them it is the first, after all of them the last."""
    work.history.record_events("t", [NewEvent(EventKind.NOTE, "x")] * 100)
    work.history.record_event("t", "note", payload="y")
    marks = {event.seq: event.at for event in stretch(work, limit=200).events}

    def at(moment: datetime) -> int:
        return number_at(work.store, "p", "t", 105, moment)

    with counting() as trips:
        assert at(marks[105]) == 105
    assert trips.count <= 3
    assert at(marks[5]) == at(marks[4] + timedelta(microseconds=1)) == 5
    assert at(marks[1] - timedelta(days=1)) == 1
    assert at(marks[105] + timedelta(days=1)) == 105


def test_a_log_with_numbers_missing_is_read_to_its_end(work: Work) -> None:
    """Another writer may have left a hole; the list goes on behind it."""
    work.raw.run("MATCH (t:Task {id: $id}) SET t.event_seq = 900", {"id": TASK})
    event = work.history.record_event("t", "note", payload="far").event
    assert event is not None
    assert event.seq == 901
    page = work.history.list_events("t", after_seq=2, limit=10)
    assert [e.seq for e in page.events] == [3, 4, 901]
    assert not page.truncated
