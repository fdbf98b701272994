"""Processes killed between the graph's commit and the console's database: nothing is missed."""

import http.client
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import running, staffed
from tests.browser.console import ROOT, Console
from tests.browser.shop import UPDATED, Shop
from tests.browser.windows import Windows
from tests.interop.library import Peer
from tests.servers import GraphSettings, wait_until

WHY = "It was never true."
MOMENTS = 8
STEP_SECONDS = 0.03


@pytest.fixture(scope="module")
def console(
    graph: GraphSettings, template_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Console]:
    """A console that may be killed, on the graph that others share."""
    with running(tmp_path_factory.mktemp("killed"), graph, template_database) as console:
        yield console


@contextmanager
def writes_held(console: Console) -> Iterator[None]:
    """Let nobody write the console's database: whoever wants to waits, for up to 20 seconds."""
    with closing(sqlite3.connect(console.database, isolation_level=None, timeout=20)) as rows:
        rows.execute("BEGIN IMMEDIATE")
        yield
        rows.execute("ROLLBACK")


@contextmanager
def index_held(console: Console) -> Iterator[None]:
    """Let no change of the review index come to an end: each counts a product without bounds."""
    with closing(sqlite3.connect(console.database, timeout=20)) as rows, rows:
        rows.execute(
            "CREATE TRIGGER held BEFORE UPDATE ON reviewconsole_flaggeddecision BEGIN SELECT count(*) "
            "FROM sqlite_master a, sqlite_master b, sqlite_master c, sqlite_master d, "
            "sqlite_master e, sqlite_master f, sqlite_master g; END"
        )
    yield
    with closing(sqlite3.connect(console.database, timeout=20)) as rows, rows:
        rows.execute("DROP TRIGGER held")


def shown(page: Page) -> set[str]:
    """The addresses of the decisions on the queue page."""
    return set(page.locator("#list a.row__link").evaluate_all("all => all.map(a => a.pathname)"))


def flagged_now(shop: Shop) -> set[str]:
    """The addresses of the decisions that the library finds flagged, nothing being queued."""
    shop.library.drain()
    found = shop.peer.rows(
        "MATCH (t:Task {_agrag_history_record: true, project_id: $project})-[:MADE]->(d:Decision) "
        "WHERE d.status = 'active' AND d.review_state = 'needs_review' RETURN d.id AS id",
        project=shop.project,
    )
    return {shop.at(row["id"]) for row in found}


def test_the_web_process_dies_after_the_verdict_reached_the_graph(
    flagged: Shop, windows: Windows, console: Console
) -> None:
    """The queue neither offers what was judged nor misses what waits; sending again adds nothing."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    page.get_by_role("link", name="Refunds take at most 30 days.").click()
    page.get_by_label("The passage shown under Now").check()
    page.get_by_role("radio", name="Reaffirm").check()
    page.get_by_role("textbox", name="Why").fill(WHY)
    with index_held(console):
        page.get_by_role("button", name="Reaffirm and next").click(no_wait_after=True)
        wait_until(lambda: flagged.read(flagged.days).review_state == "clear", 60)
        console.kill()
    console.start()
    queue = windows.open("bob")
    queue.goto(flagged.queue())
    assert shown(queue) == flagged_now(flagged)
    assert flagged.at(flagged.days) not in shown(queue)
    expect(queue.get_by_role("heading", level=1)).to_have_text("3 decisions wait")
    expect(page.locator("#messages")).to_contain_text("What you typed is still here")
    expect(page.get_by_role("textbox", name="Why")).to_have_value(WHY)
    page.get_by_role("button", name="Reaffirm and next").click()
    expect(page.locator("#messages")).to_contain_text("Reaffirmed.")
    assert [event.payload for event in flagged.log()[1:]] == [
        f"Decision {flagged.days} reaffirmed."
    ]
    windows.forgive("net::ERR_")
    windows.forgive("htmx:")


def test_an_agent_dies_after_its_change_reached_the_graph(
    shop: Shop, windows: Windows, graph: GraphSettings
) -> None:
    """It wrote through the record system and told nobody; the next queue page has the flag."""
    page = windows.open("bob")
    page.goto(shop.queue())
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing waits")
    died = subprocess.run(
        [sys.executable, ROOT / "tests" / "browser" / "dies.py", shop.project],
        env=os.environ | graph.environ(),
        cwd=ROOT,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    page.reload()
    expect(page.locator("#list > li")).to_have_count(1)
    expect(page.locator("#list")).to_contain_text("Pallets above 30 kg.")
    assert shown(page) == flagged_now(shop)


def test_workers_die_at_any_moment_of_a_queue_page(
    console: Console, peer: Peer, windows: Windows
) -> None:
    """Killed a little later each time, the last time between graph and database: no queue lacks a row."""
    page = windows.open("bob")
    shops = [staffed(console, Shop(peer)) for _ in range(MOMENTS + 1)]
    for shop in shops:
        page.goto(shop.queue())
        shop.put(UPDATED)
        shop.library.reject_decision(shop.cards, "An agent was quicker.")
    for moment, shop in enumerate(shops[:-1]):
        asking = ask_for_queue(console, windows, shop)
        asking.join(timeout=moment * STEP_SECONDS)
        kill_workers(console)
        asking.join(timeout=60)
    last = shops[-1]
    with rows_slow(console):
        asking = ask_for_queue(console, windows, last)
        wait_until(lambda: is_drained(last), 60, "the flags on their way to dependents")
        kill_workers(console)
        asking.join(timeout=60)
    for shop in shops:
        wait_until(lambda at=shop: is_level(page, at), 90, "a queue that caught up")
        assert shown(page) == {shop.at(one) for one in (shop.signature, shop.days, shop.letter)}
        assert shown(page) == flagged_now(shop)


@contextmanager
def rows_slow(console: Console) -> Iterator[None]:
    """Let storing a row of the index take long enough to be killed at it."""
    with closing(sqlite3.connect(console.database, timeout=20)) as rows:
        rows.execute(
            "CREATE TRIGGER slow BEFORE INSERT ON reviewconsole_flaggeddecision BEGIN "
            "SELECT count(*) FROM (WITH RECURSIVE n(x) AS "
            "(SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000000000) SELECT x FROM n); END"
        )
        yield
        rows.execute("DROP TRIGGER slow")


def ask_for_queue(console: Console, windows: Windows, shop: Shop) -> threading.Thread:
    """Ask for the queue as Bob and expect no answer."""
    request = urllib.request.Request(  # noqa: S310 - our own server
        console.url + shop.queue(), headers={"Cookie": windows.cookie("bob")}
    )

    def ask() -> None:
        with (
            suppress(OSError, http.client.HTTPException),
            urllib.request.urlopen(request, timeout=60) as answer,  # noqa: S310 - our own server
        ):
            answer.read()

    asking = threading.Thread(target=ask)
    asking.start()
    return asking


def kill_workers(console: Console) -> None:
    """Kill whoever handles requests; the web server starts another."""
    for worker in console.workers():
        os.kill(worker, signal.SIGKILL)


def is_drained(shop: Shop) -> bool:
    """Whether the graph holds the flag of the dependent, which only the console carries on."""
    return shop.peer.node("Decision", id=str(shop.letter))["review_state"] == "needs_review"


def is_level(page: Page, shop: Shop) -> bool:
    """Whether the queue page claims to show everything."""
    page.goto(shop.queue())
    return page.get_by_text("Still catching up").count() == 0
