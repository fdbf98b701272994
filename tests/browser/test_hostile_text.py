"""What agents and people write is shown as they wrote it and never run."""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from reviewconsole.addresses import conflict_url, decisions_url
from tests.browser.conftest import staffed
from tests.browser.console import Console
from tests.browser.shop import STAYS, Shop
from tests.browser.windows import Windows
from tests.interop.library import Passage, Peer, passage
from tests.interop.world import document, event

SCRIPT = "<script>document.title='owned'</script>"
IMAGE = "<img src=x onerror=\"document.title='owned'\">"
TAG = "</textarea></title><svg onload=alert(1)>"
QUOTES = "\"'`{{7*7}}{% now %}&amp;&lt;\\u003cb\\u003e"
TURNED = "\u202e\u2066paid \u05e9\u05dc\u05d5\u05dd 30 days\u2069\u202c"
ZALGO = "Z\u0336\u0353\u0349a\u0336l\u0336g\u0336o \U0001f9e8"
LINK = "javascript:alert(document.cookie)"
EVERYTHING = f"{SCRIPT} {IMAGE} {TAG} {QUOTES} {TURNED} {ZALGO} {LINK}"
OLD = f"Alpha {EVERYTHING} costs 30 euro."
NEW = f"Alpha {EVERYTHING} costs 15 euro."
NAME = "..%2f<b>&?#\u202e/task\"'"


@pytest.fixture
def hostile(console: Console, peer: Peer) -> Shop:
    """A project whose every text tries to be more than text, under a hostile name as well."""
    shop = staffed(console, Shop(peer, project=f"<i>&{NAME}{uuid4()}"))
    key = f"{shop.project}-doc"
    shop.library.put_document(key, OLD, title=f"Title {EVERYTHING}", uri=LINK)
    assert shop.library.create_task(NAME, f"Goal {EVERYTHING}").recorded
    shop.library.record_event(NAME, f"Event {EVERYTHING}", role="user", name=SCRIPT)
    cited: Passage = passage(key, OLD, OLD)
    made = shop.library.record_decision(
        NAME,
        f"key {EVERYTHING}",
        f"Conclusion {EVERYTHING}",
        f"Rationale {EVERYTHING}",
        supports=[document(cited), event(NAME, 1)],
        fetched_evidence=shop.library.fetch_evidence(cited),
        assumptions=[f"Assumption {EVERYTHING}"],
        open_questions=[f"Question {EVERYTHING}"],
    )
    assert made.decision is not None, made
    shop.days = made.decision.id
    shop.library.put_document(key, NEW, title=f"Title {EVERYTHING}", uri=LINK)
    return shop


@pytest.fixture(params=[True, False], ids=["scripts", "plain"])
def bobs(hostile: Shop, windows: Windows, request: pytest.FixtureRequest) -> Page:
    """Bob's window on the queue of that project."""
    page = windows.open("bob", scripts=request.param)
    page.goto(hostile.queue())
    return page


def says(page: Page, words: str) -> None:
    """The page shows these words, character by character, and no link of it runs anything."""
    expect(page.locator("#main")).to_contain_text(words, use_inner_text=False)
    expect(page.locator("a[href^='javascript' i], main script, main svg[onload]")).to_have_count(0)
    expect(page.locator("img[src='x']")).to_have_count(0)
    expect(page).not_to_have_title("owned")


def test_every_page_shows_it_as_text(bobs: Page, hostile: Shop) -> None:
    """Queue, decision, task and lists hold each text whole."""
    says(bobs, f"Conclusion {EVERYTHING}")
    says(bobs, NAME)
    bobs.get_by_role("link", name="Conclusion <script>").click()
    for words in ("Conclusion", "Rationale", "Assumption", "Question", "Goal", "Title", "key"):
        says(bobs, f"{words} {EVERYTHING}")
    expect(bobs.locator(".changes")).to_contain_text("number 30 became 15")
    bobs.locator(".crumbs a").first.click()
    says(bobs, f"Goal {EVERYTHING}")
    says(bobs, f"Event {EVERYTHING}")
    expect(bobs.get_by_role("heading", level=1)).to_have_text(NAME)
    bobs.goto(hostile.tasks())
    says(bobs, NAME)
    bobs.goto("/")
    says(bobs, hostile.project)


def test_what_a_person_writes_is_recorded_as_it_is(bobs: Page, hostile: Shop) -> None:
    """A reason comes back in a refused form, on the page and to the library unchanged."""
    bobs.goto(hostile.at(hostile.days))
    bobs.get_by_role("radio", name="Supersede").check()
    bobs.get_by_role("textbox", name="Why").fill(EVERYTHING)
    bobs.get_by_role("button", name="Supersede and next").click()
    expect(bobs.get_by_role("alert")).to_contain_text("Something is missing")
    expect(bobs.get_by_role("textbox", name="Why")).to_have_value(EVERYTHING)
    bobs.get_by_role("radio", name="Reject").check()
    bobs.get_by_role("button", name="Record and stay here").click()
    expect(bobs.locator("#messages")).to_contain_text("Rejected.")
    says(bobs, EVERYTHING)
    assert hostile.read(hostile.days).rejection_reason == EVERYTHING


def test_finding_and_comparing_shows_it_as_text(hostile: Shop, windows: Windows) -> None:
    """The list with words marked in it, the board of a choice, and the plan to keep a side."""
    key, project = f"key {EVERYTHING}", hostile.project
    hostile.record(key, f"Otherwise {EVERYTHING}", cited=STAYS)
    page = windows.open("alice")
    page.goto(hostile.queue())
    page.goto(decisions_url(project, q=f"conclusion {SCRIPT}"))
    says(page, f"Conclusion {EVERYTHING}")
    says(page, key)
    page.goto(conflict_url(project, key))
    for words in ("Conclusion", "Otherwise", "Goal", "Title"):
        says(page, f"{words} {EVERYTHING}")
    page.get_by_role("link", name="Keep this side").first.click()
    says(page, f"Otherwise {EVERYTHING}")
    page.get_by_label("Why it is rejected").fill(EVERYTHING)
    page.get_by_label("It is no longer needed").check()
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#messages")).to_contain_text("Settled.")
    page.locator("summary", has_text="1 earlier decision").click()
    says(page, EVERYTHING)
