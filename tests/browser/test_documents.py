"""A librarian puts a document, an agent of the library cites it, and a change of it fills the queue."""

import pytest
from playwright.sync_api import Page, expect

from reviewconsole.addresses import document_url, documents_url
from tests.browser.console import Console
from tests.browser.shop import Shop
from tests.browser.windows import Windows
from tests.interop.library import passage
from tests.interop.world import document

CITED = "Whoever enters the yard wears a vest, at most 30 steps from the gate."
RULES = f"Lorries wait outside until called.\n\n{CITED}\n\nDogs stay in the cabin."
CHANGED = RULES.replace("30 steps", "15 steps")


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def desk(request: pytest.FixtureRequest, console: Console, windows: Windows) -> Page:
    """A window of Alice, who looks after the documents."""
    console.make_librarian("alice")
    return windows.open("alice", scripts=request.param)


def put_rules(desk: Page, shop: Shop) -> str:
    """Put a new document through its form and preview; returns its key."""
    key = f"{shop.project}/yard rules"
    desk.goto(documents_url(shop.project))
    desk.get_by_role("link", name="Put a new document").click()
    desk.get_by_label("Key agents name it").fill(key)
    desk.get_by_label("Title").fill("Yard rules")
    desk.get_by_label("Text at most").fill(RULES)
    desk.get_by_role("button", name="Show what this would do").click()
    expect(desk.locator("#main")).to_contain_text("Nothing is written yet.")
    desk.get_by_role("button", name="Put this document").dblclick()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Yard rules")
    return key


def cite(shop: Shop, key: str) -> None:
    """An agent that runs on the reference library decides on a passage of it."""
    cited = passage(key, RULES, CITED)
    made = shop.library.record_decision(
        "audit",
        "vests",
        "Vests are worn in the yard.",
        supports=[document(cited)],
        fetched_evidence=shop.library.fetch_evidence(cited),
    )
    assert made.decision is not None, made


def test_a_change_goes_from_its_preview_to_the_queue(shop: Shop, desk: Page) -> None:
    """Whoever changes a document sees first whom it flags; a double click is one version."""
    key = put_rules(desk, shop)
    cite(shop, key)
    desk.reload()
    expect(desk.locator(".sheet mark")).to_have_text(CITED)
    expect(desk.locator("#cited")).to_contain_text("Vests are worn in the yard.")
    desk.get_by_role("link", name="Change", exact=True).click()
    expect(desk.get_by_label("Text at most")).to_have_value(RULES)
    desk.get_by_label("Text at most").fill(CHANGED)
    desk.get_by_role("button", name="Show what this would do").click()
    expect(desk.get_by_role("heading", name="It flags 1 decision of")).to_be_visible()
    expect(desk.locator(".told")).to_contain_text("number 30 became 15")
    expect(desk.locator(".flags")).to_contain_text("its passage changes")
    desk.get_by_role("button", name="Put this version").dblclick()
    expect(desk.locator("#messages")).to_contain_text("1 decision is flagged by it.")
    expect(desk.locator("#versions li")).to_have_count(2)
    desk.get_by_role("link", name="See them in the queue").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("1 decision waits")
    desk.get_by_role("link", name="Vests are worn in the yard.").click()
    expect(desk.locator(".evidence").first).to_contain_text("number 30 became 15")
    desk.get_by_role("link", name="Yard rules").last.click()
    expect(desk.locator("#cited")).to_contain_text("does not stand there word for word any more")
    desk.get_by_role("link", name="Version 2").click()
    expect(desk.locator(".told")).to_contain_text("number 30 became 15")


def test_a_document_is_removed_by_its_name(shop: Shop, desk: Page) -> None:
    """A wrong name removes nothing; afterwards its page says that it is gone."""
    cite(shop, put_rules(desk, shop))
    desk.get_by_role("link", name="Remove", exact=True).click()
    desk.get_by_label("To remove it").fill("Yard")
    desk.get_by_role("button", name="Remove it").click()
    expect(desk.locator(".errorlist")).to_contain_text("neither its title nor its key")
    desk.get_by_label("To remove it").fill("yard rules")
    desk.get_by_role("button", name="Remove it").click()
    expect(desk.locator("#messages")).to_contain_text("The document is removed.")
    expect(desk.locator("#main")).to_contain_text("Nothing in it can be cited any more")


def test_what_the_library_looks_after_is_refused(shop: Shop, desk: Page) -> None:
    """With everything typed still in the form."""
    desk.goto(document_url(shop.project, shop.policy))
    desk.get_by_role("link", name="Change", exact=True).click()
    desk.get_by_label("Text at most").fill("All is refunded.")
    desk.get_by_role("button", name="Show what this would do").click()
    expect(desk.get_by_role("alert")).to_contain_text("An ingestion pipeline writes this document")
    expect(desk.get_by_label("Text at most")).to_have_value("All is refunded.")
