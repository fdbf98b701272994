"""What has no journey of its own, with the Tab key and Enter alone: erasing, lineage, documents."""

from uuid import uuid4

from playwright.sync_api import Locator, Page, expect

from reviewconsole.addresses import new_document_url
from tests.browser.console import Console
from tests.browser.shop import Shop
from tests.browser.windows import Windows

ENOUGH = 150
"""More presses than any of these pages has places to stop."""


def reach(page: Page, target: Locator) -> None:
    """Press Tab until `target` has the focus, and see that it shows."""
    for _ in range(ENOUGH):
        page.keyboard.press("Tab")
        if target.evaluate("e => e === document.activeElement"):
            break
    expect(target).to_be_focused()
    expect(target).to_be_in_viewport()


def write(page: Page, label: str, text: str) -> None:
    reach(page, page.get_by_role("textbox", name=label))
    page.keyboard.type(text)


def follow(page: Page, target: Locator, heading: str) -> None:
    """Reach it, press Enter, and arrive."""
    reach(page, target)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)


def test_erasing_lineage_and_documents(shop: Shop, windows: Windows, console: Console) -> None:
    """From a task to a receipt, from a decision into what it rests on, from a form to a document."""
    console.make_librarian("alice")
    page = windows.open("alice")
    page.goto(shop.task("audit"))
    follow(page, page.get_by_role("link", name="Redact").first, "Redact")
    write(page, "To confirm", "audit/1")
    follow(page, page.get_by_role("button", name="Erase its text"), "Receipt")

    page.goto(shop.at(shop.letter))
    follow(page, page.get_by_role("link", name="Lineage"), "Lineage")
    node = page.locator("td").get_by_role("link", name="Refunds take at most 30 days.")
    follow(page, node, "Refunds take at most 30 days.")

    page.goto(new_document_url(shop.project))
    write(page, "Key agents name it", f"own/{uuid4()}")
    write(page, "Title", "Own rules")
    write(page, "Text at most", "Nobody pays in advance.")
    reach(page, page.get_by_role("button", name="Show what this would do"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Before it is put")).to_be_visible()
    follow(page, page.get_by_role("button", name="Put this document"), "Own rules")
