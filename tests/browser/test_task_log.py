"""A task's log in a browser: ways to read it, links into it, on paper, without scripts."""

import json
import re

import pytest
from agrag.common.data_models.task import EventKind, StepState
from playwright.sync_api import Page, expect

from reviewconsole.addresses import event_url, task_url
from tests.browser.shop import Shop
from tests.browser.windows import Windows

LONG = "The shop answers by letter, by mail and by telephone.\n" * 30


@pytest.fixture
def log(flagged: Shop) -> str:
    """The address of a log in which the library recorded a call, its answer and a long note."""
    library = flagged.library
    asked = json.dumps({"tool_call_id": "c1", "arguments": {"query": "refunds"}})
    told = json.dumps({"tool_call_id": "c1", "content": LONG})
    for kind, payload in ((EventKind.TOOL_CALL, asked), (EventKind.TOOL_RESULT, told)):
        assert library.record_event("audit", payload, kind=kind, name="search").recorded
    assert library.record_event("audit", LONG, kind=EventKind.NOTE).recorded
    library.set_step("audit", "read the policy", StepState.COMPLETED, result_event_seq=3)
    return task_url(flagged.project, "audit")


def shown(page: Page) -> list[str]:
    """The numbers in the margin of the log."""
    return [text.strip() for text in page.locator("a.entry__seq").all_inner_texts()]


def test_one_kind_is_shown_without_leaving_the_page(log: str, windows: Windows) -> None:
    """The address says so, back goes back, and the focus stays on what was pressed."""
    page = windows.open("bob")
    page.goto(log)
    assert shown(page) == ["1", "2–3", "4"]
    page.evaluate("window.here = true")
    page.get_by_role("link", name="Notes").click()
    page.wait_for_url("**show=notes")
    expect(page.locator("a.entry__seq")).to_have_count(1)
    assert shown(page) == ["4"]
    assert page.evaluate("window.here") is True
    expect(page.get_by_role("link", name="Notes")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("link", name="Everything")).to_have_attribute("aria-current", "true")
    expect(page.locator("a.entry__seq")).to_have_count(3)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_result_is_found_from_its_step(log: str, windows: Windows, scripts: bool) -> None:
    """Also without scripts: the link leads to the event in its place."""
    page = windows.open("dora", scripts=scripts)
    page.goto(log)
    page.get_by_role("link", name="Result in event 3").click()
    page.wait_for_url("**from=3#event-3")
    expect(page.locator("#event-3")).to_be_in_viewport()
    expect(page.locator("#event-3")).to_contain_text("by letter, by mail")
    page.get_by_label("Go to event").fill("4")
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url("**from=4&at=")
    assert shown(page) == ["4"]


def test_a_permalink_leads_to_its_event(log: str, windows: Windows, flagged: Shop) -> None:
    """The number in the margin is a link that can be sent to somebody."""
    page = windows.open("bob")
    page.goto(log)
    link = page.locator("#event-4 > a.entry__seq")
    assert link.get_attribute("href") == event_url(flagged.project, "audit", 4)


def test_paper_holds_the_whole_text_and_no_buttons(log: str, windows: Windows) -> None:
    """What folds on a screen is unfolded, what can only be pressed is left out."""
    page = windows.open("bob")
    page.goto(log)
    text = page.locator("#event-4 .fold__text")
    folded = "e => e.scrollHeight > e.clientHeight + 1"
    assert text.evaluate(folded)
    page.emulate_media(media="print")
    assert not text.evaluate(folded)
    for gone in (".bar__nav", ".task__tools", ".fold__more", ".side__all"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(page.get_by_role("heading", name="audit")).to_be_visible()


def test_flags_and_decisions_stand_in_the_log(log: str, windows: Windows, flagged: Shop) -> None:
    """What the library flagged shows where it was flagged."""
    page = windows.open("bob")
    page.goto(flagged.queue())
    expect(page.locator("#list > li")).to_have_count(4)
    page.goto(f"{log}?show=decisions")
    entries = page.locator(".timeline > .entry:not(.entry--gap)")
    expect(entries.filter(has_text="because a cited document changed")).to_have_count(1)
    assert shown(page) == []


def test_a_long_log_is_found_in_and_taken_along(log: str, windows: Windows, flagged: Shop) -> None:
    """By words, by its map and by time; copied with a script and without; a kept text compared."""
    library = flagged.library
    for number in range(60):
        library.record_event("audit", f"Turn {number}.")
    library.redact_event(flagged.log()[49].id)
    page = windows.open("bob", permissions=["clipboard-read", "clipboard-write"])
    page.goto(log)
    page.get_by_role("searchbox", name="Words", exact=True).fill("turn 41")
    page.get_by_role("button", name="Find in this log").click()
    expect(page.locator("a.entry__seq")).to_have_text(["46"])
    page.get_by_role("link", name="Copy as Markdown").click()
    expect(page.locator(".log__take")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "Turn 41." in copied
    assert "Turn 40." not in copied
    page.get_by_role("link", name="Show all again").click()
    page.locator(".map__picture a").nth(60).click()
    expect(page.locator("a.entry__seq").first).to_have_text("61")
    page.get_by_label("or to a time").fill("2100-01-01T00:00")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("a.entry__seq")).to_have_text(["64"])
    plain = windows.open("dora", scripts=False)
    plain.goto(f"{log}?from=50")
    plain.get_by_role("link", name="Compare a text that you have").click()
    plain.get_by_role("textbox", name="Your text").fill("Turn 45.")
    plain.get_by_role("button", name="Compare").click()
    expect(plain.locator(".notice--success")).to_contain_text("letter for letter")
    plain.goto(log)
    plain.get_by_role("link", name="Copy as Markdown").click()
    expect(plain.get_by_role("textbox", name="Markdown")).to_have_value(re.compile("# `audit`"))
