"""A new revision written in the browser: the difference as it is typed, and what it will do."""

from playwright.sync_api import expect

from tests.browser.shop import CHANGED, UPDATED, Shop
from tests.browser.windows import Windows


def test_a_revision_starts_from_the_old_one_and_says_what_it_does(
    flagged: Shop, windows: Windows
) -> None:
    """Old words, the difference while typing, born flagged or not, the figures, and the commit."""
    page = windows.open("bob")
    page.goto(flagged.at(flagged.days))
    page.get_by_role("radio", name="Supersede").check()
    conclusion = page.get_by_label("New conclusion")
    expect(conclusion).to_have_value("Refunds take at most 30 days.")
    difference = page.locator(".revised", has=conclusion).locator(".revised__difference")
    expect(difference).to_be_hidden()
    conclusion.fill("Refunds take at most 15 days.")
    expect(difference.locator("del")).to_contain_text("30")
    expect(difference.locator("ins")).to_contain_text("15")
    conclusion.fill("Refunds take at most 30 days.")
    expect(difference).to_be_hidden()
    impact = page.locator("#impact .will:visible")
    expect(impact).to_contain_text("What superseding or rejecting will do")
    keep = page.get_by_role("radio", name="keep born flagged")
    keep.check()
    expect(impact).to_contain_text("born flagged, because it keeps a passage")
    expect(keep).to_be_focused()
    page.get_by_role("textbox", name="Why").fill("It changed.")
    page.get_by_role("button", name="Supersede and next").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing is new")
    conclusion.fill("Refunds take at most 15 days.")
    page.get_by_label("The passage shown under Now").check()
    page.get_by_role("radio", name="use the present passage").check()
    expect(page.locator("#impact .will:visible")).to_contain_text("The new revision will be clear")
    page.get_by_role("button", name="Supersede and next").click()
    expect(page.locator("#messages")).to_contain_text("Superseded.")
    made = flagged.revision("days", 2)
    assert made.review_state == "clear"
    assert flagged.passages(made.id)[0].evidence_id == flagged.cite(CHANGED, UPDATED).evidence_id
