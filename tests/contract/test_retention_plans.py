"""What a plan of an erasure says is what the write does, and a write that was shown otherwise is refused."""

import json

import pytest

from graphstore import HistoryRetention
from graphstore.records import EventKind
from graphstore.retention import Bounds
from tests.contract.looking import dump, nodes
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, Work, answer

TASK = derived("p", "t")
EVENT = derived("Event", TASK, 1)
NOTE = EventKind.NOTE
BODY = "Mister Miller of Main Street asked for his money back, twice."
BOTH = pytest.mark.parametrize("whole", [True, False], ids=["whole", "decisions stay"])
ONE_COMMIT, BY_JOB = Bounds(), Bounds(at_once=0, events=2)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """Two tasks; the first event of one is to go."""
    seed.project_node()
    seed.task("t", BODY, "Where?")
    seed.task("u", "Elsewhere.")


def test_the_plan_of_a_redaction_is_what_it_does(work: Work) -> None:
    """Whom it flags and what it empties; looking changes nothing."""
    work.history.record_event("t", NOTE, payload="Third.", request_id="r")
    third = derived("Event", TASK, 3)
    days = work.record("days", Heard("t", 3))
    work.record("mail", str(days.id))
    before = dump(work.raw)
    plan = work.retention.plan_redaction(third)
    assert dump(work.raw) == before
    result = work.retention.redact_event(third, seen=plan.seen)
    assert [str(d.id) for d in plan.flagged] == result.affected_decision_ids
    assert (plan.flagged_count, plan.left_to_job, plan.requests) == (2, False, 1)
    assert plan.event is not None
    assert (plan.event.payload, plan.task_name, plan.error) == ("Third.", "t", None)


@BOTH
@pytest.mark.parametrize("bounds", [ONE_COMMIT, BY_JOB], ids=["one commit", "job"])
def test_the_plan_of_a_deletion_is_what_it_does(bounds: Bounds, whole: bool, work: Work) -> None:
    """Whom it flags, what goes and how much, in one commit or by a job."""
    days = work.record("days", Heard("t", 1))
    work.record("mail", str(days.id), task="u")
    work.record("letter", Heard("t", 2), task="u")
    work.history.set_step("t", "look", "in_progress", request_id="s")
    retention = HistoryRetention(work.store, "p", "admin", bounds=bounds)
    before = dump(work.raw)
    plan = retention.plan_deletion("t", whole)
    assert dump(work.raw) == before
    result = retention.delete_task("t", whole, request_id="d", seen=plan.seen)
    assert result.left_to_job is plan.left_to_job is (bounds is BY_JOB)
    retention.finish_jobs()
    flagged = retention.delete_task("t", whole, request_id="d").affected_decision_ids
    assert sorted(str(d.id) for d in plan.flagged) == sorted(flagged)
    assert plan.erased["events"] == 2
    assert plan.erased["steps"] == plan.erased["requests"] == 1
    assert (plan.erased.get("decisions", 0), plan.decisions) == (int(whole), 1)
    (one,) = retention.list_receipts().receipts
    receipt = retention.get_receipt(one.entry_id)
    assert receipt is not None
    gone = receipt.job.erased_events if receipt.job else receipt.erased["events"]
    assert (gone, receipt.by, receipt.task_id) == (2, "admin", TASK)


@pytest.mark.parametrize("bounds", [ONE_COMMIT, BY_JOB], ids=["one commit", "job"])
def test_a_deletion_that_was_shown_otherwise_is_refused(bounds: Bounds, work: Work) -> None:
    """Somebody cites it, or writes in it, after the plan; the refusal says which of them."""
    retention = HistoryRetention(work.store, "p", "admin", bounds=bounds)
    seen = retention.plan_deletion("t").seen
    work.record("letter", Heard("t", 2), task="u")
    refused = retention.delete_task("t", seen=seen)
    assert (answer(refused), refused.moved) == ((False, "moved"), ["dependents"])
    seen = retention.plan_deletion("t").seen
    work.history.record_event("t", NOTE, payload="One more.")
    refused = retention.delete_task("t", seen=seen)
    assert (answer(refused), refused.moved) == ((False, "moved"), ["task"])
    assert retention.delete_task("t", seen=retention.plan_deletion("t").seen).recorded


def test_a_redaction_that_was_shown_otherwise_is_refused(work: Work) -> None:
    """Somebody cites the event after the plan, or redacts it first."""
    seen = work.retention.plan_redaction(EVENT).seen
    work.record("days", Heard("t", 1))
    refused = work.retention.redact_event(EVENT, seen=seen)
    assert (answer(refused), refused.moved) == ((False, "moved"), ["dependents"])
    seen = work.retention.plan_redaction(EVENT).seen
    assert work.retention.redact_event(EVENT).recorded
    refused = work.retention.redact_event(EVENT, seen=seen)
    assert refused.moved == ["event"]


def test_quotes_of_the_same_text_are_listed(work: Work, seed: Seed) -> None:
    """In events, decisions, verdicts and documents, by the whole text or a long passage of it."""
    text = f"{POLICY}\n\n{BODY}"
    seed.document("policy", text)
    work.record("cites", Passage("policy", text, DAYS), task="u")
    said = work.record("says", Heard("u", 1), task="u", says=f"He wrote: {BODY}")
    asked = work.traces.ask_for_review(said.id, f"Why “{BODY}”?")
    work.history.record_event("u", NOTE, payload=f"Somebody said: {BODY.upper()}")
    work.history.record_event("u", NOTE, payload=f"Somebody said: {BODY}")
    plan = work.retention.plan_redaction(EVENT)
    found = {(q.kind, q.label, q.seq) for q in plan.quotes}
    assert found == {
        ("decision", "says", 1),
        ("verdict", "says", 1),
        ("event", "u", 3),
        ("document", "policy", None),
    }
    assert all(BODY[:40] in quote.passage for quote in plan.quotes)
    assert {q.ref for q in plan.quotes if q.kind == "verdict"} == {asked.verdict_id}
    assert plan.quotes_cut is False
    work.retention.redact_event(EVENT)
    assert work.retention.plan_redaction(EVENT).quotes == []


def test_quotes_of_a_task_are_listed_outside_of_it(work: Work) -> None:
    """What stands in the task itself goes with it; its decisions count when they stay."""
    work.record("own", Heard("t", 1), says=f"He wrote: {BODY}")
    work.history.record_event("u", NOTE, payload=f"Somebody said: {BODY}")
    kinds = [
        sorted(quote.kind for quote in work.retention.plan_deletion("t", whole).quotes)
        for whole in (True, False)
    ]
    assert kinds == [["event"], ["decision", "event"]]


def test_no_more_quotes_are_listed_than_a_page_holds(work: Work, seed: Seed) -> None:
    """Twenty of each kind, and that there are more is said."""
    seed.events("u", *(f"{k}: {BODY}" for k in range(25)))
    plan = work.retention.plan_redaction(EVENT)
    assert (len(plan.quotes), plan.quotes_cut) == (20, True)


def test_plans_of_what_is_not_there(work: Work) -> None:
    """They say so, as the writes do."""
    assert work.retention.plan_redaction(derived("nothing")).error == "event_not_found"
    assert work.retention.plan_deletion("nothing").error == "task_not_found"
    assert work.within("q").retention.plan_redaction(EVENT).error == "event_not_found"
    assert work.within("q").retention.get_receipt(derived("nothing")) is None


def test_receipts_come_by_pages_newest_first(work: Work) -> None:
    """Each with its hash and without a text; another project has none of them."""
    work.retention.redact_event(EVENT)
    work.retention.redact_event(derived("Event", TASK, 2))
    work.retention.delete_task("u")
    first = work.retention.list_receipts(limit=2)
    rest = work.retention.list_receipts(limit=2, cursor=first.next_cursor)
    actions = [receipt.action for receipt in (*first.receipts, *rest.receipts)]
    assert actions == ["delete_task", "redact_event", "redact_event"]
    assert list(rest.receipts[0].hashes) == [EVENT]
    assert BODY not in json.dumps([r.model_dump(mode="json") for r in rest.receipts])
    assert work.within("q").retention.list_receipts().receipts == []


def test_the_log_is_rewritten_once_for_all_that_wait(work: Work) -> None:
    """Each erasure leaves a job; one rewriting closes those that it covers."""
    work.retention.redact_event(EVENT)
    work.retention.delete_task("u")
    assert {n["state"] for n in nodes(work.raw, "CtxJob", kind="rewrite_log")} == {"open"}
    work.retention.finish_jobs()
    done = nodes(work.raw, "CtxJob", kind="rewrite_log")
    outcomes = {"embedded": "rewritten", "neo4j": "transaction_logs"}
    assert {n["outcome"] for n in done} == {outcomes[work.raw.settings.engine]}
    assert [n for n in done if "ctx_open" in n] == []
