"""What agents and people write is shown as they wrote it and never run, on every page."""

import csv
import io
import json
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from agrag.common.data_models.task import EventKind, StepResultBasis, StepState
from playwright.sync_api import Page, expect

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
    ledger_url,
    lineage_url,
    log_export_url,
    log_markdown_url,
    pick_url,
    project_settings_url,
    queue_views_url,
    redact_event_url,
    steps_url,
    task_url,
    tokens_url,
    verdicts_url,
    version_url,
    versions_between_url,
)
from tests.browser.conftest import staffed
from tests.browser.console import Console
from tests.browser.hostile import EVERYTHING, FORMULA, LINK, MARKED, SCRIPT, SHORT, says, stays_text
from tests.browser.shop import STAYS, Shop
from tests.browser.windows import Windows
from tests.interop.library import Passage, Peer, passage
from tests.interop.world import decision, document, event

OLD = f"Alpha costs 30 euro. {EVERYTHING}"
NEW = f"Alpha costs 15 euro. {EVERYTHING}"
NAME = "..%2f<b>&?#\u202e/task\"'"
KEY = f"key {EVERYTHING}"
TURNS = 60
"""So many events that the log has a map."""


@pytest.fixture(scope="module")
def hostile(console: Console, peer: Peer) -> Shop:
    """A project whose every text tries to be more than text, under a hostile name as well."""
    shop = staffed(console, Shop(peer, project=f"<i>&{NAME}{uuid4()}"))
    # Whoever writes it: the agent's id as well.
    shop.library = peer.library(shop.project, agent_id=f"agent:{SHORT}")
    library, key = shop.library, f"{shop.project}-doc"
    library.put_document(key, OLD, title=f"Title {EVERYTHING}", uri=LINK)
    assert library.create_task(NAME, f"Goal {EVERYTHING}").recorded
    library.record_event(NAME, f"Event {EVERYTHING}", role="user", name=SCRIPT)
    shop.days = _decide(shop, KEY, f"Conclusion {EVERYTHING}")
    _log(shop)
    rests = _decide(shop, f"rests {SHORT}", FORMULA, on=shop.days, rationale=MARKED)
    library.set_step(
        NAME,
        f"step {SHORT}",
        StepState.COMPLETED,
        result_event_seq=3,
        result_basis=StepResultBasis.SUPPORTED,
        supports=[decision(rests)],
    )
    wrong = _decide(shop, KEY, f"Wrong {EVERYTHING}", task="audit")
    library.reject_decision(wrong, f"Reason {EVERYTHING}")
    old = _decide(shop, f"old {SHORT}", f"Old {EVERYTHING}")
    library.supersede_decision(
        old,
        f"Newer {EVERYTHING}",
        f"Rationale {EVERYTHING}",
        explanation=f"Explanation {EVERYTHING}",
        supports=[event(NAME, 1)],
        assumptions=[f"Assumption {EVERYTHING}"],
        open_questions=[f"Question {EVERYTHING}"],
    )
    shop.letter = old
    library.put_document(key, NEW, title=f"Title {EVERYTHING}", uri=LINK)
    return shop


def _log(shop: Shop) -> None:
    """A call with its answer, a note, and many turns."""
    call = {"tool_call_id": SCRIPT, "arguments": {SCRIPT: EVERYTHING}}
    told = {"tool_call_id": SCRIPT, "content": f"Answer {EVERYTHING}"}
    for kind, body in ((EventKind.TOOL_CALL, call), (EventKind.TOOL_RESULT, told)):
        shop.library.record_event(NAME, json.dumps(body), kind=kind, name=f"tool {SHORT}")
    shop.library.record_event(NAME, f"Note {EVERYTHING}", kind=EventKind.NOTE, name=SHORT)
    for number in range(TURNS):
        shop.library.record_event(NAME, f"Turn {number} {SHORT}", role="user", name=SHORT)


def _decide(
    shop: Shop,
    choice: str,
    conclusion: str,
    *,
    on: UUID | None = None,
    task: str = NAME,
    rationale: str = f"Rationale {EVERYTHING}",
) -> UUID:
    cited: Passage = passage(f"{shop.project}-doc", OLD, OLD)
    supports = [decision(on)] if on else [document(cited), event(NAME, 1)]
    made = shop.library.record_decision(
        task,
        choice,
        conclusion,
        rationale,
        supports=supports,
        fetched_evidence=[] if on else shop.library.fetch_evidence(cited),
        assumptions=[f"Assumption {EVERYTHING}"],
        open_questions=[f"Question {EVERYTHING}"],
    )
    assert made.decision is not None, made
    return made.decision.id


def test_every_page_shows_it_as_text(hostile: Shop, windows: Windows, tmp_path: Path) -> None:
    """What is read: queue, decision, task, lists, lineage, impact, log; and what is taken along."""
    project, key = hostile.project, f"{hostile.project}-doc"
    page = windows.open("alice")
    page.goto(hostile.queue())
    for words in (f"Conclusion {EVERYTHING}", NAME, FORMULA):
        says(page, words)
    page.get_by_role("link", name="Conclusion <script>").click()
    for words in ("Conclusion", "Rationale", "Assumption", "Question", "Goal", "Title", "key"):
        says(page, f"{words} {EVERYTHING}")
    expect(page.locator(".changes")).to_contain_text("number 30 became 15")
    cited = derived_id("Support", hostile.days, 0)
    expected: dict[str, tuple[str, ...]] = {
        hostile.at(hostile.letter): (f"Explanation {EVERYTHING}",),
        hostile.task(NAME): (f"Goal {EVERYTHING}", f"Event {EVERYTHING}", f"tool {SHORT}"),
        task_url(project, NAME, show="tools"): (f"Answer {EVERYTHING}",),
        task_url(project, NAME, words="turn", by=f"agent:{SHORT}"): (f"Turn 7 {SHORT}",),
        log_markdown_url(project, NAME): (f"Event {EVERYTHING}",),
        check_event_url(project, NAME, 4): (SHORT,),
        steps_url(project, NAME): (f"step {SHORT}",),
        hostile.tasks(): (NAME,),
        "/": (project,),
        pick_url(project, hostile.days, cited): (f"Title {SCRIPT}", NEW),
        versions_between_url(project, hostile.days, cited): (f"Title {SCRIPT}", OLD),
        lineage_url(project, hostile.days): (f"Conclusion {SCRIPT}", FORMULA),
        impact_url(project, hostile.days): (f"Conclusion {SCRIPT}",),
        bundle_url(project, key): (f"Title {SCRIPT}", f"Conclusion {SCRIPT}"),
        bulk_start_url(project, key, why="changed"): (f"Title {SCRIPT}",),
        documents_url(project): (f"Title {SCRIPT}",),
        document_url(project, key): (f"Title {EVERYTHING}", LINK),
        version_url(project, key, 2): (NEW,),
        decisions_url(project, q=f"conclusion {SCRIPT}"): (f"Conclusion {EVERYTHING}", KEY),
        intake_url(project): (),
        jobs_url(project): (),
        redact_event_url(project, NAME, 1): (NAME,),
        delete_task_url(project, NAME): (NAME,),
        ask_url(project, hostile.days): (f"Conclusion {SCRIPT}",),
    }
    for address, all_words in expected.items():
        answer = page.goto(address)
        assert answer
        assert answer.ok, address
        stays_text(page)
        for words in all_words:
            expect(page.locator("#main")).to_contain_text(words, use_inner_text=False)
    _take_along(page, hostile, tmp_path)


def _take_along(page: Page, hostile: Shop, folder: Path) -> None:
    """What is exported computes nothing in a spreadsheet and nothing in a drawing."""
    project = hostile.project
    drawing = folder / "lineage.svg"
    drawing.write_bytes(
        page.request.get(lineage_url(project, hostile.days, kind="lineage_svg")).body()
    )
    page.goto(drawing.as_uri())
    expect(page.locator("svg").first).to_contain_text("Conclusion")
    expect(page.locator("script, [onload], [onerror], foreignObject")).to_have_count(0)
    taken = page.request.get(lineage_url(project, hostile.days, kind="lineage_csv"))
    cells = [cell for row in csv.reader(io.StringIO(taken.text().lstrip("\ufeff"))) for cell in row]
    assert f"'{FORMULA}" in cells
    assert [cell for cell in cells if cell.lstrip().startswith(tuple("=+-@|"))] == []
    exported = page.request.get(log_export_url(project, NAME))
    assert exported.headers["content-type"].startswith("application/json")
    assert exported.json()["events"][0]["payload"] == f"Event {EVERYTHING}"


def test_what_people_write_is_shown_as_text(hostile: Shop, windows: Windows) -> None:
    """A view's name, the project's instructions, a token's name and agent."""
    project = hostile.project
    alices = windows.open("alice")
    alices.goto(project_settings_url(project))
    alices.get_by_label("Instructions").fill(f"Instruction {EVERYTHING}")
    alices.get_by_role("button", name="Settle it").click()
    alices.goto(tokens_url(project))
    alices.get_by_label("Name", exact=True).fill(SHORT)
    alices.get_by_label("Agent").fill(f"agent:{SHORT}")
    alices.get_by_role("button", name="Make the token").click()
    says(alices, SHORT)
    alices.goto(hostile.queue(agent=f"agent:{SHORT}"))
    says(alices, f"Instruction {EVERYTHING}")
    alices.get_by_text("Save view").click()
    alices.get_by_label("Name", exact=True).fill(SHORT[:60])
    alices.get_by_role("button", name="Save these filters").click()
    says(alices, SHORT[:60])
    alices.goto(queue_views_url(project))
    says(alices, SHORT[:60])
    alices.goto(hostile.at(hostile.days))
    says(alices, f"Instruction {EVERYTHING}")


def test_what_reviewers_write_is_shown_as_text(hostile: Shop, windows: Windows) -> None:
    """Drafts, why it cannot be judged and why it was taken over, the verdict's why, later on."""
    project = hostile.project
    bobs = windows.open("bob")
    bobs.goto(hostile.at(hostile.days))
    bobs.get_by_role("radio", name="Supersede").check()
    bobs.get_by_role("textbox", name="Why").fill(EVERYTHING)
    bobs.get_by_text("Leave it for later").click()
    bobs.get_by_role("textbox", name="Cannot judge").fill(f"Unjudged {EVERYTHING}")
    bobs.get_by_role("button", name="Set aside").click()
    expect(bobs.locator("#messages")).to_contain_text("Set aside")
    bobs.goto(hostile.at(hostile.days))
    expect(bobs.get_by_role("textbox", name="Why")).to_have_value(EVERYTHING)
    says(bobs, f"Unjudged {EVERYTHING}")
    bobs.get_by_role("button", name="Claim it").click()
    expect(bobs.locator("#claim")).to_contain_text("You have claimed this until")
    alices = windows.open("alice")
    alices.goto(hostile.at(hostile.days))
    alices.get_by_text("Take it over").first.click()
    alices.get_by_role("textbox", name="whoever has it").fill(f"Over {EVERYTHING}")
    alices.get_by_role("button", name="Take it over").click()
    bobs.reload()
    says(bobs, f"Over {SCRIPT}")
    alices.get_by_role("radio", name="Reject").check()
    alices.get_by_role("textbox", name="Why").fill(f"Why {EVERYTHING}")
    alices.get_by_role("button", name="Record and stay here").click()
    expect(alices.locator("#messages")).to_contain_text("Rejected.")
    says(alices, f"Why {EVERYTHING}")
    assert hostile.read(hostile.days).rejection_reason == f"Why {EVERYTHING}"
    alices.goto(verdicts_url(project))
    says(alices, f"Why {SCRIPT}")
    alices.get_by_role("link", name="as seen").first.click()
    for words in ("Why", "Conclusion", "Rationale", "Title"):
        says(alices, f"{words} {EVERYTHING}")
    says(alices, f"euro. {EVERYTHING}")
    alices.get_by_role("link", name="Undo this verdict").click()
    says(alices, f"Why {SCRIPT}")
    alices.goto(ledger_url(project))
    stays_text(alices)
    alices.locator("[data-item]").first.click()
    stays_text(alices)


def test_finding_and_comparing_shows_it_as_text(
    console: Console, peer: Peer, windows: Windows
) -> None:
    """The list of conflicts, the board of a choice, and the plan to keep a side."""
    shop = staffed(console, Shop(peer, project=f"<i>&{NAME}{uuid4()}"))
    for task in ("audit", "letters"):
        shop.record(KEY, f"{task} {EVERYTHING}", cited=STAYS, task=task, rationale=EVERYTHING)
    page = windows.open("alice")
    page.goto(shop.queue())
    page.goto(conflicts_url(shop.project))
    says(page, f"audit {SCRIPT}")
    page.goto(conflict_url(shop.project, KEY))
    for words in (f"audit {EVERYTHING}", f"letters {EVERYTHING}"):
        says(page, words)
    page.get_by_role("link", name="Keep this side").first.click()
    says(page, f"letters {EVERYTHING}")
    page.get_by_label("Why it is rejected").fill(EVERYTHING)
    page.get_by_label("It is no longer needed").check()
    page.get_by_role("button", name="Reject 1 decision").click()
    expect(page.locator("#messages")).to_contain_text("Settled.")
    page.locator("summary", has_text="1 earlier decision").click()
    says(page, EVERYTHING)


def test_without_scripts_it_is_text_as_well(console: Console, peer: Peer, windows: Windows) -> None:
    """What a refused form gives back, and what it recorded then."""
    shop = staffed(console, Shop(peer))
    made = shop.record(KEY, f"Conclusion {EVERYTHING}", cited=STAYS, rationale=MARKED)
    page = windows.open("bob", scripts=False)
    page.goto(ask_url(shop.project, made))
    page.get_by_role("textbox", name="Why").fill(EVERYTHING)
    page.get_by_role("button", name="Ask for review").click()
    page.goto(shop.at(made))
    page.get_by_role("radio", name="Supersede").check()
    page.get_by_role("textbox", name="Why").fill(EVERYTHING)
    page.get_by_role("button", name="Supersede and next").click()
    expect(page.get_by_role("alert")).to_contain_text("Something is missing")
    expect(page.get_by_role("textbox", name="Why")).to_have_value(EVERYTHING)
    for words in (f"Conclusion {EVERYTHING}", EVERYTHING):
        says(page, words)
