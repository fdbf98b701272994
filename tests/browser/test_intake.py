"""A manager opens the queue in portions, in a real browser, with a real worker that compares."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from reviewconsole.addresses import intake_url
from tests.browser.console import Console
from tests.browser.shop import Shop
from tests.browser.windows import Windows


@pytest.fixture
def worked(console: Console) -> Iterator[Console]:
    """The console with a worker at it."""
    console.start_worker()
    yield console
    console.stop_worker()


def test_the_queue_is_opened_in_portions(flagged: Shop, windows: Windows, worked: Console) -> None:
    """By keyboard: the bar fills by itself, a portion stays in the queue, the rest comes back."""
    assert worked.is_well()
    page = windows.open("alice")
    page.goto(flagged.queue())
    expect(page.locator("#list [data-item]")).to_have_count(4)
    page.goto(intake_url(flagged.project))
    expect(page.locator("#progress")).to_contain_text("Every flagged decision is compared")
    page.reload()
    keep = page.get_by_role("region", name="Open the queue in portions")
    keep.get_by_role("radio", name="that other decisions rest on (1)").focus()
    page.keyboard.press("Space")
    keep.get_by_role("button", name="Keep these, park the rest").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("3 decisions were put into the backlog.")
    page.get_by_role("link", name="To the queue").click()
    expect(page.locator("#list [data-item]")).to_have_count(1)
    page.get_by_role("link", name="3 in the backlog").click()
    take = page.get_by_role("region", name="Take up from the backlog")
    take.get_by_role("radio", name="with the most at stake (3)").check()
    take.get_by_role("button", name="Take these up").click()
    expect(page.locator("#messages")).to_contain_text("3 decisions were put into the queue.")
    expect(page.locator("main")).to_contain_text("The backlog is empty")
