"""Everything works in a browser that runs no script."""

from urllib.parse import urlsplit
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.browser.shop import CHANGED, STAYS, UPDATED, Shop
from tests.browser.windows import Windows, sign_in


@pytest.fixture
def plain(windows: Windows) -> Page:
    """Bob's window, in which no script runs."""
    return windows.open("bob", scripts=False)


def test_signing_in_and_out(flagged: Shop, windows: Windows) -> None:
    """One arrives at the page that one wanted, and after signing out it is closed again."""
    page = windows.open(scripts=False)
    page.goto(flagged.queue())
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    sign_in(page, "bob", "not the password")
    expect(page.get_by_role("alert")).to_contain_text("correct username and password")
    sign_in(page, "bob")
    expect(page.get_by_role("heading", level=1)).to_have_text("4 decisions wait")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.goto(flagged.queue())
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_the_queue_is_filtered_and_turned_around(flagged: Shop, plain: Page) -> None:
    """Reason, task and order are links and a form; together they stand in the address."""
    rows = plain.locator("#list > li")
    plain.goto(flagged.queue())
    plain.locator("#pick-reason").click()
    plain.get_by_role("link", name="Document changed 3").click()
    expect(rows).to_have_count(3)
    plain.locator("#pick-reason").click()
    plain.get_by_role("link", name="Through a decision 1").click()
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("The letter promises 30 days.")
    plain.get_by_role("link", name="Everything").click()
    plain.locator("#pick-task").click()
    plain.get_by_role("link", name="letters 1").click()
    expect(rows).to_have_count(1)
    plain.locator("#pick-task").click()
    plain.get_by_role("link", name="Any 4").click()
    expect(rows).to_have_count(4)
    plain.locator("#pick-order").click()
    plain.get_by_role("link", name="Oldest first").click()
    first = rows.first.inner_text()
    plain.locator("#pick-order").click()
    plain.get_by_role("link", name="Newest first").click()
    expect(rows.last).to_have_text(first, use_inner_text=True)


def test_a_long_queue_has_pages(shop: Shop, plain: Page) -> None:
    """Fifty to a page; every decision stands on exactly one of them."""
    made = {shop.signature, *shop.record_many(51, cited=STAYS)}
    shop.put(UPDATED)
    rows, links = plain.locator("#list > li"), plain.locator("#list a.row__link")
    plain.goto(shop.queue(reason="source_changed"))
    expect(rows).to_have_count(50)
    seen = links.evaluate_all("all => all.map(a => a.pathname)")
    plain.get_by_role("link", name="More").click()
    expect(rows).to_have_count(4)
    seen += links.evaluate_all("all => all.map(a => a.pathname)")
    assert sorted(seen) == sorted(map(shop.at, made | {shop.days, shop.cards}))
    plain.get_by_role("link", name="To the first").click()
    expect(rows).to_have_count(50)


def test_reaffirming(flagged: Shop, plain: Page) -> None:
    """The passage that stands word for word is chosen; the radio and the button do the rest."""
    plain.goto(flagged.at(flagged.signature))
    plain.get_by_role("radio", name="Reaffirm").check()
    plain.get_by_role("button", name="Record and stay here").click()
    expect(plain.locator("#messages")).to_contain_text("Reaffirmed.")
    expect(plain.get_by_role("heading", name="Nothing to judge")).to_be_visible()
    assert flagged.read(flagged.signature).review_state == "clear"
    current = flagged.passages(flagged.signature)[-1]
    assert current.evidence_id == flagged.cite(STAYS, UPDATED).evidence_id


def test_superseding(flagged: Shop, plain: Page) -> None:
    """Choosing shows the fields; what the new revision stands on can be picked and ticked."""
    plain.goto(flagged.at(flagged.days))
    expect(plain.get_by_label("New conclusion")).to_be_hidden()
    plain.get_by_label("The passage shown under Now").check()
    plain.get_by_role("radio", name="Supersede").check()
    plain.get_by_label("New conclusion").fill("Refunds take at most 15 days.")
    plain.get_by_label("Rationale").fill("The policy names the shorter time.")
    plain.get_by_label("Why kept with the record").fill("The policy changed.")
    plain.get_by_label("use the present passage").check()
    plain.get_by_role("button", name="Supersede and next").click()
    expect(plain.locator("#messages")).to_contain_text("Superseded.")
    plain.get_by_role("link", name="Look at it again").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Refunds take at most 15 days.")
    assert flagged.read(flagged.days).status == "superseded"
    new = UUID(plain.url.rsplit("/", 1)[-1])
    cited = [one.evidence_id for one in flagged.passages(new)]
    assert cited == [flagged.cite(CHANGED, UPDATED).evidence_id]


def test_rejecting_leads_to_the_next(flagged: Shop, plain: Page) -> None:
    """After the verdict the next decision that waits is on the page, and it was another."""
    plain.goto(flagged.queue())
    plain.get_by_role("link", name="Start with the first").click()
    address = plain.url
    plain.get_by_role("radio", name="Reject").check()
    plain.get_by_label("Why kept with the record").fill("Nobody needs it.")
    plain.get_by_role("button", name="Reject and next").click()
    expect(plain.locator("#messages")).to_contain_text("Rejected.")
    expect(plain.get_by_role("heading", name="Your verdict")).to_be_visible()
    assert plain.url != address
    assert flagged.read(UUID(urlsplit(address).path.rsplit("/", 1)[-1])).status == "rejected"


def test_a_task_is_read_and_jumped_through(flagged: Shop, plain: Page) -> None:
    """Tasks, one task's log, a place in it and a decision in it are links and a form."""
    plain.goto(flagged.queue())
    plain.get_by_role("link", name="Tasks").click()
    plain.get_by_role("link", name="audit").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("audit")
    expect(plain.locator("#main")).to_contain_text("How long do refunds take?")
    plain.get_by_label("Go to event").fill("1")
    plain.get_by_role("button", name="Go").click()
    expect(plain.locator("#main")).to_contain_text("How long do refunds take?")
    plain.get_by_role("link", name="Vouchers are worth cash.").first.click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Vouchers are worth cash.")
