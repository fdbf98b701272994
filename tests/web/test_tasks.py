"""Tasks: the list, and one task's timeline by pages."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.test import Client

from graphstore import NewEvent
from graphstore.records import Event, EventKind
from graphstore.store import counting
from reviewconsole.addresses import task_url, tasks_url
from reviewconsole.models import User
from reviewconsole.timeline import timeline
from tests.web.browsing import open_queue
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def event(seq: int, minutes: int) -> Event:
    return Event(
        id=UUID(int=seq),
        task_id=UUID(int=1),
        seq=seq,
        kind=EventKind.MESSAGE,
        payload="x",
        payload_sha256="",
        truncated=False,
        author="a",
        at=START + timedelta(minutes=minutes),
    )


def test_the_list_says_how_many_decisions_wait(world: World, bobs: Client) -> None:
    """Counted from the index."""
    world.shorten_policy()
    open_queue(bobs)
    page = bobs.get(tasks_url(PROJECT))
    assert {item["task"].name: item["waiting"] for item in page.context["tasks"]} == {
        "audit": 2,
        "letters": 1,
    }


def test_the_list_goes_on_for_pages(world: World, bobs: Client) -> None:
    """Newest first, none twice."""
    for number in range(55):
        world.history.create_task(f"task {number}", "Something.")
    page = bobs.get(tasks_url(PROJECT))
    first = [item["task"].name for item in page.context["tasks"]]
    second = [item["task"].name for item in bobs.get(page.context["next_url"]).context["tasks"]]
    assert len(first) == 50
    assert len({*first, *second}) == 57


@pytest.mark.usefixtures("world")
def test_a_damaged_cursor_is_no_page(bobs: Client) -> None:
    """404, not a crash."""
    assert bobs.get(tasks_url(PROJECT, after="nonsense")).status_code == 404


def test_a_task_shows_decisions_among_its_events(world: World, bobs: Client) -> None:
    """In the order in which it happened."""
    world.history.record_event("audit", "note", payload="Done.")
    page = bobs.get(task_url(PROJECT, "audit"))
    kinds = [item["kind"] for item in page.context["events"]]
    assert kinds == ["event", "event", "decision", "decision", "decision", "event"]
    assert "How long do refunds take?" in page.content.decode()


def test_events_come_by_pages(world: World, bobs: Client) -> None:
    """Forwards and back, with numbers that say where one is."""
    events = [NewEvent(EventKind.NOTE, f"note {number}") for number in range(100)]
    world.history.record_events("letters", events)
    first = bobs.get(task_url(PROJECT, "letters"))
    assert (first.context["first_seq"], first.context["last_seq"]) == (1, 50)
    assert first.context["previous_url"] is None
    second = bobs.get(first.context["next_url"])
    assert (second.context["first_seq"], second.context["last_seq"]) == (51, 100)
    assert second.context["next_url"] is None
    assert second.context["previous_url"] == task_url(PROJECT, "letters")


@pytest.mark.parametrize("after", ["x", "-1", "1e9", "9" * 40, ""])
def test_a_damaged_place_is_the_beginning(world: World, bobs: Client, after: str) -> None:
    """Addresses get cut in mails."""
    assert bobs.get(f"{task_url(world.project, 'audit')}?after={after}").context["first_seq"] == 1


@pytest.mark.usefixtures("world")
def test_a_task_that_is_not_there_is_not_there(bobs: Client) -> None:
    """404 in one sentence."""
    assert bobs.get(task_url(PROJECT, "no such task")).status_code == 404


@pytest.mark.parametrize("name", ["a/b c", "..", "日本語", "100%", "~", "<i>x</i>"])
def test_a_task_of_any_name_has_a_page(world: World, bobs: Client, name: str) -> None:
    """Agents name tasks as they like."""
    world.history.create_task(name, "A goal.")
    page = bobs.get(task_url(PROJECT, name))
    assert page.status_code == 200
    assert page.context["view"].task_name == name


def test_a_task_is_found_by_its_id(world: World, bobs: Client) -> None:
    """A link may carry either; the page has one address."""
    answer = bobs.get(task_url(PROJECT, str(world.days.task_id)))
    assert (answer.status_code, answer["Location"]) == (303, task_url(PROJECT, "audit"))


def test_every_decision_stands_on_one_page(world: World, bobs: Client) -> None:
    """Also what was decided between the last event of one page and the first of the next."""
    cited = world.cite("Shipping is never refunded.")
    for turn in range(3):
        world.history.record_events("letters", [NewEvent(EventKind.NOTE, "x")] * 50)
        world.decide(f"turn {turn}", "Decided.", [cited], task="letters")
    shown: list[UUID] = []
    url: str | None = task_url(PROJECT, "letters")
    while url:
        page = bobs.get(url)
        shown += [i["decision"].id for i in page.context["events"] if i["kind"] == "decision"]
        url = page.context["next_url"]
    assert len(shown) == len(set(shown)) == 4


def test_a_page_beyond_the_end_shows_nothing_made_up(world: World, bobs: Client) -> None:
    """The address counts further than the log."""
    assert bobs.get(task_url(world.project, "audit", after=900)).context["events"] == []


def test_verdicts_stand_where_they_were_given(world: World, bobs: Client) -> None:
    """A rejection with its reason, a reaffirmation where its note is."""
    evidence = [world.cite("A refund above 500 euro needs a second signature.")]
    fetched = world.documents.fetch_evidence([one.evidence_id for one in evidence])
    assert world.traces.reaffirm_decision(
        str(world.signature.id), evidence, fetched_evidence=fetched
    ).recorded
    assert world.traces.reject_decision(str(world.scope.id), "Not true.").recorded
    items = bobs.get(task_url(PROJECT, "audit")).context["events"]
    verdicts = [item for item in items if item["kind"] == "verdict"]
    assert [(item["verdict"]["kind"], item["decision"].id) for item in verdicts] == [
        ("reaffirm", world.signature.id),
        ("reject", world.scope.id),
    ]


def test_a_task_costs_few_round_trips(world: World, bobs: Client) -> None:
    """The task and its events."""
    with counting() as trips:
        bobs.get(task_url(world.project, "audit"))
    assert trips.count <= 5


def test_a_long_silence_is_marked() -> None:
    """So that nobody reads two days as one conversation."""
    shown = timeline("p", [event(1, 0), event(2, 30), event(3, 180)], [])
    assert [item["kind"] for item in shown] == ["event", "event", "gap", "event"]
    assert shown[2]["words"] == "2 hours without anything"


def test_an_empty_timeline_is_empty() -> None:
    """A task may have no events yet."""
    assert timeline("p", [], []) == []
