"""Every page in every state: axe finds nothing, and nothing scrolls sideways."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from uuid import UUID, uuid4

import pytest
from agrag.common.data_models.task import StepState
from playwright.sync_api import Browser, Locator, Page, expect

from graphstore.ids import derived_id
from reviewconsole.addresses import (
    ask_url,
    bulk_start_url,
    bundle_url,
    check_event_url,
    conflict_url,
    conflicts_url,
    decisions_url,
    delete_task_url,
    document_url,
    documents_url,
    impact_url,
    intake_url,
    jobs_url,
    keep_url,
    ledger_url,
    lineage_url,
    log_markdown_url,
    new_document_url,
    pick_url,
    project_settings_url,
    queue_url,
    queue_views_url,
    redact_event_url,
    reference_url,
    retention_url,
    steps_url,
    task_url,
    tasks_url,
    tokens_url,
    verdicts_url,
    verification_url,
    versions_between_url,
)
from reviewconsole.models import Role
from tests.browser.conftest import staffed
from tests.browser.console import Console
from tests.browser.seeing import findings, sticking_out
from tests.browser.shop import POLICY, STAYS, UPDATED, UPDATED_AGAIN, Shop
from tests.browser.windows import Windows, sign_in
from tests.interop.library import Peer, passage
from tests.interop.world import document, event

HANDBOOK = "Two people sign what costs more than 500 euro."
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2


@dataclass
class Place:
    """Projects with something of everything that a page can show."""

    peer: Peer
    console: Console
    windows: Windows
    busy: Shop = field(init=False)
    quiet: Shop = field(init=False)
    clear: UUID = field(init=False)
    removed: UUID = field(init=False)
    redacted: UUID = field(init=False)
    rejected: UUID = field(init=False)
    superseded: UUID = field(init=False)
    long: UUID = field(init=False)
    untouched: str = field(default_factory=lambda: f"untouched-{uuid4()}")

    def __post_init__(self) -> None:
        self.console.grant("bob", self.untouched, Role.REVIEWER)
        self.quiet = staffed(self.console, Shop(self.peer))
        busy = self.busy = staffed(self.console, Shop(self.peer, f"{WORD}-{uuid4().hex[:8]}"))
        library, handbook = busy.library, f"{busy.project}-handbook"
        library.put_document(handbook, HANDBOOK, title="Handbook")
        library.record_event("audit", "The shop sells in the EU only.", name="search")
        self._record_wide()
        self.clear = self._on_event("scope", "Only the EU matters.", 1)
        self.redacted = self._on_event("area", "Nothing is sold elsewhere.", 2)
        cited = passage(handbook, HANDBOOK, HANDBOOK)
        made = library.record_decision(
            "audit",
            "sign",
            "Two people sign.",
            supports=[document(cited)],
            fetched_evidence=library.fetch_evidence(cited),
        )
        assert made.decision is not None
        self.removed = made.decision.id
        self.rejected = busy.record("odd", "Refunds are odd.", cited=STAYS)
        self.superseded = busy.record("even", "Refunds are even.", cited=STAYS)
        library.reject_decision(self.rejected, "Nobody says so.")
        library.supersede_decision(
            self.superseded,
            "Refunds are even and fair.",
            explanation="Fairness counts.",
            supports=[document(busy.cite(STAYS))],
            fetched_evidence=library.fetch_evidence(busy.cite(STAYS)),
        )
        busy.record(WORD, f"Otherwise. {WORD}", cited=STAYS)
        library.redact_event(busy.log()[1].id)
        library.remove_document(handbook)
        busy.put(UPDATED)

    def _record_wide(self) -> None:
        """Names and texts that are longer than a narrow screen, wherever they can be."""
        wide = self.peer.library(self.busy.project, agent_id=WORD)
        key = f"{self.busy.project}-wide"
        wide.put_document(key, f"{WORD} {WORD}", title=WORD, uri=f"https://example.org/{WORD}")
        wide.create_task(WORD, WORD)
        for task in ("audit", WORD):
            wide.record_event(task, f"Nobody reads this. {WORD}", role=WORD[:60], name=WORD)
            for state in StepState:
                wide.set_step(task, f"{state} {WORD}", state)
        cited = passage(key, f"{WORD} {WORD}", WORD)
        made = wide.record_decision(
            WORD,
            WORD,
            f"{WORD} {POLICY} " * 3,
            f"{WORD} {POLICY} " * 9,
            supports=[document(cited), event(WORD, 1), event("audit", 3)],
            fetched_evidence=wide.fetch_evidence(cited),
            assumptions=[WORD],
            open_questions=[WORD],
        )
        assert made.decision is not None
        self.long = made.decision.id
        wide.put_document(key, f"{WORD} 30 {WORD}", title=WORD)

    def _on_event(self, choice: str, conclusion: str, seq: int) -> UUID:
        made = self.busy.library.record_decision(
            "audit", choice, conclusion, supports=[event("audit", seq)]
        )
        assert made.decision is not None
        return made.decision.id

    @cached_property
    def asked(self) -> str:
        """The address of an asking for review, in a project that only these pages use."""
        shop = self.given_in
        page = self.see(shop.at(shop.days))
        page.get_by_role("textbox", name="Why").fill(f"Look again. {WORD}")
        page.get_by_role("button", name="Ask for review").click()
        expect(page.locator("#messages")).to_contain_text("Asked for review.")
        return _leads_to(page.get_by_role("link", name="as seen"))

    @cached_property
    def receipt(self) -> str:
        """The address of what an admin redacted there."""
        url = redact_event_url(self.given_in.project, "audit", 1)
        page = self.see(url, "alice")
        page.get_by_role("textbox", name="To confirm").fill("audit/1")
        page.get_by_role("button", name="Erase its text").click()
        expect(page.locator("h1")).to_have_text("Receipt")
        return page.url

    @cached_property
    def given(self) -> str:
        """The address of a verdict given there, on a page with all that it showed."""
        assert self.asked
        page = self.see(self.given_in.at(self.given_in.days))
        page.get_by_role("radio", name="Reject").check()
        page.get_by_role("textbox", name="Why").fill(f"It was never true. {WORD} {POLICY}")
        page.get_by_role("button", name="Record and stay here").click()
        expect(page.locator("#messages")).to_contain_text("Rejected.")
        return _leads_to(page.get_by_role("link", name="Rejected by Bob Reed, as seen"))

    @cached_property
    def given_in(self) -> Shop:
        """The project of `asked` and `given`."""
        return staffed(self.console, Shop(self.peer, f"{WORD}-{uuid4().hex[:8]}"))

    def see(self, address: str, person: str | None = "bob") -> Page:
        """A page as somebody sees it."""
        page = self.windows.open(person)
        page.goto(address)
        return page

    def judged(self, decision_id: UUID, verdict: str, **typed: str) -> Page:
        """A decision's page after a verdict was sent from it."""
        page = self.choosing(decision_id, verdict)
        for label, text in typed.items():
            page.get_by_role("textbox", name=label).fill(text)
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.get_by_role("button", name=f"{verdict} and next").click()
        expect(page.locator("#refusal, h1").first).to_be_visible()
        return page

    def choosing(self, decision_id: UUID, verdict: str) -> Page:
        """A decision's page with a verdict chosen and not sent."""
        page = self.see(self.busy.at(decision_id))
        page.get_by_role("radio", name=verdict).check()
        return page


def _leads_to(link: Locator) -> str:
    return link.get_attribute("href") or ""


Opener = Callable[[Place], Page]


def _token_made(place: Place) -> Page:
    page = place.see(tokens_url(place.busy.project), "alice")
    page.get_by_label("Name", exact=True).fill(WORD[:100])
    page.get_by_label("Agent").fill(f"agent:{WORD[:150]}")
    page.get_by_role("button", name="Make the token").click()
    expect(page.get_by_text("Copy its secret now.")).to_be_visible()
    return page


def _ledger_entry(place: Place) -> Page:
    assert place.given
    page = place.see(ledger_url(place.given_in.project, action="reject_decision"), "alice")
    page.locator("[data-item]").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Decision rejected")
    return page


def _token_422(place: Place) -> Page:
    page = place.see(tokens_url(place.quiet.project), "alice")
    page.get_by_role("button", name="Make the token").click()
    expect(page.get_by_text("Give it a name")).to_be_visible()
    return page


def _refused_sign_in(place: Place) -> Page:
    page = place.see("/signin", None)
    sign_in(page, "bob", "not the password")
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def _moved(place: Place) -> Page:
    page = place.choosing(place.busy.days, "Reject")
    page.get_by_role("textbox", name="Why").fill("It was never true.")
    place.busy.put(UPDATED_AGAIN)
    page.get_by_role("button", name="Reject and next").click()
    expect(page.locator("#refusal")).to_contain_text("newer version")
    return page


def _claimed(place: Place) -> Page:
    """What somebody else has claimed, with why; set aside and snoozed besides."""
    other = place.see(place.busy.at(place.busy.cards), "alice")
    other.get_by_text("Leave it for later").click()
    other.get_by_role("textbox", name="Cannot judge").fill(f"A lawyer has to. {WORD}")
    with other.expect_navigation():
        other.get_by_role("button", name="Set aside").click()
    other.goto(place.busy.at(place.busy.cards))
    other.get_by_text("Leave it for later").click()
    with other.expect_navigation():
        other.get_by_role("button", name="Snooze").click()
    other.goto(place.busy.at(place.busy.cards))
    other.get_by_role("button", name="Claim it").click()
    expect(other.locator("#claim")).to_contain_text("You have claimed this")
    page = place.choosing(place.busy.cards, "Reject")
    page.get_by_text("Leave it for later").click()
    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="whoever has it")).to_be_focused()
    return page


def _judged_meanwhile(place: Place) -> Page:
    page = place.choosing(place.long, "Reject")
    page.get_by_role("textbox", name="Why").fill(f"It was never true. {WORD}")
    place.busy.library.reject_decision(place.long, "An agent was quicker.")
    page.get_by_role("button", name="Reject and next").click()
    expect(page.locator(".typed")).to_be_visible()
    return page


def _taken_away(place: Place, change: Callable[[], None], words: str) -> Page:
    page = place.choosing(place.busy.days, "Reject")
    page.get_by_role("textbox", name="Why").fill("It was never true.")
    change()
    page.get_by_role("button", name="Reject and next").click()
    expect(page.locator("#main")).to_contain_text(words)
    expect(page.locator("#main")).to_contain_text("It was never true.")
    place.console.grant("bob", place.busy.project, Role.REVIEWER)
    return page


def _as_reader(place: Place) -> Page:
    console, project = place.console, place.busy.project
    return _taken_away(
        place, lambda: console.grant("bob", project, Role.READER), "Your role in this project"
    )


def _as_stranger(place: Place) -> Page:
    console, project = place.console, place.busy.project
    return _taken_away(place, lambda: console.revoke("bob", project), "nothing at this address")


def _held(place: Place) -> Page:
    page = place.choosing(place.busy.days, "Reject")
    page.get_by_role("textbox", name="Why").fill("It was never true.")
    page.context.clear_cookies()
    other = page.context.new_page()
    other.goto("/signin")
    sign_in(other, "bob")
    expect(other.get_by_role("heading", level=1)).to_have_text("Projects")
    page.get_by_role("button", name="Reject and next").click()
    expect(page.get_by_role("button", name="Send again")).to_be_visible()
    return page


def _signed_out(place: Place) -> Page:
    page = place.choosing(place.busy.days, "Reject")
    page.context.clear_cookies(name="rc_session")
    page.get_by_role("button", name="Reject and next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    return page


def _with_keys(place: Place) -> Page:
    page = place.see(place.busy.queue())
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    return page


def _with_filter(place: Place) -> Page:
    page = place.see(place.busy.queue(document=f"{place.busy.project}-wide", age="day"))
    page.locator("#pick-document").click()
    expect(page.locator("#document-all")).to_be_visible()
    return page


def _view_422(place: Place) -> Page:
    """One view is saved and shared, a second one would have its name."""
    page = place.see(place.busy.queue(document=f"{place.busy.project}-wide"))
    for answer in ("#messages .notice", ".errorlist"):
        page.get_by_text("Save view").click()
        page.get_by_label("Name", exact=True).fill(WORD[:60])
        page.get_by_label("Everybody in the project sees it").check()
        page.get_by_role("button", name="Save these filters").click()
        expect(page.locator(answer)).to_be_visible()
    return page


def _with_menu(place: Place) -> Page:
    page = place.see(place.busy.queue())
    page.locator(".menu summary").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


def _keep_422(place: Place) -> Page:
    page = place.see(keep_url(place.busy.project, WORD, place.long), "alice")
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#refusal")).to_contain_text("Write why")
    return page


def _keep_409(place: Place) -> Page:
    page = place.see(keep_url(place.busy.project, WORD, place.long), "alice")
    page.get_by_label("Why").fill(f"It was never true. {WORD}")
    page.get_by_label("It was wrong when made").check()
    place.busy.put(f"{UPDATED_AGAIN} ")
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#refusal")).to_contain_text("nothing was rejected")
    return page


def _document(place: Place, key: str = "policy") -> str:
    return document_url(place.busy.project, f"{place.busy.project}-{key}")


def _putting(place: Place) -> Page:
    """The form of a new document, filled in by the librarian."""
    page = place.see(new_document_url(place.busy.project), "alice")
    page.get_by_label("Key agents name it").fill(f"own/{uuid4()}")
    page.get_by_label("Title").fill(f"Own rules {WORD}")
    page.get_by_label("Text at most").fill(f"{POLICY}\n\n{WORD}\n\n{WORD}")
    return page


def _previewed(place: Place) -> Page:
    page = _putting(place)
    page.get_by_role("button", name="Show what this would do").click()
    expect(page.get_by_role("heading", name="Before it is put")).to_be_visible()
    return page


def _put(place: Place) -> Page:
    page = _previewed(place)
    page.get_by_role("button", name="Put this document").click()
    expect(page.get_by_role("heading", name="Own rules")).to_be_visible()
    return page


def _change_previewed(place: Place) -> Page:
    page = _put(place)
    page.get_by_role("link", name="Change", exact=True).click()
    page.get_by_label("Title").fill(f"New rules {WORD}")
    page.get_by_label("Text at most").fill(f"{UPDATED}\n\n{WORD} 15 {WORD}")
    page.get_by_role("button", name="Show what this would do").click()
    expect(page.get_by_role("heading", name="Before it is put")).to_be_visible()
    return page


def _put_incomplete(place: Place) -> Page:
    page = _putting(place)
    page.get_by_label("Address").fill(f"javascript:{WORD}")
    page.get_by_role("button", name="Show what this would do").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def _put_held(place: Place) -> Page:
    page = _putting(place)
    page.context.clear_cookies()
    other = page.context.new_page()
    other.goto("/signin")
    sign_in(other, "alice")
    expect(other.get_by_role("heading", level=1)).to_have_text("Projects")
    page.get_by_role("button", name="Show what this would do").click()
    expect(page.get_by_role("button", name="Send again")).to_be_visible()
    return page


def _removing(place: Place) -> Page:
    page = _put(place)
    page.get_by_role("link", name="Remove", exact=True).click()
    expect(page.get_by_role("button", name="Remove it")).to_be_visible()
    return page


def _log(place: Place, **query: str | int) -> str:
    return task_url(place.busy.project, "audit", **query)


def _long_log(place: Place) -> str:
    """A log of two pages, in words and as a picture."""
    for number in range(60):
        place.busy.library.record_event("letters", f"{number} {WORD}", name=WORD)
    return task_url(place.busy.project, "letters", words="9", by="")


def _compared(place: Place) -> Page:
    page = place.see(check_event_url(place.busy.project, "audit", 2))
    page.get_by_role("textbox", name="Your text").fill(WORD)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("status").filter(has_text="Another text")).to_be_visible()
    return page


def _delete_422(place: Place) -> Page:
    page = place.see(delete_task_url(place.busy.project, WORD), "alice")
    page.get_by_role("textbox", name="To confirm").fill(f"not {WORD}")
    page.get_by_role("button", name="Delete it for good").click()
    expect(page.locator(".refusal")).to_be_visible()
    return page


def _steps(place: Place, **query: str) -> str:
    return steps_url(place.busy.project, "audit", **query)


def _list_of(verdict: str) -> str:
    """The list in which a verdict stands."""
    return verdict.rpartition("/")[0]


def _ask_422(place: Place) -> Page:
    page = place.see(ask_url(place.busy.project, place.clear))
    page.get_by_role("button", name="Ask for review").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def _ask_held(place: Place) -> Page:
    page = place.see(ask_url(place.busy.project, place.clear))
    page.get_by_role("textbox", name="Why").fill("It was never true.")
    page.context.clear_cookies()
    other = page.context.new_page()
    other.goto("/signin")
    sign_in(other, "bob")
    expect(other.get_by_role("heading", level=1)).to_have_text("Projects")
    page.get_by_role("button", name="Ask for review").click()
    expect(page.get_by_role("button", name="Send again")).to_be_visible()
    return page


def _withdraw_422(place: Place) -> Page:
    page = place.see(f"{place.given}/withdraw")
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def _of_support(place: Place, address: Callable[..., str], **query: str) -> str:
    """A page about the passage that a decision cites."""
    cited = derived_id("Support", place.busy.days, 0)
    return address(place.busy.project, place.busy.days, cited, **query)


PAGES: dict[str, Opener] = {
    "sign in": lambda place: place.see("/signin", None),
    "sign in, refused": _refused_sign_in,
    "sign in, text kept": _signed_out,
    "projects": lambda place: place.see("/"),
    "projects, none": lambda place: place.see("/", "charlie"),
    "queue": lambda place: place.see(place.busy.queue()),
    "queue, one reason": lambda place: place.see(place.busy.queue(reason="source_removed")),
    "queue, one document": lambda place: place.see(
        place.busy.queue(document=f"{place.busy.project}-wide")
    ),
    "queue, none of a kind": lambda place: place.see(place.busy.queue(reason="asked")),
    "queue, empty": lambda place: place.see(place.quiet.queue()),
    "queue, filter open": _with_filter,
    "saved views, none": lambda place: place.see(queue_views_url(place.quiet.project)),
    "saved views, 422": _view_422,
    "saved views": lambda place: place.see(queue_views_url(place.busy.project)),
    "queue, keys": _with_keys,
    "queue, menu": _with_menu,
    "decision, edited": lambda place: place.see(place.busy.at(place.busy.days)),
    "decision, verbatim": lambda place: place.see(place.busy.at(place.busy.signature)),
    "decision, not found": lambda place: place.see(place.busy.at(place.busy.cards)),
    "decision, dependent": lambda place: place.see(place.busy.at(place.busy.letter)),
    "decision, removed": lambda place: place.see(place.busy.at(place.removed)),
    "decision, redacted": lambda place: place.see(place.busy.at(place.redacted)),
    "decision, clear": lambda place: place.see(place.busy.at(place.clear)),
    "decision, rejected": lambda place: place.see(place.busy.at(place.rejected)),
    "decision, superseded": lambda place: place.see(place.busy.at(place.superseded)),
    "decision, long": lambda place: place.see(place.busy.at(place.long)),
    "decision, as reader": lambda place: place.see(place.busy.at(place.busy.days), "dora"),
    "decision, reaffirming": lambda place: place.choosing(place.busy.days, "Reaffirm"),
    "decision, superseding": lambda place: place.choosing(place.busy.days, "Supersede"),
    "decision, rejecting": lambda place: place.choosing(place.busy.days, "Reject"),
    "decision, 422": lambda place: place.judged(place.busy.days, "Supersede", Rationale="So."),
    "decision, claimed by another": _claimed,
    "decision, 409 moved": _moved,
    "decision, 409 judged": _judged_meanwhile,
    "decision, 403": _as_reader,
    "held": _held,
    "documents": lambda place: place.see(documents_url(place.busy.project)),
    "documents, as admin": lambda place: place.see(documents_url(place.busy.project), "alice"),
    "documents, none": lambda place: place.see(documents_url(place.untouched)),
    "document": lambda place: place.see(_document(place)),
    "document, wide": lambda place: place.see(_document(place, "wide")),
    "document, removed": lambda place: place.see(_document(place, "handbook"), "alice"),
    "document, version": lambda place: place.see(f"{_document(place)}/versions/2"),
    "document, wide version": lambda place: place.see(f"{_document(place, 'wide')}/versions/2"),
    "document, removal": lambda place: place.see(f"{_document(place, 'handbook')}/versions/2"),
    "document, managed elsewhere": lambda place: place.see(f"{_document(place)}/remove", "alice"),
    "document, new": _putting,
    "document, new previewed": _previewed,
    "document, put": _put,
    "document, 422": _put_incomplete,
    "document, change previewed": _change_previewed,
    "document, removing": _removing,
    "document, held": _put_held,
    "impact": lambda place: place.see(impact_url(place.busy.project, place.busy.days)),
    "impact, of a clear one": lambda place: place.see(impact_url(place.busy.project, place.clear)),
    "pick": lambda place: place.see(_of_support(place, pick_url)),
    "pick, found": lambda place: place.see(_of_support(place, pick_url, find="refunds")),
    "versions between": lambda place: place.see(_of_support(place, versions_between_url)),
    "lineage": lambda place: place.see(lineage_url(place.busy.project, place.busy.days)),
    "lineage, wide": lambda place: place.see(lineage_url(place.busy.project, place.long)),
    "lineage, as of a day": lambda place: place.see(
        lineage_url(place.busy.project, place.busy.days, as_of=f"{datetime.now(UTC):%Y-%m-%d}")
    ),
    "lineage, before": lambda place: place.see(
        lineage_url(place.busy.project, place.busy.days, as_of="2001-01-01")
    ),
    "lineage, revisions": lambda place: place.see(
        lineage_url(place.busy.project, place.superseded)
    ),
    "ask": lambda place: place.see(ask_url(place.busy.project, place.clear)),
    "ask, wide": lambda place: place.see(ask_url(place.busy.project, place.long)),
    "ask, closed": lambda place: place.see(ask_url(place.busy.project, place.rejected)),
    "ask, 422": _ask_422,
    "ask, held": _ask_held,
    "verdicts": lambda place: place.see(_list_of(place.given)),
    "verdicts, none of a kind": lambda place: place.see(f"{_list_of(place.given)}?kind=withdraw"),
    "verdicts, none": lambda place: place.see(verdicts_url(place.untouched)),
    "verdict": lambda place: place.see(place.given),
    "verdict, no page": lambda place: place.see(place.asked),
    "withdraw": lambda place: place.see(f"{place.given}/withdraw"),
    "withdraw, 422": _withdraw_422,
    "withdraw, built upon": lambda place: place.see(f"{place.asked}/withdraw"),
    "404": lambda place: place.see("/p/nothing/queue"),
    "404, text kept": _as_stranger,
    "decisions": lambda place: place.see(decisions_url(place.busy.project)),
    "decisions, found": lambda place: place.see(
        decisions_url(place.busy.project, q=f"refunds {WORD}", author=WORD)
    ),
    "decisions, of a choice": lambda place: place.see(decisions_url(place.busy.project, q=WORD)),
    "decisions, unknown id": lambda place: place.see(
        decisions_url(place.busy.project, q=str(uuid4()))
    ),
    "decisions, none": lambda place: place.see(decisions_url(place.untouched)),
    "conflicts": lambda place: place.see(conflicts_url(place.busy.project)),
    "conflicts, none": lambda place: place.see(conflicts_url(place.quiet.project)),
    "conflict": lambda place: place.see(conflict_url(place.busy.project, WORD), "alice"),
    "conflict, as reader": lambda place: place.see(conflict_url(place.busy.project, WORD), "dora"),
    "conflict, one side": lambda place: place.see(conflict_url(place.busy.project, "even")),
    "conflict, no side": lambda place: place.see(conflict_url(place.busy.project, "odd")),
    "keep": lambda place: place.see(keep_url(place.busy.project, WORD, place.long), "alice"),
    "keep, 422": _keep_422,
    "keep, 409": _keep_409,
    "keep, nothing left": lambda place: place.see(
        keep_url(place.busy.project, "scope", place.clear), "alice"
    ),
    "reference": lambda place: place.see(reference_url()),
    "tokens, none": lambda place: place.see(tokens_url(place.quiet.project), "alice"),
    "tokens, made": _token_made,
    "tokens, 422": _token_422,
    "tasks": lambda place: place.see(place.busy.tasks()),
    "tasks, none": lambda place: place.see(tasks_url(place.untouched)),
    "queue, untouched": lambda place: place.see(queue_url(place.untouched)),
    "task, wide": lambda place: place.see(place.busy.task(WORD)),
    "task": lambda place: place.see(place.busy.task("audit")),
    "task, short": lambda place: place.see(place.quiet.task("letters")),
    "task, decisions only": lambda place: place.see(_log(place, show="decisions")),
    "task, tools": lambda place: place.see(_log(place, show="tools")),
    "task, none of a kind": lambda place: place.see(_log(place, show="messages")),
    "task, mapped": lambda place: place.see(_long_log(place)),
    "task, markdown": lambda place: place.see(log_markdown_url(place.busy.project, WORD)),
    "event, compared": _compared,
    "task, beyond": lambda place: place.see(_log(place, after=900)),
    "task, as admin": lambda place: place.see(place.busy.task(WORD), "alice"),
    "task, delete": lambda place: place.see(delete_task_url(place.busy.project, WORD), "alice"),
    "task, delete, decisions stay": lambda place: place.see(
        delete_task_url(place.busy.project, "audit", decisions="keep"), "alice"
    ),
    "task, delete, 422": _delete_422,
    "event, redact": lambda place: place.see(
        redact_event_url(place.busy.project, "audit", 3), "alice"
    ),
    "event, redacted before": lambda place: place.see(
        redact_event_url(place.busy.project, "audit", 2), "alice"
    ),
    "ledger": lambda place: place.see(ledger_url(place.given and place.given_in.project), "alice"),
    "ledger, none like that": lambda place: place.see(
        ledger_url(place.busy.project, who=WORD, since="2020-01-01", until="2020-01-02"), "alice"
    ),
    "ledger entry": _ledger_entry,
    "ledger verification": lambda place: place.see(verification_url(place.busy.project), "alice"),
    "retention": lambda place: place.see(place.receipt.rpartition("/")[0], "alice"),
    "retention, none": lambda place: place.see(retention_url(place.quiet.project), "alice"),
    "receipt": lambda place: place.see(place.receipt, "alice"),
    "steps": lambda place: place.see(_steps(place)),
    "steps, wide": lambda place: place.see(steps_url(place.busy.project, WORD)),
    "steps, one state": lambda place: place.see(_steps(place, state="completed")),
    "bundle": lambda place: place.see(bundle_url(place.busy.project, place.busy.policy)),
    "bundle, wide": lambda place: place.see(
        bundle_url(place.busy.project, f"{place.busy.project}-wide")
    ),
    "bundle, nothing waits": lambda place: place.see(
        bundle_url(place.quiet.project, place.quiet.policy)
    ),
    "bulk, too few": lambda place: place.see(
        bulk_start_url(place.busy.project, place.busy.policy, why="changed")
    ),
    "settings": lambda place: place.see(project_settings_url(place.busy.project), "alice"),
    "intake": lambda place: place.see(intake_url(place.busy.project), "alice"),
    "intake, nothing": lambda place: place.see(intake_url(place.quiet.project), "alice"),
    "jobs, of a sweep": lambda place: place.see(jobs_url(place.busy.project), "alice"),
    "steps, none": lambda place: place.see(steps_url(place.quiet.project, "letters")),
}
LAST = ("keep, 409", "decision, 409 moved", "decision, 409 judged")
"""Those that change what the others show."""


@pytest.fixture(scope="module")
def place(browser: Browser, console: Console, peer: Peer) -> Place:
    """Everything recorded, and the queue's page looked at once."""
    windows = Windows(browser, console)
    console.make_librarian("alice")
    place = Place(peer, console, windows)
    place.see(place.busy.queue())
    windows.close()
    return place


@pytest.fixture(scope="module", params=[*(name for name in PAGES if name not in LAST), *LAST])
def shown(
    request: pytest.FixtureRequest, browser: Browser, console: Console, place: Place
) -> Iterator[Page]:
    """One page in one state."""
    place.windows = Windows(browser, console)
    yield PAGES[request.param](place)
    place.windows.close()


def test_axe_finds_nothing(shown: Page) -> None:
    """Wide and light, with everything unfolded; samples of each state are seen narrow and dark."""
    assert findings(shown) == []


def test_nothing_scrolls_sideways(shown: Page) -> None:
    """At 1280, 400 and 320 pixels, whatever words are in it."""
    assert sticking_out(shown) == {}
