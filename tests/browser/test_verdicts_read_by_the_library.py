"""The main job: the library flags, a person clears in the browser, the library reads it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import running
from tests.browser.console import Console
from tests.browser.shop import CHANGED, STAYS, UPDATED, Shop
from tests.browser.windows import Windows, sign_in
from tests.conftest import ENGINES
from tests.interop.library import Peer
from tests.servers import GraphSettings


@pytest.fixture(scope="module", params=ENGINES)
def graph(request: pytest.FixtureRequest) -> Iterator[GraphSettings]:
    """A graph on each engine."""
    with request.getfixturevalue(f"{request.param}_graphs").empty_graph() as raw:
        yield raw.settings


@pytest.fixture(scope="module")
def console(
    graph: GraphSettings, template_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Console]:
    """A console on each engine."""
    with running(tmp_path_factory.mktemp("console"), graph, template_database) as console:
        yield console


@pytest.fixture(scope="module")
def peer(graph: GraphSettings) -> Iterator[Peer]:
    """The library on each engine."""
    peer = Peer.on(graph)
    yield peer
    peer.close()


@pytest.fixture
def desk(windows: Windows) -> Page:
    """A window in which Bob is signed in."""
    return windows.open("bob")


def test_the_next_queue_page_shows_what_the_library_flagged(shop: Shop, windows: Windows) -> None:
    """The library updates a document; signing in and opening the queue is all that follows."""
    page = windows.open()
    page.goto(shop.queue())
    sign_in(page, "bob")
    expect(page.get_by_role("heading", name="Nothing waits")).to_be_visible()
    shop.put(UPDATED)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("4 decisions wait")
    rows = page.locator("#list > li")
    expect(rows).to_have_count(4)
    for conclusion in ("Two people sign", "at most 30 days", "Vouchers are worth"):
        row = rows.filter(has_text=conclusion)
        expect(row).to_contain_text("document changed")
        expect(row).to_contain_text("Refund policy")
    expect(rows.filter(has_text="The letter promises")).to_contain_text("through a decision")


def test_the_library_reads_what_a_person_reaffirmed(
    flagged: Shop, desk: Page, console: Console
) -> None:
    """A passage that stands word for word is proposed; the library finds it cited, and by whom."""
    old = flagged.read(flagged.signature)
    desk.goto(flagged.queue())
    desk.get_by_role("link", name="Two people sign above 500 euro.").click()
    expect(desk.locator("#evidence-0")).to_contain_text("verbatim")
    desk.get_by_role("radio", name="Reaffirm").check()
    desk.get_by_label("Why kept with the record").fill("The paragraph did not change.")
    desk.get_by_role("button", name="Reaffirm and next").click()
    expect(desk.locator("#messages")).to_contain_text("Reaffirmed.")

    now, bob = flagged.read(flagged.signature), console.agent_id("bob")
    assert (now.status, now.review_state, now.review_reason) == ("active", "clear", None)
    assert (now.conclusion, now.revision, now.author) == (old.conclusion, 1, "library-agent")
    archived, current = flagged.passages(flagged.signature)
    assert (archived.current, current.current) == (False, True)
    cited = flagged.cite(STAYS, UPDATED)
    assert current.evidence_id == cited.evidence_id
    assert current.content_hash.startswith(cited.evidence_id.split(":")[3])
    assert (current.char_start, current.recorded_activation_seq) == (cited.start, 2)
    assert now.supports == [current]
    for support in (archived, current):
        assert support.reviewed_by == bob
        assert support.review_explanation == "The paragraph did not change."
    assert flagged.library.fetch_evidence(cited)[0].text == STAYS
    note = flagged.log()[-1]
    assert (note.kind, note.author) == ("note", bob)
    assert note.payload == f"Decision {flagged.signature} reaffirmed."


def test_the_library_reads_what_a_person_superseded(
    flagged: Shop, desk: Page, console: Console
) -> None:
    """A new revision stands on the passage that the person picked; the dependent stays flagged."""
    desk.goto(flagged.queue())
    desk.get_by_role("link", name="Refunds take at most 30 days.").click()
    expect(desk.locator("#evidence-0")).to_contain_text("edited")
    expect(desk.locator(".changes")).to_contain_text("number 30 became 15")
    desk.get_by_label("The passage shown under Now").check()
    desk.get_by_role("radio", name="Supersede").check()
    desk.get_by_label("New conclusion").fill("Refunds take at most 15 days.")
    desk.get_by_label("Rationale").fill("The policy names the shorter time.")
    desk.get_by_label("Assumptions").fill("Working days do not matter.\nBanks take a day.")
    desk.get_by_label("Open questions").fill("Since when?")
    desk.get_by_label("Why kept with the record").fill("The policy changed.")
    desk.get_by_label("use the present passage").check()
    desk.get_by_role("button", name="Supersede and next").click()
    expect(desk.locator("#messages")).to_contain_text("Superseded.")

    assert flagged.read(flagged.days).status == "superseded"
    new = flagged.revision("days", 2)
    assert (new.status, new.review_state) == ("active", "clear")
    assert new.author == console.agent_id("bob")
    kept = flagged.peer.node("Decision", id=str(new.id))
    assert kept["supersession_explanation"] == "The policy changed."
    assert new.conclusion == "Refunds take at most 15 days."
    assert new.rationale == "The policy names the shorter time."
    assert new.assumptions == ["Working days do not matter.", "Banks take a day."]
    assert new.open_questions == ["Since when?"]
    cited = flagged.cite(CHANGED, UPDATED)
    assert new.supports == flagged.passages(new.id)
    assert [(one.evidence_id, one.current) for one in flagged.passages(new.id)] == [
        (cited.evidence_id, True)
    ]
    letter = flagged.read(flagged.letter)
    assert (letter.review_state, letter.review_reason) == ("needs_review", "dependency_review")


def test_the_library_reads_what_a_person_rejected(
    flagged: Shop, desk: Page, console: Console
) -> None:
    """Nothing like the cited words is left; the reason and the reviewer are in the record."""
    desk.goto(flagged.queue())
    desk.get_by_role("link", name="Vouchers are worth cash.").click()
    expect(desk.locator("#evidence-0")).to_contain_text("not found")
    desk.get_by_role("radio", name="Reject").check()
    desk.get_by_label("Why kept with the record").fill("Nothing says so any more.")
    desk.get_by_role("button", name="Reject and next").click()
    expect(desk.locator("#messages")).to_contain_text("Rejected.")

    now, bob = flagged.read(flagged.cards), console.agent_id("bob")
    assert (now.status, now.rejected_by) == ("rejected", bob)
    assert now.rejection_reason == "Nothing says so any more."
    assert flagged.library.continue_decision_review() == 0
    waiting = flagged.library.list_decisions_for_review().decisions
    assert {one.id for one in waiting} == {flagged.signature, flagged.days, flagged.letter}


def test_a_whole_chain_is_cleared_from_the_queue(flagged: Shop, desk: Page) -> None:
    """Each verdict leads to the next decision, until nothing waits and the library agrees."""
    desk.goto(flagged.queue())
    desk.get_by_role("link", name="Start with the first").click()
    for _ in range(3):
        desk.get_by_role("radio", name="Reject").check()
        desk.get_by_label("Why kept with the record").fill("We start over.")
        address = desk.url
        desk.get_by_role("button", name="Reject and next").click()
        desk.wait_for_url(lambda url, before=address: url != before)
    desk.get_by_role("radio", name="Reject").check()
    desk.get_by_label("Why kept with the record").fill("We start over.")
    desk.get_by_role("button", name="Reject and next").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Nothing waits")
    expect(desk.locator("#main")).to_contain_text("4 cleared today")
    assert flagged.library.list_decisions_for_review().count == 0
