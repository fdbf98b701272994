"""Tasks: the list, and the pages of one task's log."""

from uuid import UUID, uuid4

import pytest
from django.test import Client

from graphstore import NewEvent
from graphstore.records import EventKind
from reviewconsole.addresses import task_url, tasks_url
from reviewconsole.models import FlaggedDecision, User
from tests.web.browsing import open_queue
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


def test_the_list_says_how_many_decisions_wait(world: World, bobs: Client) -> None:
    """Counted from the index."""
    world.shorten_policy()
    open_queue(bobs)
    page = bobs.get(tasks_url(PROJECT))
    assert {item["task"].name: item["waiting"] for item in page.context["tasks"]} == {
        "audit": 2,
        "letters": 1,
    }


def test_what_waits_in_a_task_is_one_click_away(world: World, bobs: Client) -> None:
    """The number leads to the queue of that task."""
    world.shorten_policy()
    open_queue(bobs)
    listed = {i["task"].name: i for i in bobs.get(tasks_url(PROJECT)).context["tasks"]}
    rows = bobs.get(listed["letters"]["queue_url"]).context["rows"]
    assert [row["decision"].id for row in rows] == [world.letter.id]


def test_a_busy_task_takes_nothing_from_the_count_of_another(world: World, bobs: Client) -> None:
    """Each is counted by itself, up to 1,000, and says when there are more."""
    world.shorten_policy()
    open_queue(bobs)
    FlaggedDecision.objects.bulk_create(
        FlaggedDecision(
            project_id=PROJECT,
            decision_id=uuid4(),
            task_id=world.days.task_id,
            version=1,
            flagged_us=1,
            created_us=0,
        )
        for _ in range(5_000)
    )
    page = bobs.get(tasks_url(PROJECT))
    counts = {i["task"].name: (i["waiting"], i["waiting_capped"]) for i in page.context["tasks"]}
    assert counts == {"audit": (1_000, True), "letters": (1, False)}
    assert "1,000+ wait" in page.content.decode()


@pytest.mark.usefixtures("world")
def test_beyond_the_oldest_task_is_nothing(bobs: Client) -> None:
    """And a way back."""
    page = bobs.get(tasks_url(PROJECT, after="2001-01-01T00:00:00+00:00~x"))
    assert "There is no older task" in page.content.decode()
    assert page.context["first_url"] == tasks_url(PROJECT)


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
    log = first.context["log"]
    assert (log.first, log.last, log.previous_url) == (1, 50, None)
    log = bobs.get(log.next_url).context["log"]
    assert (log.first, log.last, log.next_url) == (51, 100, None)
    assert log.previous_url == task_url(PROJECT, "letters")


@pytest.mark.parametrize("after", ["x", "-1", "1e9", "9" * 40, ""])
def test_a_damaged_place_is_the_beginning(world: World, bobs: Client, after: str) -> None:
    """Addresses get cut in mails."""
    page = bobs.get(f"{task_url(world.project, 'audit')}?after={after}")
    assert page.context["log"].first == 1


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
        url = page.context["log"].next_url
    assert len(shown) == len(set(shown)) == 4


def test_a_page_beyond_the_end_shows_nothing_made_up(world: World, bobs: Client) -> None:
    """The address counts further than the log."""
    assert bobs.get(task_url(world.project, "audit", after=900)).context["events"] == []
