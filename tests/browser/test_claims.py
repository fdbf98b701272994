"""Two people at one decision, in two windows: who has it, who takes it over, and nothing typed is lost."""

import sqlite3
import time
from contextlib import closing

from playwright.sync_api import Page, Route, expect

from tests.browser.console import Console
from tests.browser.shop import Shop
from tests.browser.windows import Windows
from tests.servers import wait_until

WHY = "Nobody needs it: cnbu?"


def look(page: Page) -> None:
    """Let half a minute pass on a page, and wait for how its claim stands, for which it asks."""
    with page.expect_response(lambda answer: "/claim" in answer.url):
        page.clock.fast_forward(31_000)


def press_while_asking(page: Page) -> None:
    """Press `c` while the page's own question is still on its way."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.evaluate("document.activeElement.blur()")
    page.route("**/claim*", hold, times=1)
    with page.expect_request(lambda asked: "/claim" in asked.url):
        page.clock.fast_forward(31_000)
    page.keyboard.press("c")
    held[0].continue_()


def held_until(console: Console, shop: Shop) -> list[int]:
    """When the claims in a project end."""
    with closing(sqlite3.connect(console.database, timeout=20)) as rows:
        found = rows.execute(
            "SELECT until_us FROM reviewconsole_claim WHERE project_id = ?", (shop.project,)
        )
        return [row[0] for row in found]


def end_soon(console: Console, shop: Shop) -> None:
    """Let every claim in a project end in two and a half minutes."""
    with closing(sqlite3.connect(console.database, timeout=20)) as rows, rows:
        rows.execute(
            "UPDATE reviewconsole_claim SET until_us = ? WHERE project_id = ?",
            (int((time.time() + 150) * 1_000_000), shop.project),
        )


def test_a_claim_from_the_queue_to_its_loss_and_back(
    flagged: Shop, windows: Windows, console: Console
) -> None:
    """Kept with one key, taken over with a reason, told to who lost it, refused, taken again."""
    bobs = windows.open("bob")
    bobs.clock.install()
    bobs.goto(flagged.queue())
    bobs.get_by_role("link", name="Start with the first").click()
    claim = bobs.locator("#claim")
    expect(claim).to_contain_text("Item 1 of 4")
    expect(claim.get_by_text("You have claimed this until")).to_be_visible()
    bobs.keyboard.press("d")
    bobs.get_by_role("textbox", name="Why kept").fill(WHY)
    bobs.clock.fast_forward(1_000)
    expect(bobs.locator("[data-draft]")).to_contain_text("Saved at")
    look(bobs)
    end_soon(console, flagged)
    look(bobs)
    expect(claim.get_by_role("alert")).to_contain_text("Your claim ends at")
    press_while_asking(bobs)
    expect(claim.get_by_role("alert")).to_be_hidden()
    alices = windows.open("alice")
    alices.goto(bobs.url)
    expect(alices.locator("#claim")).to_contain_text("Bob Reed has claimed this until")
    alices.keyboard.press("c")
    alices.keyboard.type("Bob is away.")
    alices.get_by_role("button", name="Take it over").click()
    expect(alices.locator("#claim")).to_contain_text("You have claimed this until")
    look(bobs)
    expect(claim).to_contain_text("Alice Marsh has claimed this until")
    expect(claim).to_contain_text("Bob is away.")
    bobs.keyboard.press("Control+Enter")
    expect(bobs.locator("#refusal")).to_contain_text("Somebody else holds this decision")
    expect(bobs.get_by_role("textbox", name="Why kept")).to_have_value(WHY)
    alices.goto(flagged.queue())
    wait_until(lambda: held_until(console, flagged) == [0], 20)
    look(bobs)
    expect(claim.get_by_text("Nobody has claimed this.")).to_be_visible()
    bobs.evaluate("document.activeElement.blur()")
    bobs.keyboard.press("c")
    expect(claim.get_by_text("You have claimed this until")).to_be_visible()
    bobs.keyboard.press("Control+Enter")
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")
    expect(bobs.locator("#claim")).to_contain_text("Item 2 of")


def test_left_for_later_without_scripts(flagged: Shop, windows: Windows) -> None:
    """Set aside with a why and what was typed: the next comes, others read why, the text is back."""
    page = windows.open("bob", scripts=False)
    page.goto(flagged.queue())
    page.get_by_role("link", name="Start with the first").click()
    here = page.url
    page.get_by_role("radio", name="Reject").check()
    page.get_by_role("textbox", name="Why kept").fill(WHY)
    page.get_by_text("Leave it for later").click()
    page.get_by_role("textbox", name="Cannot judge").fill("This needs a lawyer.")
    page.get_by_role("button", name="Set aside").click()
    expect(page.locator("#messages")).to_contain_text("Set aside")
    expect(page.locator("#claim")).to_contain_text("You have claimed this until")
    page.goto(here)
    expect(page.locator("#claim")).to_contain_text("This needs a lawyer.")
    expect(page.get_by_role("textbox", name="Why kept")).to_have_value(WHY)
    page.get_by_role("button", name="I can judge it after all").click()
    expect(page.locator("#claim")).not_to_contain_text("This needs a lawyer.")
