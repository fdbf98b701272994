"""The queue narrowed, saved under a name, shared, and telling what is new while it is open."""

from playwright.sync_api import expect

from reviewconsole.addresses import queue_url
from tests.browser.shop import STAYS, UPDATED, Shop
from tests.browser.windows import Windows

FLAGGED_ANEW = UPDATED.replace("500 euro", "300 euro")


def test_a_view_is_chosen_saved_and_shared_and_news_are_told(
    flagged: Shop, windows: Windows
) -> None:
    """By keyboard; the focus stays at the filter; Alice finds the view; Bob is told of a new flag."""
    bobs = windows.open("bob")
    bobs.goto(flagged.queue())
    expect(bobs.locator("#list > li")).to_have_count(4)
    bobs.locator("#pick-reason").focus()
    bobs.keyboard.press("Enter")
    bobs.locator("#reason-dependency_review").focus()
    bobs.keyboard.press("Enter")
    expect(bobs.locator("#list > li")).to_have_count(1)
    expect(bobs.locator("#pick-reason")).to_be_focused()
    assert "reason=dependency_review" in bobs.url
    bobs.locator("#pick-save").press("Enter")
    bobs.get_by_label("Name", exact=True).fill("Through others")
    bobs.get_by_label("Everybody in the project sees it").check()
    bobs.get_by_role("button", name="Save these filters").click()
    expect(bobs.get_by_role("link", name="Through others")).to_have_attribute(
        "aria-current", "true"
    )

    bobs.goto(flagged.queue())
    expect(bobs.locator("#list > li")).to_have_count(4)
    flagged.record("late", "Late refunds need two people.", cited=STAYS, text=UPDATED)
    flagged.put(FLAGGED_ANEW)
    alices = windows.open("alice")
    alices.goto(queue_url(flagged.project))
    expect(alices.locator("#list > li")).to_have_count(5)
    alices.get_by_role("link", name="Through others").click()
    expect(alices.locator("#list > li")).to_have_count(1)
    bobs.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(bobs.locator("#news")).to_contain_text("1 new flag")
    bobs.get_by_role("link", name="Show the queue as it is now").click()
    expect(bobs.locator("#list > li")).to_have_count(5)
    expect(bobs.locator("#news")).to_be_empty()
