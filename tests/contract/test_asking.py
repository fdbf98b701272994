"""Asking for review: anybody's doubt becomes a flag that somebody answers."""

from uuid import UUID

import pytest

from graphstore.desk import open_desk
from graphstore.review_feed import take
from tests.contract.looking import dump, entry, node, project
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, POLICY_15, Meanwhile, Work, answer, evidence

CITED = Passage("policy", POLICY, DAYS)
WHY = "The customer disagrees."


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """`scope` <- `days` <- `mail`, all clear; `days` cites the policy too."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY)
    scope = seed.decision("scope", Heard("t", 2), ctx_version=1)
    days = seed.decision("days", CITED, Heard("t", 1), scope, ctx_version=1)
    seed.decision("mail", days, ctx_version=1)


def _id(choice: str) -> str:
    return derived("Decision", derived("p", "t"), choice, 1)


def test_asking_flags_the_decision_and_its_dependents(work: Work) -> None:
    """The flag names the question as its cause; the library's reason stays absent."""
    asked = work.by("reviewer").traces.ask_for_review(_id("days"), WHY)
    assert answer(asked) == (True, None)
    assert asked.flagged == [UUID(_id("mail"))]
    found = work.get(_id("days"))
    assert found == asked.decision
    assert (found.status, found.review_state, found.review_reason) == (
        "active",
        "needs_review",
        None,
    )
    assert found.causes == work.get(_id("mail")).causes == [f"asked:{asked.verdict_id}"]
    assert found.flagged_at is not None
    assert project(work.raw).items() >= {"review_epoch": 2, "review_incomplete": False}.items()


def test_the_question_is_kept_with_who_asked_and_why(work: Work) -> None:
    """As a verdict of its own, on the desk and in the list."""
    asked = work.by("reviewer").traces.ask_for_review(_id("days"), WHY)
    (kept,) = work.traces.list_verdicts().verdicts
    assert (kept.id, kept.kind, kept.by, kept.why) == (asked.verdict_id, "ask", "reviewer", WHY)
    desk = open_desk(work.store, "p", _id("days"))
    assert desk is not None
    assert [(v.id, v.kind, v.by, v.why) for v in desk.verdicts] == [
        (asked.verdict_id, "ask", "reviewer", WHY)
    ]


def test_the_ledger_holds_the_hash_of_the_question_only(work: Work) -> None:
    """The entry says what changed, and never the text."""
    work.traces.ask_for_review(_id("days"), WHY)
    written = entry(work.raw, "ask_for_review")
    assert written["manifest"]["changed"][_id("days")]["review_state"] == ["clear", "needs_review"]
    assert WHY not in written["manifest_json"]


def test_a_reaffirmation_answers_the_question(work: Work) -> None:
    """The flag goes with its cause; dependents are judged by themselves."""
    work.traces.ask_for_review(_id("days"), WHY)
    assert work.traces.reaffirm_decision(_id("days"), **evidence(CITED)).recorded
    assert (work.get(_id("days")).review_state, work.get(_id("days")).causes) == ("clear", [])
    assert work.get(_id("mail")).review_state == "needs_review"


def test_a_decision_that_waits_gets_one_cause_more(work: Work) -> None:
    """Its first flag keeps reason and time, and one verdict answers both."""
    work.documents.put_document("policy", POLICY_15)
    first = work.get(_id("days"))
    asked = work.traces.ask_for_review(_id("days"), WHY)
    found = work.get(_id("days"))
    assert (found.review_reason, found.flagged_at) == (first.review_reason, first.flagged_at)
    assert found.causes == sorted([*first.causes, f"asked:{asked.verdict_id}"])
    assert asked.flagged == []


def test_the_feed_reports_the_flag(work: Work) -> None:
    """A console's queue learns of it like of any other flag."""
    work.traces.ask_for_review(_id("days"), WHY)
    states = {str(s.decision_id): s for s in take(work.store, "p", after_epoch=None).states}
    assert states[_id("days")].flagged
    assert states[_id("days")].reason is None
    assert states[_id("days")].causes == states[_id("mail")].causes


def test_the_drain_keeps_the_cause(work: Work, seed: Seed) -> None:
    """Flags that travel later carry it on."""
    asked = work.traces.ask_for_review(_id("days"), WHY)
    work.raw.run("MATCH (d:Decision {id: $id}) SET d.review_pending = true", {"id": _id("mail")})
    work.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    leaf = seed.decision("leaf", _id("mail"), ctx_version=1)
    assert work.traces.continue_decision_review() > 0
    assert work.get(leaf).causes == [f"asked:{asked.verdict_id}"]


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_question_needs_words(reason: str, work: Work) -> None:
    """Nobody can answer a blank one."""
    before = dump(work.raw)
    assert answer(work.traces.ask_for_review(_id("days"), reason)) == (
        False,
        "explanation_required",
    )
    assert dump(work.raw) == before


@pytest.mark.parametrize("status", ["rejected", "superseded"])
def test_only_an_active_decision_is_asked_about(status: str, work: Work, seed: Seed) -> None:
    """What is retired is not in use."""
    old = seed.decision("old", Heard("t", 1), status=status)
    assert answer(work.traces.ask_for_review(old, WHY)) == (False, "decision_not_active")


def test_a_decision_of_another_project_is_not_there(work: Work) -> None:
    """Nor is one that never was."""
    elsewhere = work.within("q").traces.ask_for_review(_id("days"), WHY)
    assert answer(elsewhere) == (False, "decision_not_found")
    assert answer(work.traces.ask_for_review("nothing", WHY)) == (False, "decision_not_found")


def test_a_stale_page_asks_nothing(work: Work) -> None:
    """What the person saw is what they ask about."""
    desk = open_desk(work.store, "p", _id("days"))
    assert desk is not None
    work.documents.put_document("policy", POLICY_15)
    asked = work.traces.ask_for_review(_id("days"), WHY, seen=desk.seen)
    assert answer(asked) == (False, "moved")
    assert "documents" in asked.moved


def test_asking_twice_with_one_request_id_asks_once(work: Work) -> None:
    """A double click is one question; other words under its id are refused."""
    first = work.traces.ask_for_review(_id("days"), WHY, request_id="r")
    assert work.traces.ask_for_review(_id("days"), WHY, request_id="r") == first
    other = work.traces.ask_for_review(_id("days"), "Something else.", request_id="r")
    assert answer(other) == (False, "request_id_reused")
    assert node(work.raw, "CtxVerdict", decision_id=_id("days"))["why"] == WHY


def test_a_queued_decision_keeps_its_mark(work: Work) -> None:
    """A drain that clears the project's mark meanwhile does not leave the queue without one."""
    work.documents.put_document("policy", POLICY_15)
    work.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.review_pending = true WITH d "
        "MATCH (q:Project) SET q.review_incomplete = true",
        {"id": _id("days")},
    )
    drained = "MATCH (q:Project) SET q.review_incomplete = false"
    between = Meanwhile(work.store, lambda: work.raw.run(drained))
    assert work.through(between).traces.ask_for_review(_id("days"), WHY).recorded
    assert node(work.raw, "Decision", id=_id("days"))["review_pending"]
    assert project(work.raw)["review_incomplete"]
