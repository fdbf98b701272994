"""Taking a verdict back: everything stands as before it, unless something was built on it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from graphstore.records import Ground
from graphstore.results import WithdrawVerdictResult
from tests.contract.looking import dump, entry, nodes, stances
from tests.contract.looking import supports as all_supports
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import (
    DAYS,
    DAYS_15,
    POLICY,
    POLICY_15,
    POLICY_45,
    Meanwhile,
    Work,
    answer,
    evidence,
    on,
)

CITED = Passage("policy", POLICY, DAYS)
NOW = Passage("policy", POLICY_15, DAYS_15, seq=2)
WHY = "A slip of the hand."


def _id(choice: str, revision: int = 1) -> str:
    return derived("Decision", derived("p", "t"), choice, revision)


@pytest.fixture(autouse=True)
def shop(work: Work, seed: Seed) -> None:
    """`scope` <- `days` <- `mail` <- `letter`; `days` cites the policy and an event. All clear."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY)
    work.record("scope", Heard("t", 2))
    work.record("days", CITED, Heard("t", 1), _id("scope"))
    work.record("mail", _id("days"))
    work.record("letter", _id("mail"))


IGNORED = {"ctx_version", "review_epoch", "review_lock", "ctx_seen_epoch"}


def standing(work: Work) -> dict[str, Any]:
    """All that readers see of decisions and counts, without versions and clocks."""
    found: dict[str, Any] = {}
    for label in ("Decision", "DecisionSupport", "CtxChoice", "CtxStance"):
        for props in nodes(work.raw, label):
            found[props["id"]] = {k: v for k, v in props.items() if k not in IGNORED}
    return found


def take_back(work: Work, given: Any) -> WithdrawVerdictResult:
    """Take back what was given."""
    return work.traces.withdraw_verdict(str(given.verdict_id), WHY)


Judge = Callable[[Work], Any]


def _supersede(work: Work) -> Any:
    return work.traces.supersede_decision(
        _id("days"), "15 days.", "r", explanation="Changed.", **on(Heard("t", 1))
    )


JUDGEMENTS: dict[str, Judge] = {
    "reject": lambda w: w.traces.reject_decision(_id("days"), "Wrong."),
    "reaffirm": lambda w: w.traces.reaffirm_decision(_id("days"), **evidence(CITED)),
    "ask": lambda w: w.traces.ask_for_review(_id("days"), "Sure?"),
}


@pytest.mark.parametrize("kind", ["reject", "reaffirm", "ask"])
def test_everything_stands_as_before(kind: str, work: Work) -> None:
    """The decision, its supports, its dependents' flags and the counts of its choice."""
    before = standing(work)
    given = JUDGEMENTS[kind](work)
    new = {s["id"] for s in nodes(work.raw, "DecisionSupport")} - before.keys()
    back = take_back(work, given)
    assert answer(back) == (True, None)
    assert set(back.lifted) == set(getattr(given, "flagged", []))
    after = standing(work)
    assert {i: props for i, props in after.items() if i not in new} == before
    assert [after[i]["current"] for i in new] == [False] * len(new)
    assert back.decision == work.get(_id("days"))


def test_superseding_taken_back_rejects_the_new_revision(work: Work) -> None:
    """Its record stays, the old one is active again, and nobody waits for it."""
    before = standing(work)
    made = _supersede(work)
    back = take_back(work.by("boss"), made)
    assert set(back.lifted) == {UUID(_id("mail")), UUID(_id("letter"))}
    new = work.get(_id("days", 2))
    assert (new.status, new.rejection_reason, new.rejected_by) == ("rejected", WHY, "boss")
    assert work.get(_id("days")).status == "active"
    after = standing(work)
    for choice in ("scope", "days", "mail", "letter"):
        assert after[_id(choice)] == before[_id(choice)]
    assert stances(work.raw, "days") == (1, [1, 0])


def test_a_choice_can_be_decided_on_after_it(work: Work) -> None:
    """Superseding again takes the next number."""
    back = take_back(work, _supersede(work))
    assert back.recorded
    again = _supersede(work)
    assert again.decision.revision == 3


def test_a_flag_that_was_there_before_comes_back_with_its_causes(work: Work) -> None:
    """Reason, causes and time are those of the flag that the verdict had answered."""
    work.documents.put_document("policy", POLICY_15)
    flagged = work.get(_id("days"))
    given = work.traces.reaffirm_decision(_id("days"), **evidence(NOW))
    back = take_back(work, given)
    found = work.get(_id("days"))
    assert found == back.decision
    assert (found.review_state, found.review_reason) == ("needs_review", "source_changed")
    assert (found.causes, found.flagged_at) == (flagged.causes, flagged.flagged_at)
    assert [s.evidence_id for s in found.supports if s.kind == "document"] == [CITED.evidence_id]


def test_an_earlier_review_of_a_passage_comes_back(work: Work) -> None:
    """Who had reviewed it before is not lost to the second reviewer."""
    work.by("first").traces.reaffirm_decision(
        _id("days"), **evidence(CITED), explanation="Looked at."
    )
    once = all_supports(work.raw, _id("days"))
    given = work.by("second").traces.reaffirm_decision(_id("days"), **evidence(CITED))
    take_back(work, given)
    assert all_supports(work.raw, _id("days"))[: len(once)] == once


def test_what_moved_on_meanwhile_flags_the_decision(work: Work) -> None:
    """A rejected decision is flagged by nobody, so its return looks at its sources."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    work.documents.put_document("policy", POLICY_15)
    back = take_back(work, given)
    found = work.get(_id("days"))
    assert (found.status, found.review_state) == ("active", "needs_review")
    assert found.review_reason == "source_changed"
    assert found.causes == [f"document:{CITED.document_id}:2"]
    assert back.lifted == []
    assert set(back.kept) == {UUID(_id("mail")), UUID(_id("letter"))}
    assert work.get(_id("mail")).causes == found.causes


def test_what_was_redacted_meanwhile_flags_the_decision(work: Work) -> None:
    """A verdict on a decision whose event was redacted since is taken back at once, and leaves a flag."""
    given = work.traces.reject_decision(_id("scope"), "Wrong.")
    event = derived("Event", derived("p", "t"), 2)
    assert work.retention.redact_event(event).recorded
    back = take_back(work, given)
    assert answer(back) == (True, None)
    assert (back.decision.review_reason, back.decision.causes) == (
        "source_removed",
        [f"event:{event}"],
    )


def test_a_flag_with_another_cause_stays(work: Work) -> None:
    """Only what this verdict alone had flagged becomes clear."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    asked = work.traces.ask_for_review(_id("mail"), "Sure?")
    back = take_back(work, given)
    assert set(back.kept) == {UUID(_id("mail")), UUID(_id("letter"))}
    assert work.get(_id("mail")).causes == [f"asked:{asked.verdict_id}"]
    assert work.get(_id("letter")).review_state == "needs_review"


def test_a_dependent_of_another_retired_decision_stays_flagged(work: Work) -> None:
    """Although it was flagged once, by the first of the two."""
    other = work.record("other", Heard("t", 1))
    both = work.record("both", _id("days"), str(other.id))
    first = work.traces.reject_decision(_id("days"), "Wrong.")
    work.traces.reject_decision(other.id, "Wrong too.")
    take_back(work, first)
    found = work.get(both.id)
    assert found.review_state == "needs_review"
    assert found.causes == [f"decision:{other.id}"]
    assert work.get(_id("mail")).review_state == "clear"


def test_both_entries_stay_in_the_record(work: Work) -> None:
    """The verdict says that it was taken back, when and by whom; the withdrawal says why."""
    given = work.traces.reject_decision(_id("days"), "Wrong.", ground=Ground.WRONG_WHEN_MADE)
    back = take_back(work.by("boss"), given)
    newest, first = work.traces.list_verdicts().verdicts
    assert (newest.id, newest.kind, newest.why) == (back.verdict_id, "withdraw", WHY)
    assert newest.withdraws == first.id == given.verdict_id
    assert (first.kind, first.ground, first.withdrawn_by) == ("reject", "wrong_when_made", "boss")
    assert first.withdrawn_at == newest.at
    written = entry(work.raw, "withdraw_verdict")["manifest"]
    assert written["changed"][_id("days")]["status"] == ["rejected", "active"]
    assert written["cause"] == f"verdict:{given.verdict_id}"


def test_a_plan_says_the_same_and_writes_nothing(work: Work) -> None:
    """Whoever is about to take a verdict back sees whom it touches."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    before = dump(work.raw)
    plan = work.traces.plan_withdrawal(str(given.verdict_id))
    assert dump(work.raw) == before
    done = take_back(work, given)
    assert (plan.lifted, plan.kept) == (done.lifted, done.kept)
    assert (plan.recorded, plan.error) == (False, None)
    assert work.traces.plan_withdrawal(str(given.verdict_id)).error == "verdict_not_found"


@pytest.mark.parametrize("change", ["put_document", "redact_event", "delete_task"])
def test_a_decision_comes_back_while_its_source_changes(change: str, work: Work) -> None:
    """Retired decisions are flagged by nobody, so whoever changes a source holds them."""
    work.history.create_task("logs", "Hold what was heard.")
    work.history.record_event("logs", "note", payload="Thirty days.")
    heard = derived("Event", derived("p", "logs"), 1)
    made = work.record("heard", CITED, Heard("logs", 1))
    given = work.traces.reject_decision(made.id, "Wrong.")
    changes: dict[str, Callable[[Work], Any]] = {
        "put_document": lambda w: w.documents.put_document("policy", POLICY_15),
        "redact_event": lambda w: w.retention.redact_event(heard),
        "delete_task": lambda w: w.retention.delete_task("logs"),
    }
    between = Meanwhile(work.store, lambda: take_back(work, given))
    assert changes[change](work.through(between)).recorded
    assert (work.get(made.id).status, work.get(made.id).review_state) == ("active", "needs_review")


def test_passages_that_come_back_outdated_flag_the_decision(work: Work) -> None:
    """A clear decision whose flag had not arrived yet is reaffirmed, and that is taken back."""
    work.documents.put_document("policy", POLICY_15)
    work.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.review_state = 'clear', d.ctx_version = 1",
        {"id": _id("days")},
    )
    given = work.traces.reaffirm_decision(_id("days"), **evidence(NOW))
    assert take_back(work, given).recorded
    found = work.get(_id("days"))
    assert (found.review_state, found.review_reason) == ("needs_review", "source_changed")
    assert found.causes == [f"document:{CITED.document_id}:2"]


# What was built upon.


def _built(result: Any) -> list[tuple[str, str]]:
    assert answer(result) == (False, "built_upon")
    return [(str(b.decision_id), b.what) for b in result.built]


def test_a_choice_decided_again_keeps_its_rejection(work: Work) -> None:
    """Two active revisions of one choice must never be."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    again = work.record("days", Heard("t", 1))
    before = dump(work.raw)
    assert _built(take_back(work, given)) == [(str(again.id), "recorded")]
    assert dump(work.raw) == before


def test_a_successor_that_is_cited_keeps_its_place(work: Work) -> None:
    """Whoever cites it would lose its ground."""
    made = _supersede(work)
    upon = work.record("upon", str(made.decision.id))
    back = take_back(work, made)
    assert _built(back) == [(str(upon.id), "recorded")]


def test_a_successor_that_was_judged_keeps_its_place(work: Work) -> None:
    """A second verdict rests on the first."""
    made = _supersede(work)
    work.traces.reject_decision(made.decision.id, "Wrong too.")
    back = take_back(work, made)
    assert _built(back) == [(str(made.decision.id), "judged")]


def test_a_dependent_that_was_judged_keeps_the_verdict(work: Work) -> None:
    """Somebody judged it as standing on what was retired."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    work.traces.reject_decision(_id("mail"), "Then this too.")
    back = take_back(work, given)
    assert _built(back) == [(_id("mail"), "judged")]


def test_a_decision_recorded_on_a_reaffirmed_one_keeps_it(work: Work) -> None:
    """It would stand clear on a flagged one."""
    work.documents.put_document("policy", POLICY_15)
    given = work.traces.reaffirm_decision(_id("days"), **evidence(NOW))
    upon = work.record("upon", _id("days"))
    back = take_back(work, given)
    assert _built(back) == [(str(upon.id), "recorded")]


def test_a_decision_flagged_again_keeps_its_reaffirmation(work: Work) -> None:
    """The new flag is what there is to answer now."""
    work.documents.put_document("policy", POLICY_15)
    given = work.traces.reaffirm_decision(_id("days"), **evidence(NOW))
    work.documents.put_document("policy", POLICY_45)
    back = take_back(work, given)
    assert _built(back) == [(_id("days"), "flagged")]


def test_a_decision_judged_again_keeps_the_first_verdict(work: Work) -> None:
    """The second goes first, then the first can go."""
    first = work.traces.reaffirm_decision(_id("days"), **evidence(CITED))
    second = work.traces.reject_decision(_id("days"), "Wrong.")
    assert _built(take_back(work, first)) == [(_id("days"), "judged")]
    assert take_back(work, second).recorded
    assert take_back(work, first).recorded


def test_a_question_that_was_answered_stays(work: Work) -> None:
    """The reaffirmation answered it."""
    asked = work.traces.ask_for_review(_id("days"), "Sure?")
    work.traces.reaffirm_decision(_id("days"), **evidence(CITED))
    back = take_back(work, asked)
    assert _built(back)[0] == (_id("days"), "judged")


# Refusals.


def test_a_verdict_is_taken_back_once(work: Work) -> None:
    """A second time, and the withdrawal itself, are not there to take back."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    back = take_back(work, given)
    for one in (str(given.verdict_id), str(back.verdict_id), "nothing"):
        assert answer(work.traces.withdraw_verdict(one, WHY)) == (False, "verdict_not_found")


def test_a_verdict_of_another_project_is_not_there(work: Work) -> None:
    """As if it did not exist."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    elsewhere = take_back(work.within("q"), given)
    assert answer(elsewhere) == (False, "verdict_not_found")
    assert work.within("q").traces.get_verdict(str(given.verdict_id)) is None


def test_taking_back_needs_a_why(work: Work) -> None:
    """And a refusal leaves nothing."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    before = dump(work.raw)
    blank = work.traces.withdraw_verdict(str(given.verdict_id), " ", request_id="r")
    assert answer(blank) == (False, "explanation_required")
    assert dump(work.raw) == before


def test_a_double_click_takes_back_once(work: Work) -> None:
    """The repeat gets the first answer."""
    given = work.traces.reject_decision(_id("days"), "Wrong.")
    first = work.traces.withdraw_verdict(str(given.verdict_id), WHY, request_id="r")
    assert work.traces.withdraw_verdict(str(given.verdict_id), WHY, request_id="r") == first


# Lists of verdicts.


def test_verdicts_are_listed_newest_first_to_the_end(work: Work) -> None:
    """Every page goes on where the last one ended."""
    for k in range(7):
        work.traces.ask_for_review(_id("scope"), f"Sure {k}?")
    pages: list[str] = []
    cursor, turns = None, 0
    while turns == 0 or cursor:
        page = work.traces.list_verdicts(limit=3, cursor=cursor)
        pages += [v.why for v in page.verdicts]
        cursor, turns = page.next_cursor, turns + 1
    assert pages == [f"Sure {k}?" for k in reversed(range(7))]
    assert turns == 3


def test_an_agent_learns_what_became_of_its_decisions(work: Work) -> None:
    """Only of its own, and only since it last asked."""
    other = work.by("other").record("theirs", Heard("t", 1))
    work.traces.reject_decision(other.id, "Wrong.")
    given = work.by("boss").traces.reject_decision(
        _id("days"), "Wrong.", ground=Ground.NO_LONGER_NEEDED
    )
    (found,) = work.traces.list_verdicts("agent").verdicts
    assert (found.id, found.by, found.ground) == (given.verdict_id, "boss", "no_longer_needed")
    assert (found.conclusion, found.task_name) == ("Conclusion of days", "t")
    assert work.traces.list_verdicts("agent", datetime.now(UTC) + timedelta(hours=1)).verdicts == []
    since = datetime.now(UTC) - timedelta(hours=1)
    assert [v.id for v in work.traces.list_verdicts("agent", since).verdicts] == [found.id]


def test_verdicts_are_found_by_decision_task_judge_and_kind(work: Work) -> None:
    """Each with a statement of its own index."""
    asked = work.by("boss").traces.ask_for_review(_id("scope"), "Sure?").verdict_id
    given = work.traces.reject_decision(_id("days"), "Wrong.").verdict_id
    lists = work.traces.list_verdicts

    def ids(**by: Any) -> list[str]:
        return [v.id for v in lists(**by).verdicts]

    assert ids(decision_id=_id("scope")) == [asked]
    assert ids(task_id=derived("p", "t")) == [given, asked]
    assert ids(by="boss") == [asked]
    assert ids(kind="reject") == [given]
    assert ids(task_id=derived("p", "u")) == ids(by="nobody") == []
    assert ids(cursor="no number") == [given, asked]
    assert work.within("q").traces.list_verdicts().verdicts == []
