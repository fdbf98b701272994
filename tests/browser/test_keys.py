"""The desk by keyboard alone: choosing never records, and typing never chooses."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.shop import Shop
from tests.browser.windows import Windows


@pytest.fixture
def bobs(flagged: Shop, windows: Windows) -> Page:
    """Bob's window on the queue, its scripts at work."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    expect(page.locator("#list > li")).to_have_count(4)
    return page


def press(page: Page, *keys: str) -> None:
    """Press keys one after another."""
    for key in keys:
        page.keyboard.press(key)


def test_from_the_queue_to_a_verdict_without_a_mouse(bobs: Page, flagged: Shop) -> None:
    """Move, open, choose, write, record: the next decision is on screen and the library knows."""
    links = bobs.locator("#list [data-item]")
    press(bobs, "j")
    expect(links.nth(0)).to_be_focused()
    press(bobs, "j", "j", "k")
    expect(links.nth(1)).to_be_focused()
    address = links.nth(1).get_attribute("href") or ""
    press(bobs, "Enter")
    bobs.wait_for_url(f"**{address}")
    press(bobs, "d")
    expect(bobs.get_by_role("radio", name="Reject")).to_be_focused()
    press(bobs, "a")
    expect(bobs.get_by_role("radio", name="Reaffirm")).to_be_checked()
    press(bobs, "s")
    expect(bobs.get_by_role("radio", name="Supersede")).to_be_checked()
    press(bobs, "d")
    expect(bobs.get_by_role("radio", name="Reject")).to_be_checked()
    bobs.get_by_role("textbox", name="Why").focus()
    bobs.keyboard.type("Nobody needs it: jakd?")
    press(bobs, "Control+Enter")
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")
    assert not bobs.url.endswith(address)
    rejected = [one for one in flagged.all() if one.status == "rejected"]
    assert [flagged.at(one.id) for one in rejected] == [address.partition("?")[0]]
    assert [one.rejection_reason for one in rejected] == ["Nobody needs it: jakd?"]


def test_one_key_cites_what_the_page_shows(bobs: Page, flagged: Shop) -> None:
    """Nothing is picked before it; then the writing begins where the chosen verdict wants a text."""
    bobs.goto(flagged.at(flagged.days))
    picked = bobs.get_by_label("The passage shown under Now")
    why, conclusion = (bobs.get_by_role("textbox", name=name) for name in ("Why", "New conclusion"))
    press(bobs, "a")
    expect(picked).not_to_be_checked()
    press(bobs, "p")
    expect(picked).to_be_checked()
    expect(why).to_be_focused()
    press(bobs, "p")
    expect(why).to_have_value("p")
    bobs.get_by_role("radio", name="Supersede").focus()
    press(bobs, "s")
    expect(bobs.get_by_label("use the present passage")).not_to_be_checked()
    press(bobs, "p")
    expect(conclusion).to_be_focused()
    bobs.keyboard.type("Refunds take at most 15 days.")
    expect(conclusion).to_have_value("Refunds take at most 15 days.")


def test_nothing_is_recorded_by_a_single_key(bobs: Page, flagged: Shop) -> None:
    """Choosing, Enter and Space post nothing; `n` goes on and the decision keeps waiting."""
    posts: list[str] = []
    bobs.on("request", lambda asked: posts.append(asked.url) if asked.method == "POST" else None)
    bobs.get_by_role("link", name="Start with the first").click()
    expect(bobs.get_by_role("heading", name="Your verdict")).to_be_visible()
    address = bobs.url
    press(bobs, "a")
    bobs.evaluate("document.activeElement.blur()")
    press(bobs, "Enter", " ", "s", "d", "n")
    bobs.wait_for_url(lambda url: url != address)
    expect(bobs.get_by_role("heading", name="Your verdict")).to_be_visible()
    assert posts == []
    assert {one.status for one in flagged.all()} == {"active"}


def test_the_list_of_keys(bobs: Page) -> None:
    """The question mark opens it, also after a part of the page was swapped; Escape closes it.

    While that part is on its way no key acts on what it replaces.
    """
    on_its_way: list[Route] = []

    def hold(route: Route) -> None:
        on_its_way.append(route)

    bobs.route("**/queue?order=newest*", hold, times=1)
    bobs.locator("#pick-order").click()
    bobs.get_by_role("link", name="Newest first").click()
    expect(bobs.locator(".htmx-request")).to_have_count(1)
    press(bobs, "j", "?")
    expect(bobs.locator("#list [data-item]:focus")).to_have_count(0)
    expect(bobs.get_by_role("dialog")).to_be_hidden()
    on_its_way[0].continue_()
    expect(bobs.get_by_text("Newest first").first).to_be_visible()
    expect(bobs.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    expect(bobs.locator("#pick-order")).to_be_focused()
    press(bobs, "?")
    expect(bobs.get_by_role("dialog", name="Keys")).to_be_visible()
    press(bobs, "j")
    expect(bobs.locator("#list [data-item]").first).not_to_be_focused()
    press(bobs, "Escape")
    expect(bobs.get_by_role("dialog")).to_be_hidden()
    press(bobs, "j")
    expect(bobs.locator("#list [data-item]").first).to_be_focused()


def test_keys_stay_off_once_switched_off(bobs: Page) -> None:
    """On this page, on the next one, and until they are switched on again."""
    bobs.locator(".menu summary").click()
    bobs.get_by_label("Single keys").uncheck()
    press(bobs, "Escape", "j")
    expect(bobs.locator("#list [data-item]").first).not_to_be_focused()
    bobs.get_by_role("link", name="Start with the first").click()
    expect(bobs.get_by_role("heading", name="Your verdict")).to_be_visible()
    press(bobs, "d", "?")
    expect(bobs.locator("[name=verdict]:checked")).to_have_count(0)
    expect(bobs.get_by_role("dialog")).to_be_hidden()
    bobs.locator(".menu summary").click()
    bobs.get_by_label("Single keys").check()
    press(bobs, "Escape", "d")
    expect(bobs.get_by_role("radio", name="Reject")).to_be_checked()
