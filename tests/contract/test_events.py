"""Events: numbered without gaps, cut at 32,000 characters, never recorded twice."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graphstore import NewEvent
from graphstore.records import EventKind
from graphstore.store import counting
from tests.contract.looking import dump, entries, entry, node, nodes
from tests.contract.seeding import MARK, Seed, derived, digest
from tests.contract.world import Meanwhile, Work, answer

NOTE = EventKind.NOTE
TASK = derived("p", "t")


@pytest.fixture(autouse=True)
def task(seed: Seed) -> None:
    """A task with two events."""
    seed.project_node()
    seed.task("t", "one", "two")


def seqs(work: Work) -> list[int]:
    """The numbers of the task's events, in order, as they stand in the graph."""
    return sorted(e["seq"] for e in nodes(work.raw, "Event", task_id=TASK))


def test_an_event_is_recorded_as_the_library_would(work: Work) -> None:
    """It takes the next number, the id derived for it, and has no property without a value."""
    event = work.history.record_event("t", "message", role="user", payload="three").event
    assert event is not None
    assert (event.seq, str(event.id)) == (3, derived("Event", TASK, 3))
    assert (event.kind, event.role, event.name) == (EventKind.MESSAGE, "user", None)
    assert (event.payload, event.truncated, event.author) == ("three", False, "agent")
    assert node(work.raw, "Event", id=str(event.id)) == MARK | {
        "id": str(event.id),
        "task_id": TASK,
        "seq": 3,
        "kind": "message",
        "role": "user",
        "payload": "three",
        "payload_sha256": digest("three"),
        "truncated": False,
        "author": "agent",
        "at": event.at.isoformat(),
    }
    assert node(work.raw, "Task", id=TASK)["event_seq"] == 3


@pytest.mark.parametrize("kind", EventKind)
def test_every_kind_of_event(kind: EventKind, work: Work) -> None:
    """The four kinds are stored by name and read back."""
    made = work.history.record_event("t", kind.value, name="tool", payload="").event
    assert work.history.list_events("t", after_seq=2).events == [made]
    assert made is not None
    assert (made.kind, made.payload) == (kind, "")


def test_an_unknown_kind_is_the_callers_mistake(work: Work) -> None:
    """There is no code for it: the call itself is wrong."""
    before = dump(work.raw)
    with pytest.raises(ValueError, match="kind is none of"):
        work.history.record_event("t", "thought", payload="x")
    assert dump(work.raw) == before


@pytest.mark.parametrize(("size", "cut"), [(31_999, False), (32_000, False), (32_001, True)])
@pytest.mark.parametrize("letter", ["x", "😀"])
def test_a_long_payload_is_cut_and_its_whole_is_hashed(
    size: int, cut: Any, letter: str, work: Work
) -> None:
    """32,000 characters are stored, however many bytes; the hash covers the full text."""
    payload = letter * size
    event = work.history.record_event("t", NOTE, payload=payload).event
    assert event is not None
    assert (len(event.payload), event.truncated) == (min(size, 32_000), cut)
    assert event.payload_sha256 == digest(payload)
    assert work.history.list_events("t", after_seq=2).events == [event]


def test_an_event_of_no_task_is_refused(work: Work) -> None:
    """An unknown task, or one of another project, is not found, and nothing is claimed."""
    before = dump(work.raw)
    one = work.history.record_event("u", NOTE, payload="x", request_id="r")
    many = work.history.record_events("u", [NewEvent(NOTE, "x")], request_id="r")
    elsewhere = work.within("q").history.record_event("t", NOTE, payload="x")
    assert answer(one) == answer(many) == answer(elsewhere) == (False, "task_not_found")
    assert dump(work.raw) == before
    assert work.history.record_event("t", NOTE, payload="x", request_id="r").recorded


@pytest.mark.parametrize("number", [1, 2, 100])
def test_events_of_one_call_are_neighbours(number: int, work: Work) -> None:
    """Up to 100 events are appended in one commit, in their order."""
    events = [NewEvent(NOTE, f"new {k}", role="r", name="n") for k in range(number)]
    with counting() as trips:
        made = work.history.record_events("t", events).events
    assert trips.count == 2
    assert [e.payload for e in made] == [e.payload for e in events]
    assert [e.seq for e in made] == list(range(3, number + 3))
    assert work.history.list_events("t", after_seq=2, limit=200).events == made
    assert seqs(work) == list(range(1, number + 3))


def test_more_events_than_a_commit_carries_are_refused(work: Work) -> None:
    """101 events are one too many; nothing is appended."""
    before = dump(work.raw)
    refused = work.history.record_events("t", [NewEvent(NOTE, "x")] * 101)
    assert answer(refused) == (False, "too_many_events")
    assert dump(work.raw) == before


def test_no_events_are_recorded_at_once(work: Work) -> None:
    """An empty list is in effect, and its request id is used like any other."""
    assert work.history.record_events("t", []).recorded
    first = work.history.record_events("t", [], request_id="r")
    assert work.history.record_events("t", [], request_id="r") == first
    other = work.history.record_events("t", [NewEvent(NOTE, "x")], request_id="r")
    assert answer(other) == (False, "request_id_reused")
    assert seqs(work) == [1, 2]


def test_only_the_first_event_of_a_caller_reads(work: Work) -> None:
    """Afterwards each event is one round trip, also with a request id."""
    with counting() as first:
        work.history.record_event("t", NOTE, payload="3")
    with counting() as later:
        work.history.record_event("t", NOTE, payload="4")
        work.history.record_event("t", NOTE, payload="5", request_id="r")
        work.history.record_events("t", [NewEvent(NOTE, "6"), NewEvent(NOTE, "7")])
    assert (first.count, later.count) == (2, 3)
    assert seqs(work) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("others", "trips"), [(1, 1), (15, 1), (16, 3), (40, 3)])
def test_others_append_meanwhile(others: int, trips: int, work: Work, seed: Seed) -> None:
    """A few events of others do not matter; after more, the caller looks again."""
    work.history.record_event("t", NOTE, payload="primes")
    seed.events("t", *(f"other {k}" for k in range(others)))
    with counting() as counted:
        event = work.history.record_event("t", NOTE, payload="mine").event
    assert event is not None
    assert (event.seq, str(event.id)) == (others + 4, derived("Event", TASK, others + 4))
    assert counted.count == trips
    assert seqs(work) == list(range(1, others + 5))


def test_a_task_that_is_gone_meanwhile(work: Work) -> None:
    """A caller that knew the task learns that it is not there any more."""
    work.history.record_event("t", NOTE, payload="primes")
    work.raw.run("MATCH (t:Task) DETACH DELETE t")
    refused = work.history.record_event("t", NOTE, payload="x")
    assert answer(refused) == (False, "task_not_found")


def test_a_repeated_event_is_the_one_recorded(work: Work, seed: Seed) -> None:
    """A retry gives the first event, whatever was appended since."""
    first = work.history.record_event("t", NOTE, payload="mine", request_id="r")
    seed.events("t", "other")
    again = work.history.record_event("t", NOTE, payload="mine", request_id="r")
    assert again == first
    assert seqs(work) == [1, 2, 3, 4]


def test_repeated_events_are_those_recorded(work: Work, seed: Seed) -> None:
    """A retry of many gives all of them."""
    events = [NewEvent(NOTE, "a"), NewEvent(NOTE, "b", "user")]
    first = work.history.record_events("t", events, request_id="r")
    seed.events("t", "other")
    assert work.by("agent").history.record_events("t", events, request_id="r") == first
    assert seqs(work) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "changed",
    [{"payload": "else"}, {"kind": "message"}, {"role": "user"}, {"name": "n"}, {"task_name": "u"}],
    ids=str,
)
def test_another_event_under_the_same_id_is_refused(
    changed: dict[str, str], work: Work, seed: Seed
) -> None:
    """Each argument is part of what a request id stands for, the end of a long payload too."""
    seed.task("u")
    told: dict[str, Any] = {"task_name": "t", "kind": "note", "payload": "x"}
    assert work.history.record_event(**told, request_id="r").recorded
    before = dump(work.raw)
    refused = work.history.record_event(**told | changed, request_id="r")
    assert answer(refused) == (False, "request_id_reused")
    assert dump(work.raw) == before


def test_payloads_that_differ_only_beyond_the_cut(work: Work) -> None:
    """The digest covers the whole payload, not what is stored of it."""
    long = "x" * 40_000
    assert work.history.record_event("t", NOTE, payload=long, request_id="r").recorded
    other = work.history.record_event("t", NOTE, payload=long + "y", request_id="r")
    assert answer(other) == (False, "request_id_reused")


def test_the_same_request_at_the_same_time(work: Work) -> None:
    """Two calls with one request id record one event, and both get it."""
    other = work.by("agent")
    answers: list[Any] = []

    def meanwhile() -> None:
        answers.append(other.history.record_event("t", NOTE, payload="x", request_id="r"))

    between = work.through(Meanwhile(work.store, meanwhile))
    answers.append(between.history.record_event("t", NOTE, payload="x", request_id="r"))
    assert answers[0] == answers[1]
    assert seqs(work) == [1, 2, 3]


def test_many_writers_to_one_task(work: Work) -> None:
    """Writers queue up: no number is lost, none is given twice, and everybody gets their own."""
    writers = [work.by(f"writer {k}") for k in range(6)]

    def write(writer: Work) -> list[int]:
        made = [
            writer.history.record_event("t", NOTE, payload=f"{writer.agent} {k}").event
            for k in range(15)
        ]
        assert all(e is not None and e.payload == f"{writer.agent} {k}" for k, e in enumerate(made))
        return [e.seq for e in made if e is not None]

    with ThreadPoolExecutor(len(writers)) as pool:
        taken = list(pool.map(write, writers))
    assert sorted(seq for each in taken for seq in each) == list(range(3, 93))
    assert seqs(work) == list(range(1, 93))
    authors = {e["seq"]: e["author"] for e in nodes(work.raw, "Event", task_id=TASK)}
    for writer, numbers in zip(writers, taken, strict=True):
        assert {authors[seq] for seq in numbers} == {writer.agent}


def test_the_ledger_entry_of_events(work: Work) -> None:
    """The entry names the task, the hash of each payload and the last number."""
    work.history.record_events("t", [NewEvent(NOTE, "a"), NewEvent(NOTE, "b")])
    found = entry(work.raw, "record_events")
    assert found["task_id"] == TASK
    assert found["last_seq"] == 4
    assert found["manifest"]["hashes"] == {"0": digest("a"), "1": digest("b")}


def test_events_are_listed_in_pages(work: Work, seed: Seed) -> None:
    """A page tells where the next begins; the last one ends."""
    seed.events("t", "three", "four", "five")
    first = work.history.list_events("t", limit=3)
    second = work.history.list_events("t", after_seq=first.next_after_seq or 0, limit=3)
    assert [e.payload for e in first.events] == ["one", "two", "three"]
    assert (first.truncated, first.next_after_seq) == (True, 3)
    assert [e.payload for e in second.events] == ["four", "five"]
    assert (second.found, second.truncated, second.next_after_seq) == (True, False, None)
    assert work.history.list_events("t", after_seq=-5).events[0].seq == 1
    assert work.history.list_events("t", after_seq=99).events == []


@pytest.mark.parametrize(("limit", "shown"), [(-1, 1), (0, 1), (500, 200)])
def test_a_page_of_events_has_at_most_200(limit: int, shown: int, work: Work, seed: Seed) -> None:
    """Limits are kept within 1 and 200."""
    seed.events("t", *map(str, range(210)))
    assert len(work.history.list_events("t", limit=limit).events) == shown


def test_events_of_an_unknown_task(work: Work) -> None:
    """A missing task is told apart from one without events."""
    assert work.history.list_events("u").found is False
    assert work.within("q").history.list_events("t").found is False


def test_a_redacted_event_keeps_its_place(work: Work) -> None:
    """The log stays gapless, and a repeat of the call that recorded it shows the marker."""
    made = work.history.record_event("t", NOTE, payload="secret", request_id="r").event
    assert made is not None
    work.retention.redact_event(made.id)
    again = work.history.record_event("t", NOTE, payload="secret", request_id="r").event
    assert again is not None
    assert (again.payload, again.payload_sha256) == ("[REDACTED]", digest("secret"))
    assert again.redacted_at is not None
    assert [e.seq for e in work.history.list_events("t").events] == [1, 2, 3]
    assert len(entries(work.raw, action="record_event")) == 1
