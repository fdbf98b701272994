"""A verdict and its way back, asking for review, and what a verdict keeps, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from reviewconsole.addresses import verdicts_url
from tests.browser.shop import Shop
from tests.browser.windows import Windows

WHY = "I looked at the wrong <i>paragraph</i>."


@pytest.fixture(params=[True, False], ids=["scripts", "plain"])
def scripts(request: pytest.FixtureRequest) -> bool:
    """Whether the browser runs scripts."""
    return request.param


def waiting(page: Page, shop: Shop) -> list[str]:
    """The conclusions that stand in the queue, in any order."""
    page.goto(shop.queue())
    return sorted(page.locator("#list [data-item]").all_inner_texts())


def test_judge_and_undo_with_the_keyboard_alone(flagged: Shop, windows: Windows) -> None:
    """One key leads to the page, words and one chord take it back, and it waits again."""
    page = windows.open("bob")
    before = waiting(page, flagged)
    page.goto(flagged.at(flagged.letter))
    page.keyboard.press("d")
    page.get_by_role("textbox", name="Why").focus()
    page.keyboard.type("It was never sent.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Rejected.")
    assert flagged.read(flagged.letter).status == "rejected"
    page.keyboard.press("u")
    expect(page.get_by_role("heading", level=1)).to_have_text("Take this verdict back")
    expect(page.get_by_role("textbox", name="Why")).to_be_focused()
    page.keyboard.type(WHY)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Verdict taken back.")
    expect(page.get_by_role("heading", name="Your verdict")).to_be_visible()
    assert flagged.read(flagged.letter).status == "active"
    assert waiting(page, flagged) == before


def test_the_message_leads_back(flagged: Shop, windows: Windows, scripts: bool) -> None:
    """With and without scripts: reject, follow Undo, say why, see it wait again."""
    page = windows.open("bob", scripts=scripts)
    before = waiting(page, flagged)
    page.goto(flagged.at(flagged.letter))
    page.get_by_role("radio", name="Reject").check()
    page.get_by_role("textbox", name="Why").fill("It was never sent.")
    page.get_by_role("button", name="Reject and next").click()
    page.locator("#messages").get_by_role("link", name="Undo").click()
    page.get_by_role("textbox", name="Why").fill(WHY)
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#messages")).to_contain_text("Verdict taken back.")
    assert waiting(page, flagged) == before
    page.goto(verdicts_url(flagged.project))
    expect(page.locator("#list > li")).to_have_count(2)
    expect(page.locator("#list")).to_contain_text(WHY)


def test_what_was_built_upon_is_listed(flagged: Shop, windows: Windows, scripts: bool) -> None:
    """An agent cited the decision in between; asking for review is offered instead."""
    page = windows.open("bob", scripts=scripts)
    page.goto(flagged.at(flagged.signature))
    page.get_by_role("radio", name="Reaffirm").check()
    page.get_by_role("button", name="Reaffirm and next").click()
    page.locator("#messages").get_by_role("link", name="Undo").click()
    page.get_by_role("textbox", name="Why").fill(WHY)
    flagged.record("online", "They sign online.", on=flagged.signature)
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be taken back")
    expect(page.locator(".note__built")).to_contain_text("They sign online.")
    expect(page.locator(".typed")).to_contain_text(WHY)
    page.get_by_role("link", name="Ask for review instead").click()
    page.get_by_role("textbox", name="Why").fill("It was reaffirmed too quickly.")
    page.get_by_role("button", name="Ask for review").click()
    expect(page.locator("#messages")).to_contain_text("Asked for review.")
    assert flagged.read(flagged.signature).review_state == "needs_review"


def test_asking_for_review(shop: Shop, windows: Windows, scripts: bool) -> None:
    """From a decision that nothing flagged: it waits at once, and says who asked and why."""
    page = windows.open("bob", scripts=scripts)
    page.goto(shop.at(shop.days))
    expect(page.get_by_role("heading", name="Nothing to judge")).to_be_visible()
    page.get_by_role("textbox", name="Why").fill(WHY)
    page.get_by_role("button", name="Ask for review").click()
    expect(page.locator("#messages")).to_contain_text("Asked for review.")
    expect(page.get_by_role("heading", name="Your verdict")).to_be_visible()
    expect(page.locator(".path")).to_contain_text("Bob Reed asked for review")
    expect(page.locator(".path")).to_contain_text(WHY)
    assert shop.read(shop.days).review_state == "needs_review"
    assert waiting(page, shop) == ["Refunds take at most 30 days.", "The letter promises 30 days."]


def test_a_double_click_asks_once(shop: Shop, windows: Windows) -> None:
    """However often the button is hit."""
    page = windows.open("bob")
    page.goto(shop.at(shop.days))
    page.get_by_role("textbox", name="Why").fill(WHY)
    page.get_by_role("button", name="Ask for review").dblclick()
    expect(page.locator("#messages")).to_contain_text("Asked for review.")
    page.goto(verdicts_url(shop.project))
    expect(page.locator("#list > li")).to_have_count(1)


@pytest.mark.parametrize(("clicks", "words"), [(0, "stayed folded"), (1, "was open")])
def test_the_page_as_seen_knows_what_was_opened(
    shop: Shop, windows: Windows, clicks: int, words: str
) -> None:
    """Folded evidence that somebody opened is told from what stayed folded."""
    page = windows.open("bob")
    page.goto(shop.at(shop.signature))
    page.get_by_role("textbox", name="Why").fill(WHY)
    page.get_by_role("button", name="Ask for review").click()
    expect(page.get_by_role("heading", name="Your verdict")).to_be_visible()
    for _ in range(clicks):
        page.locator("summary.evidence__head").click()
    expect(page.locator("#id_opened")).to_have_value("0" * clicks)
    page.get_by_role("radio", name="Reaffirm").check()
    page.get_by_role("button", name="Record and stay here").click()
    expect(page.locator("#messages")).to_contain_text("Reaffirmed.")
    page.get_by_role("link", name="Reaffirmed by Bob Reed, as seen").click()
    expect(page.locator(".seen__opened")).to_have_text(words)
    expect(page.locator(".beside")).to_contain_text("A refund above 500 euro")


def test_the_lineage_is_walked_by_its_links(flagged: Shop, windows: Windows, scripts: bool) -> None:
    """From the desk to the drawing, and from a box to that decision."""
    page = windows.open("dora", scripts=scripts)
    page.goto(flagged.at(flagged.days))
    page.get_by_role("link", name="Lineage").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lineage")
    drawing = page.get_by_role("group", name="Lineage of this decision")
    drawing.get_by_role("link", name="The letter promises 30 days.").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The letter promises 30 days.")
