"""Saved views of the queue, its orders and filters, and what it says between two loads."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from reviewconsole.addresses import queue_news_url, queue_url, queue_views_url, saved_view_url
from reviewconsole.filters import ORDERS, Filters, Place
from reviewconsole.models import FlaggedDecision, SavedView, User
from reviewconsole.text_stores import erase_quotes, search
from reviewconsole.waiting import in_order
from tests.web.browsing import offered, open_queue, post
from tests.web.conftest import SignedIn
from tests.web.world import AGENT, PROJECT, World

WIDE = {"name": "Wide and old", "query": "reason=source_changed&order=newest&nothing=1"}


@pytest.fixture
def bobs(bob: User, signed_in: SignedIn) -> Client:
    """Bob's browser."""
    return signed_in(bob)


@pytest.fixture
def alices(alice: User, signed_in: SignedIn) -> Client:
    """The browser of Alice, who may do everything there."""
    return signed_in(alice)


def sets(world: World, **columns: object) -> None:
    """What a worker found out about the flag of `days`."""
    FlaggedDecision.objects.filter(decision_id=world.days.id).update(**columns)


@pytest.mark.usefixtures("world")
def test_a_saved_view_is_an_address(bobs: Client) -> None:
    """Saving leads to the queue as it was; its own address leads there again; others get none."""
    saved = post(bobs, queue_views_url(PROJECT), WIDE)
    there = queue_url(PROJECT, order="newest", reason="source_changed")
    assert (saved.status_code, saved["Location"]) == (303, there)
    view = SavedView.objects.get()
    assert (view.name, view.shared, view.query) == (
        "Wide and old",
        False,
        "order=newest&reason=source_changed",
    )
    assert bobs.get(saved_view_url(PROJECT, view.uuid))["Location"] == there
    assert [one["active"] for one in bobs.get(there).context["views"]] == [True]
    assert "Wide and old" in bobs.get(queue_views_url(PROJECT)).content.decode()
    assert search("Wide and old") == [("reviewconsole.savedview", str(view.pk))]
    assert erase_quotes(PROJECT, "Wide and old") == 1
    assert search("Wide and old") == []


@pytest.mark.usefixtures("world")
def test_what_cannot_be_saved_keeps_what_was_typed(bobs: Client) -> None:
    """No name, or one that is there already: the form comes back with the filters."""
    post(bobs, queue_views_url(PROJECT), WIDE)
    again = post(bobs, queue_views_url(PROJECT), WIDE)
    nameless = post(bobs, queue_views_url(PROJECT), {**WIDE, "name": " "})
    assert (again.status_code, nameless.status_code) == (422, 422)
    assert "You have a view of this name already." in again.content.decode()
    assert "order=newest" in nameless.content.decode()
    assert SavedView.objects.count() == 1


@pytest.mark.usefixtures("world")
def test_a_shared_view_is_everybodys_and_a_manager_can_take_it_back(
    bobs: Client, alices: Client
) -> None:
    """Its owner shares it and keeps it; what is not shared nobody else sees."""
    post(bobs, queue_views_url(PROJECT), WIDE)
    view = SavedView.objects.get()
    url = saved_view_url(PROJECT, view.uuid)
    assert alices.get(url).status_code == 404
    post(bobs, url, {"do": "share"})
    assert [one["by"] for one in open_queue(alices).context["views"]] == ["Bob"]
    assert post(alices, url, {"do": "remove"}).status_code == 303
    assert open_queue(alices).context["views"] == []
    assert [one["name"] for one in open_queue(bobs).context["views"]] == ["Wide and old"]
    post(bobs, url, {"do": "remove"})
    assert not SavedView.objects.exists()


def test_most_at_stake_comes_first_and_says_why(world: World, bobs: Client) -> None:
    """The order is by what was counted, and the sentence says those numbers."""
    world.shorten_policy()
    open_queue(bobs)
    sets(world, stake=999, dependents=12, open_tasks=3, flagged_us=FIVE_DAYS)
    page = open_queue(bobs)
    assert page.context["rows"][0]["decision"].id == world.days.id
    assert page.context["first_because"].startswith(
        "First: 12 decisions and 3 open tasks rest on it, waiting "
    )
    assert page.context["rows"][0]["dependents"] == 12
    assert open_queue(bobs, order="newest").context["first_because"] == ""


FIVE_DAYS = 1_700_000_000_000_000
"""Long ago."""


def test_comparison_agent_age_and_dangers(world: World, bobs: Client) -> None:
    """Each filters by what the index holds, is offered with its number, and is in the address."""
    world.shorten_policy()
    open_queue(bobs)
    sets(world, comparison="edited", dangers="number,unit", author=AGENT, flagged_us=FIVE_DAYS)
    page = open_queue(bobs, comparison="edited", agent=AGENT, age="week")
    (row,) = page.context["rows"]
    assert row["decision"].id == world.days.id
    assert row["dangers"] == ["a number changed", "a unit changed"]
    assert "age=week" in row["url"]
    assert offered(page, "comparison") == {"": ("Any", 1), "edited": ("edited", 1)}
    assert offered(open_queue(bobs), "agent") == {"": ("Any", 1), AGENT: (AGENT, 1)}
    assert open_queue(bobs, comparison="edited", age="no such").context["total"] == 1
    assert open_queue(bobs, comparison="moved").context["rows"] == []


def test_documents_come_with_their_number_and_what_became_of_it(world: World, bobs: Client) -> None:
    """What waits because of one, directly or through others, in words and in parts of a bar."""
    world.shorten_policy()
    open_queue(bobs)
    sets(world, comparison="edited")
    (bundle,) = open_queue(bobs).context["bundles"]
    assert (bundle["title"], bundle["version"], bundle["number"]) == ("Refund policy", 2, 3)
    assert [(part.tone, part.number) for part in bundle["bar"]] == [("edited", 1), ("unknown", 2)]


def test_news_are_what_was_flagged_since(world: World, bobs: Client) -> None:
    """Nothing at first; then how many, within the same filters, with the way to them."""
    page = open_queue(bobs)
    assert bobs.get(page.context["news_url"]).status_code == 204
    world.shorten_policy()
    open_queue(bobs)
    told = bobs.get(page.context["news_url"]).content.decode()
    assert "3 new flags" in told
    assert queue_url(PROJECT) in told
    since = page.context["news_url"].partition("since=")[2]
    narrow = queue_news_url(PROJECT, reason="dependency_review", since=since)
    assert "1 new flag<" in bobs.get(narrow).content.decode()
    assert bobs.get(queue_news_url(PROJECT, since="x")).status_code == 204


NARROWED: list[dict[str, Any]] = [
    {},
    {"reason": "r"},
    {"comparison": "edited"},
    {"agent": "a"},
    {"age": "week"},
]
PLANNED = [
    Filters(order, **narrowing)
    for order in ORDERS
    for narrowing in NARROWED
    if order != "task" or not narrowing
]


@pytest.mark.django_db
@pytest.mark.parametrize("filters", PLANNED, ids=lambda one: str(one.query()))
@pytest.mark.parametrize("backwards", [False, True])
def test_no_order_sorts_what_waits(filters: Filters, backwards: bool) -> None:
    """An index gives the rows in order, also from a place on: nothing is sorted."""
    place = Place.read(f"5.{'0' * 32}.7.{'1' * 32}")
    rows = in_order(PROJECT, filters, place, backwards=backwards)[:51]
    sql, values = rows.query.sql_with_params()
    postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if postgres:
            # An empty table is read as a whole unless that is forbidden.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {'' if postgres else 'QUERY PLAN'} {sql}", values)
        plan = " ".join(str(line[-1]) for line in cursor.fetchall())
    assert re.search(r"(USING INDEX|Index Scan( Backward)? using) waiting_", plan), plan
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan
