"""From a search to a settled conflict, with a mouse, by keyboard alone, and without a script."""

from dataclasses import dataclass
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from reviewconsole.addresses import conflict_url, conflicts_url, decision_url, decisions_url
from tests.browser.console import Console
from tests.browser.shop import STAYS, Shop
from tests.browser.windows import Windows

WEEK = "Refunds take a week."
WHY = "The letter knew no better."


@dataclass
class Dispute:
    """A project in which the library recorded two answers to one choice."""

    shop: Shop
    week: UUID
    promise: UUID

    @property
    def board(self) -> str:
        return conflict_url(self.shop.project, "days")

    def is_settled(self, console: Console) -> bool:
        """Whether the library reads that Alice rejected the week, and why."""
        week = self.shop.read(self.week)
        said = (week.status, week.rejection_reason, week.rejected_by)
        return said == ("rejected", WHY, console.agent_id("alice"))


@pytest.fixture
def dispute(shop: Shop, windows: Windows) -> Dispute:
    """Two tasks decided `days`; `promise` rests on the second. Someone has looked at the queue."""
    week = shop.record("days", WEEK, cited=STAYS, task="letters")
    promise = shop.record("promise", "A week is promised.", on=week, task="letters")
    page = windows.open("bob")
    page.goto(shop.queue())
    expect(page.get_by_role("link", name="Conflicts 1")).to_be_visible()
    return Dispute(shop, week, promise)


def press(page: Page, *keys: str) -> None:
    """Press keys one after another."""
    for key in keys:
        page.keyboard.press(key)


def test_a_conflict_is_settled(dispute: Dispute, windows: Windows, console: Console) -> None:
    """From the frame over list, board and plan to the message; the library and the queue know."""
    page = windows.open("alice")
    page.goto(dispute.shop.queue())
    page.get_by_role("link", name="Conflicts 1").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 choice is decided")
    page.get_by_role("link", name="days", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2 tasks chose differently")
    side = page.locator(".side-card", has_text="Refunds take at most 30 days.")
    side.get_by_role("link", name="Keep this side").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Keep one side, reject 1 decision")
    expect(page.locator("[name=ground]:checked")).to_have_count(0)
    page.locator("summary", has_text="1 decision in 1 task rests on it").click()
    expect(page.get_by_text("A week is promised.")).to_be_visible()
    assert not dispute.is_settled(console)
    page.get_by_label("Why it is rejected").fill(WHY)
    page.get_by_label("It was wrong when made").check()
    page.get_by_role("button", name="Reject 1 decision").dblclick()
    expect(page.locator("#messages")).to_contain_text("1 decision flagged through it")
    expect(page.get_by_role("heading", level=1)).to_have_text("One task chose")
    assert dispute.is_settled(console)
    assert dispute.shop.read(dispute.promise).review_state == "needs_review"
    page.locator("summary", has_text="1 earlier decision").click()
    expect(page.get_by_text(f"“{WHY}”")).to_be_visible()
    page.get_by_role("link", name="Queue 1").click()
    expect(page.locator("#list")).to_contain_text("A week is promised.")
    expect(page.get_by_role("link", name="Conflicts", exact=True)).to_be_visible()


def test_a_conflict_is_settled_by_keyboard(
    dispute: Dispute, windows: Windows, console: Console
) -> None:
    """Move, open, keep, write, record: no single key records anything."""
    page = windows.open("alice")
    page.goto(conflicts_url(dispute.shop.project))
    press(page, "j", "Enter")
    page.wait_for_url(f"**{dispute.board}")
    keeps = page.get_by_role("link", name="Keep this side")
    press(page, "j", "j")
    expect(keeps.first).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Keep one side, reject 1 decision")
    why = page.get_by_label("Why it is rejected")
    why.focus()
    page.keyboard.type(WHY)
    press(page, "Tab", "ArrowDown")
    expect(page.locator("[name=ground]:checked")).to_have_count(1)
    assert not dispute.is_settled(console)
    press(page, "Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Settled.")
    assert dispute.is_settled(console)


def test_a_conflict_is_settled_without_a_script(
    dispute: Dispute, windows: Windows, console: Console
) -> None:
    """Links and one form; what is missing is asked for, and what was typed stays."""
    page = windows.open("alice", scripts=False)
    page.goto(dispute.board)
    page.get_by_role("link", name="Keep this side").first.click()
    page.get_by_label("Why it is rejected").fill(WHY)
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#refusal")).to_contain_text("Choose what is true of them")
    expect(page.get_by_label("Why it is rejected")).to_have_value(WHY)
    page.get_by_label("It was wrong when made").check()
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#messages")).to_contain_text("Settled.")
    assert dispute.is_settled(console)


def test_a_stale_plan_shows_how_things_stand(
    dispute: Dispute, windows: Windows, console: Console
) -> None:
    """The library was quicker: nothing is rejected here, and the why is still there."""
    page = windows.open("alice")
    page.goto(dispute.board)
    page.get_by_role("link", name="Keep this side").first.click()
    page.get_by_label("Why it is rejected").fill(WHY)
    page.get_by_label("It is no longer needed").check()
    dispute.shop.record("more", "More rests on it.", on=dispute.week, task="letters")
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#refusal")).to_contain_text("nothing was rejected")
    expect(page.locator(".goes")).to_contain_text("2 decisions in 1 task rest on it")
    assert not dispute.is_settled(console)
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#messages")).to_contain_text("2 decisions flagged through it")
    assert dispute.is_settled(console)


def test_who_may_not_settle_sees_both_sides(dispute: Dispute, windows: Windows) -> None:
    """A reviewer judges each at its desk; a reader reads."""
    for person, asks in (("bob", 2), ("dora", 0)):
        page = windows.open(person)
        page.goto(dispute.board)
        expect(page.locator(".side-card")).to_have_count(2)
        expect(page.get_by_role("link", name="Keep this side")).to_have_count(0)
        expect(page.get_by_role("link", name="Ask for review")).to_have_count(asks)


def test_the_slash_searches(shop: Shop, windows: Windows) -> None:
    """From any page of the project, and with the words marked; typing it into a field does not."""
    page = windows.open("bob")
    page.goto(shop.at(shop.days))
    press(page, "/")
    box = page.get_by_label("Search decisions by words, choice key or id")
    expect(box).to_be_focused()
    page.keyboard.type("vouchers / coins")
    expect(box).to_have_value("vouchers / coins")
    press(page, "Enter")
    page.wait_for_url("**/decisions?q=*")
    expect(page.locator("#list mark").first).to_have_text("Vouchers")
    press(page, "j", "Enter")
    page.wait_for_url(f"**{shop.at(shop.cards)}")
    press(page, "/")
    page.keyboard.type(str(shop.signature))
    press(page, "Enter")
    page.wait_for_url(f"**{shop.at(shop.signature)}")


def test_a_narrow_screen_searches_on_the_page_of_the_list(shop: Shop, windows: Windows) -> None:
    """The box has no room in the header there: a link leads to the page that has one."""
    page = windows.open("bob", width=400)
    page.goto(shop.queue())
    expect(page.locator(".bar__search")).to_be_hidden()
    page.get_by_role("link", name="Search decisions").click()
    page.wait_for_url(f"**{decisions_url(shop.project)}")
    press(page, "/")
    expect(page.locator("#find-q")).to_be_focused()
    page.keyboard.type("signature nobody wrote")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="No decision is like that")).to_be_visible()
    page.get_by_role("link", name="Show all decisions").click()
    expect(page.locator("#list > li")).to_have_count(4)


def test_the_list_narrows_without_a_script(shop: Shop, windows: Windows) -> None:
    """Status, state, author and words are links and one form; each can be taken away again."""
    shop.library.reject_decision(shop.cards, "No till has coins.")
    page = windows.open("bob", scripts=False)
    page.goto(decisions_url(shop.project))
    rows = page.locator("#list > li")
    expect(rows).to_have_count(4)
    page.get_by_role("link", name="Rejected", exact=True).click()
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="Active", exact=True).click()
    expect(rows).to_have_count(3)
    page.locator("summary", has_text="Choice, author, task").click()
    page.get_by_role("textbox", name="Task").fill("letters")
    page.get_by_role("button", name="Search").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("The letter promises 30 days.")
    page.get_by_role("link", name="in letters").click()
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="Refunds take at most 30 days.").click()
    page.wait_for_url(f"**{decision_url(shop.project, shop.days)}")


def test_the_list_narrows_in_place(shop: Shop, windows: Windows) -> None:
    """A filter swaps the list, stands in the address, is announced, and goes back with the browser."""
    shop.library.reject_decision(shop.cards, "No till has coins.")
    page = windows.open("bob")
    page.goto(decisions_url(shop.project, q="refunds vouchers"))
    page.locator(".bar").evaluate("e => e.dataset.kept = 'yes'")
    page.get_by_role("link", name="Rejected", exact=True).click()
    expect(page.locator("#list > li")).to_have_count(1)
    expect(page.locator("#status-rejected")).to_have_attribute("aria-current", "true")
    expect(page.locator("#announcement")).to_have_text("1 decision found")
    expect(page.locator(".bar")).to_have_attribute("data-kept", "yes")
    assert "q=refunds+vouchers" in page.url
    assert "status=rejected" in page.url
    page.go_back()
    expect(page.locator("#status-all")).to_have_attribute("aria-current", "true")
    page.get_by_role("link", name="“refunds vouchers”").click()
    expect(page.locator("#list > li")).to_have_count(4)
