"""The reference of the API in a browser: found from the menu, and each call can be tried there."""

import json

from playwright.sync_api import Locator, Page, expect

from reviewconsole.addresses import queue_url, reference_url, tokens_url
from tests.browser.shop import Shop
from tests.browser.windows import Windows


def opened(page: Page, operation: str) -> Locator:
    """The description of an operation, opened by a link to it."""
    page.goto(f"{reference_url()}#{operation}")
    found = page.locator(f"#{operation}")
    expect(found.get_by_role("button", name=f"Send {operation}")).to_be_visible()
    return found


def send(call: Locator, operation: str) -> Locator:
    call.get_by_role("button", name=f"Send {operation}").click()
    return call.get_by_label(f"Answer of {operation}")


def test_a_person_finds_it_and_reads_with_it(shop: Shop, windows: Windows) -> None:
    """From the menu of any page; the answer stands below the call, and no policy is broken."""
    page = windows.open("dora")
    page.goto(queue_url(shop.project))
    page.locator(".menu summary").click()
    page.get_by_role("link", name="API reference").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API reference")
    call = opened(page, "list_tasks")
    call.get_by_label("project").fill(shop.project)
    answer = send(call, "list_tasks")
    expect(call.get_by_role("status")).to_have_text("200 OK")
    assert {one["name"] for one in json.loads(answer.inner_text())["tasks"]} >= {"audit"}


def test_a_call_that_writes_is_the_persons_own(shop: Shop, windows: Windows) -> None:
    """A key that was used holds others back; a name that no path holds as it is can be sent."""
    page = windows.open("bob")
    call = opened(page, "record_event")
    call.get_by_label("project").fill(shop.project)
    call.get_by_label("task_name").fill("audit")
    call.get_by_label("Idempotency-Key").fill("once")
    call.get_by_label("Body").fill('{"kind": "note", "payload": "Tried <b>here</b>."}')
    answer = send(call, "record_event")
    expect(call.get_by_role("status")).to_have_text("200 OK")
    first = json.loads(answer.inner_text())
    assert first["event"]["payload"] == "Tried <b>here</b>."
    assert first["people"][first["event"]["author"]] == "Bob Reed"
    call.get_by_label("task_name").fill("no/such task")
    send(call, "record_event")
    expect(call.get_by_role("status")).to_have_text("409 Conflict")
    expect(answer).to_contain_text("request_id_reused")
    call.get_by_label("Idempotency-Key").fill("")
    send(call, "record_event")
    expect(call.get_by_role("status")).to_have_text("404 Not Found")
    expect(answer).to_contain_text("task_not_found")


def test_without_scripts_it_is_a_page_to_read(windows: Windows) -> None:
    """Each call stands there as a line for a shell; nobody has to be signed in."""
    page = windows.open(scripts=False)
    page.goto(reference_url())
    call = page.locator("#record_decision")
    call.get_by_text("Arguments and answer").click()
    expect(call.get_by_label("record_decision in a shell")).to_contain_text("curl -X POST")
    expect(call.get_by_role("button")).to_have_count(0)
    expect(page.locator("#cannot_revalidate")).to_contain_text("409")


def test_a_token_is_made_shown_once_and_revoked(shop: Shop, windows: Windows) -> None:
    """Its secret stands on the page that made it; loading that list again does not show it."""
    page = windows.open("alice")
    page.goto(tokens_url(shop.project))
    page.get_by_label("Name", exact=True).fill("Nightly import")
    page.get_by_role("button", name="Make the token").click()
    secret = page.locator(".tokens__secret").inner_text()
    assert secret.startswith("rc_")
    page.goto(tokens_url(shop.project))
    expect(page.get_by_text("agent:nightly-import")).to_be_visible()
    assert secret not in page.content()
    page.get_by_role("button", name="Revoke Nightly import").click()
    expect(page.locator("#messages")).to_contain_text("lets nobody in any more")
    expect(page.get_by_text("revoked", exact=True)).to_be_visible()
