"""What we wrote, the library reads, goes on with, and judges."""

from typing import Any
from uuid import UUID

import pytest
from agrag.common.data_models.decision import DocumentSupport, ReviewReason, ReviewState
from agrag.common.data_models.task import EventKind as TheirKind
from agrag.common.data_models.task import StepState as TheirState
from agrag.decisions import _uuid

from graphstore import NewEvent
from graphstore.records import Decision, EventKind, StepKind, StepResultBasis, StepState
from tests.interop.console import Index
from tests.interop.library import Passage
from tests.interop.world import (
    HANDBOOK,
    POLICY,
    POLICY_LONGER,
    POLICY_SHORTER,
    Side,
    decision,
    differences,
    document,
    event,
    our_decision,
    our_document,
    our_event,
)


@pytest.fixture
def ours(both: Side) -> dict[str, Decision]:
    """The chain of `World`, recorded by us: documents, tasks, events, decisions."""
    assert both.documents.put_document(both.policy, POLICY, title="Refund policy").recorded
    assert both.history.create_task("audit", "Find out how refunds work.").recorded
    assert both.history.create_task("letters", "Write to the customers.").recorded
    assert both.history.record_event(
        "audit", EventKind.MESSAGE, role="user", payload="How long?"
    ).recorded
    assert both.history.record_event(
        "audit", EventKind.TOOL_RESULT, name="search", payload="EU."
    ).recorded
    cited = both.cite(POLICY, "Refunds are paid within 30 days")
    made: dict[str, Decision] = {}
    made["scope"] = _made(both, "audit", "scope", "EU only", supports=[our_event("audit", 2)])
    made["days"] = _made(
        both,
        "audit",
        "days",
        "30 days",
        supports=[our_document(cited), our_event("audit", 1), our_decision(made["scope"].id)],
        fetched_evidence=both.our_fetch(cited),
        assumptions=["Bank transfers take a day."],
        open_questions=["Are gift cards refunds?"],
    )
    made["mail"] = _made(
        both, "audit", "mail", "Say 30 days.", supports=[our_decision(made["days"].id)]
    )
    made["letter"] = _made(
        both, "letters", "letter", "Mail.", supports=[our_decision(made["mail"].id)]
    )
    return made


def test_the_library_reads_each_decision_as_we_returned_it(
    both: Side, ours: dict[str, Decision]
) -> None:
    """Every field of every kind of support, under the id that the library would have given it."""
    for made in ours.values():
        their = both.library.get_decision(made.id).decision
        assert their is not None
        assert differences(made, their) == []
        assert their.id == _uuid("Decision", made.task_id, made.choice_key, 1)


def test_the_library_reads_our_task_and_resumes_it(both: Side, ours: dict[str, Decision]) -> None:
    """Its view of the task has our decisions and the number of our last event."""
    view = both.library.get_task("audit").view
    assert view is not None
    assert (view.goal, view.last_event_seq, view.decision_count) == (
        "Find out how refunds work.",
        2,
        3,
    )
    assert {d.choice_key for d in view.decisions} == set(ours) - {"letter"}


def test_both_append_to_one_log_without_a_gap(both: Side, ours: dict[str, Decision]) -> None:
    """Numbers and ids go on across writers, alone and in batches."""
    both.library.record_event("audit", "three", kind=TheirKind.NOTE)
    both.history.record_events(
        "audit",
        [NewEvent(EventKind.NOTE, "four"), NewEvent(EventKind.NOTE, "five", role="me", name="it")],
    )
    both.library.record_event("audit", "six")
    events = both.library.list_events("audit").events
    assert [e.seq for e in events] == [1, 2, 3, 4, 5, 6]
    assert [e.id for e in events] == [_uuid("Event", ours["scope"].task_id, e.seq) for e in events]
    assert differences(both.history.list_events("audit"), both.library.list_events("audit")) == []


def test_the_library_cites_what_we_recorded(both: Side, ours: dict[str, Decision]) -> None:
    """It records on our passage, and supersedes and rejects our decisions."""
    cited = both.cite(POLICY, "second signature")
    made = both.library.record_decision(
        "letters",
        "sign",
        "Two sign.",
        supports=[document(cited), decision(ours["days"].id)],
        fetched_evidence=both.their_fetch(cited),
    )
    assert made.decision is not None
    assert made.decision.review_state is ReviewState.CLEAR
    assert both.library.supersede_decision(
        ours["mail"].id, "Say it.", explanation="Shorter.", supports=[decision(ours["days"].id)]
    ).recorded
    assert both.library.reject_decision(ours["scope"].id, "We also sell to Norway.").recorded
    assert both.library.drain() > 0
    flagged = {d.choice_key for d in both.library.list_decisions_for_review().decisions}
    assert flagged == {"days", "mail", "letter", "sign"}
    assert {d.choice_key for d in both.traces.list_decisions_for_review().decisions} == flagged


def test_our_update_flags_in_the_librarys_eyes(both: Side, ours: dict[str, Decision]) -> None:
    """Its list shows the citing decision and all dependents at once, and nothing is left to drain."""
    result = both.documents.put_document(both.policy, POLICY_SHORTER)
    assert result.flagged == 3
    reasons = {
        d.choice_key: d.review_reason for d in both.library.list_decisions_for_review().decisions
    }
    assert reasons == {
        "days": ReviewReason.SOURCE_CHANGED,
        "mail": ReviewReason.DEPENDENCY_REVIEW,
        "letter": ReviewReason.DEPENDENCY_REVIEW,
    }
    assert both.library.continue_decision_review() == 0
    assert both.library.list_decisions_for_review().count == 3
    assert both.library.get_decision(ours["scope"].id).decision.review_state is ReviewState.CLEAR


def test_our_removal_flags_in_the_librarys_eyes(both: Side, ours: dict[str, Decision]) -> None:
    """The text is hidden from it, and the reason says that the source is gone."""
    cited = both.cite(POLICY, "Refunds are paid within 30 days")
    assert both.documents.remove_document(both.policy).flagged == 3
    reasons = {
        d.choice_key: d.review_reason for d in both.library.list_decisions_for_review().decisions
    }
    assert reasons["days"] is ReviewReason.SOURCE_REMOVED
    assert both.their_fetch(cited)[0].text is None
    assert both.library.get_decision(ours["days"].id).found


def test_the_library_updates_and_removes_a_document_that_we_put(
    both: Side, ours: dict[str, Decision]
) -> None:
    """Its activation goes on counting where ours stopped, and flags what we recorded."""
    assert both.library.put_document(both.policy, POLICY_LONGER) == 2
    assert both.our_document(both.policy).text == POLICY_LONGER
    assert both.library.remove_document(both.policy) == 3
    assert both.our_document(both.policy).text is None
    assert both.documents.put_document(both.policy, POLICY).document.activation_seq == 4
    assert both.library.put_document(both.policy, POLICY_SHORTER) == 5
    assert [v.verb for v in both.our_versions(both.policy).versions] == [
        "update",
        "add",
        "delete",
        "update",
        "add",
    ]
    cited = both.cite(POLICY_SHORTER, "within 15 days")
    assert both.their_fetch(cited)[0].text == cited.words
    assert (
        both.library.get_decision(ours["days"].id).decision.review_state is ReviewState.NEEDS_REVIEW
    )


def test_what_the_librarys_ingestion_owns_is_left_alone(both: Side) -> None:
    """Its next run would undo our version, so we refuse to write one."""
    both.library.put_document(both.handbook, HANDBOOK, title="Handbook")
    before = both.peer.nodes("DocumentActivation")
    assert both.documents.put_document(both.handbook, "Else.").error == "document_managed_elsewhere"
    assert both.documents.remove_document(both.handbook).error == "document_managed_elsewhere"
    assert both.peer.nodes("DocumentActivation") == before
    assert both.our_document(both.handbook).text == HANDBOOK


def test_a_text_that_the_library_cut_can_be_current_again(both: Side) -> None:
    """We put a document, the library updated it twice, and we go back to its first text in its format."""
    both.documents.put_document(both.policy, POLICY)
    both.library.put_document(both.policy, POLICY_SHORTER, schema_fingerprint="f" * 64)
    both.library.put_document(both.policy, POLICY_LONGER, schema_fingerprint="f" * 64)
    assert both.documents.put_document(both.policy, POLICY_SHORTER).recorded
    assert both.our_document(both.policy).text == POLICY_SHORTER
    cited = both.cite(POLICY_SHORTER, "second signature")
    mine, their = both.our_fetch(cited)[0], both.their_fetch(cited)[0]
    assert (mine.text, their.text) == (cited.words, cited.words)
    assert differences(mine, their) == []
    assert mine.status_of_version == "current"


def test_a_text_of_many_chunks_is_one_text_to_the_library(both: Side) -> None:
    """Any span of a long text that we put is fetched whole, in the characters of that text."""
    text = "\n\n".join(
        f"Clause {n} – §{n}. " + "Die Frist beträgt 30 Tage 🕰️. " * 40 for n in range(20)
    )
    assert both.documents.put_document(both.policy, text).recorded
    for words in (text, text[1_000:9_000], text[-40:]):
        cited: Passage = both.cite(text, words)
        assert both.their_fetch(cited)[0].text == words


# Verdicts


def test_the_library_reads_our_reaffirmation(both: Side, ours: dict[str, Decision]) -> None:
    """The flag is gone, the new passage current, the old one archived, each with reviewer, time and words."""
    both.library.put_document(both.policy, POLICY_SHORTER)
    both.library.drain()
    cited = both.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    result = both.traces.reaffirm_decision(
        ours["days"].id,
        [our_document(cited)],
        fetched_evidence=both.our_fetch(cited),
        explanation="Shorter, and still within 30 days.",
    )
    assert result.recorded, result
    their = both.library.get_decision(ours["days"].id).decision
    assert their is not None
    assert differences(result.decision or ours["days"], their) == []
    assert (their.review_state, their.review_reason) == (ReviewState.CLEAR, None)
    old, new = (
        s
        for s in both.library.list_support_history(ours["days"].id)
        if isinstance(s, DocumentSupport)
    )
    assert (old.current, new.current) == (False, True)
    assert new.evidence_id == cited.evidence_id
    for support in (old, new):
        assert support.reviewed_by == both.reviewer
        assert support.review_explanation == "Shorter, and still within 30 days."
        assert support.reviewed_at == new.reviewed_at
    note = both.library.list_events("audit").events[-1]
    assert (note.kind, note.payload, note.author) == (
        TheirKind.NOTE,
        f"Decision {ours['days'].id} reaffirmed.",
        both.reviewer,
    )
    assert (
        both.library.get_decision(ours["mail"].id).decision.review_state is ReviewState.NEEDS_REVIEW
    )


def test_the_library_reaffirms_after_us_and_we_after_it(
    both: Side, ours: dict[str, Decision]
) -> None:
    """The archive grows by one passage for each verdict, whoever gave it."""
    text = POLICY
    for number, days in enumerate(("31", "32", "33", "34")):
        text = POLICY.replace("30 days", f"{days} days")
        both.documents.put_document(both.policy, text)
        cited = both.cite(text, f"Refunds are paid within {days} days")
        if number % 2:
            done = both.traces.reaffirm_decision(
                ours["days"].id, [our_document(cited)], fetched_evidence=both.our_fetch(cited)
            )
        else:
            done = both.library.reaffirm_decision(
                ours["days"].id, [document(cited)], fetched_evidence=both.their_fetch(cited)
            )
        assert done.recorded, done
    history = [
        s
        for s in both.library.list_support_history(ours["days"].id)
        if isinstance(s, DocumentSupport)
    ]
    assert [s.current for s in history] == [False] * 4 + [True]
    # An archived passage names who archived it, the current one who cited it.
    library, person = both.library.agent_id, both.reviewer
    assert [s.reviewed_by for s in history] == [library, person, library, person, person]


def test_the_library_reads_our_supersession_and_goes_on(
    both: Side, ours: dict[str, Decision]
) -> None:
    """The old revision is superseded, its dependents are flagged already, and the new one can be judged."""
    both.library.put_document(both.policy, POLICY_SHORTER)
    both.library.drain()
    cited = both.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    result = both.traces.supersede_decision(
        ours["days"].id,
        "15 days",
        "The policy says so now.",
        explanation="The policy changed.",
        supports=[our_document(cited), our_event("audit", 1)],
        fetched_evidence=both.our_fetch(cited),
    )
    assert result.recorded, result
    assert result.decision is not None
    their = both.library.get_decision(result.decision.id).decision
    assert their is not None
    assert differences(result.decision, their) == []
    assert (their.revision, their.author, their.review_state) == (
        2,
        both.reviewer,
        ReviewState.CLEAR,
    )
    assert both.library.get_decision(ours["days"].id).decision.status == "superseded"
    assert _edges(both, result.decision.id) == [("SUPERSEDES", ours["days"].id)]
    assert both.library.continue_decision_review() == 0
    flagged = {d.choice_key for d in both.library.list_decisions_for_review().decisions}
    assert flagged == {"mail", "letter"}
    third = both.library.supersede_decision(
        result.decision.id,
        "Fifteen days",
        explanation="In words.",
        supports=[document(cited)],
        fetched_evidence=both.their_fetch(cited),
    )
    assert third.decision is not None
    assert third.decision.revision == 3


def test_the_library_reads_our_rejection(both: Side, ours: dict[str, Decision]) -> None:
    """Status, reason and reviewer, and its dependents flagged with nothing left to drain."""
    result = both.traces.reject_decision(ours["days"].id, "Nobody asked for it.")
    assert result.recorded, result
    their = both.library.get_decision(ours["days"].id).decision
    assert their is not None
    assert differences(result.decision or ours["days"], their) == []
    assert (their.status, their.rejection_reason, their.rejected_by) == (
        "rejected",
        "Nobody asked for it.",
        both.reviewer,
    )
    assert both.library.continue_decision_review() == 0
    flagged = {d.choice_key for d in both.library.list_decisions_for_review().decisions}
    assert flagged == {"mail", "letter"}
    assert both.library.reject_decision(ours["days"].id, "again").error == "decision_not_active"


def test_the_library_reads_our_redaction(both: Side, ours: dict[str, Decision]) -> None:
    """The body is gone, and what stood on the event is flagged with everything that relies on it."""
    event_id = both.library.list_events("audit").events[0].id
    result = both.retention.redact_event(str(event_id))
    assert result.recorded, result
    event = both.library.list_events("audit").events[0]
    assert (event.payload, event.redacted_at is not None) == ("[REDACTED]", True)
    reasons = {
        d.choice_key: d.review_reason for d in both.library.list_decisions_for_review().decisions
    }
    assert reasons == {
        "days": ReviewReason.SOURCE_REMOVED,
        "mail": ReviewReason.DEPENDENCY_REVIEW,
        "letter": ReviewReason.DEPENDENCY_REVIEW,
    }
    assert result.affected_decision_ids[0] == str(ours["days"].id)


def test_one_refuses_what_the_other_settled(both: Side, ours: dict[str, Decision]) -> None:
    """A choice, a task and a decision that one side settled are settled for the other, with the same code."""
    assert both.library.create_task("audit", "Another goal.").error == "task_exists"
    assert both.history.create_task("audit", "Another goal.").error == "task_exists"
    again = [our_event("audit", 1)]
    taken = both.traces.record_decision("audit", "days", "x", "y", supports=again)
    assert taken.error == "choice_exists"
    assert both.library.reject_decision(ours["letter"].id, "no").recorded
    assert both.traces.reject_decision(ours["letter"].id, "no").error == "decision_not_active"
    gone = both.traces.supersede_decision(
        ours["letter"].id, "a", "b", explanation="c", supports=again
    )
    assert gone.error == "supersede_target_invalid"


# Steps


def test_the_library_reads_our_steps(both: Side, ours: dict[str, Decision]) -> None:
    """Each state, each basis, and whether a result may be used, before and after its source moves."""
    cited = both.cite(POLICY, "Refunds are paid within 30 days")
    steps: list[tuple[str, StepState, dict[str, Any]]] = [
        ("ask", StepState.NOT_STARTED, {}),
        ("call", StepState.IN_PROGRESS, {"kind": StepKind.OTHER}),
        ("fail", StepState.FAILED, {"result_event_seq": 2}),
        ("lose", StepState.UNKNOWN, {}),
        ("add", StepState.COMPLETED, {"result_event_seq": 1, "result_basis": "independent"}),
        ("guess", StepState.COMPLETED, {"result_event_seq": 1}),
        (
            "read",
            StepState.COMPLETED,
            {
                "kind": StepKind.READ,
                "result_event_seq": 2,
                "result_basis": StepResultBasis.SUPPORTED,
                "supports": [our_document(cited), our_event("audit", 1)],
                "fetched_evidence": both.our_fetch(cited),
            },
        ),
        (
            "conclude",
            StepState.COMPLETED,
            {
                "kind": StepKind.ANALYSIS,
                "result_event_seq": 2,
                "result_basis": StepResultBasis.SUPPORTED,
                "supports": [our_decision(ours["scope"].id), our_decision(ours["days"].id)],
            },
        ),
    ]
    for name, state, more in steps:
        assert both.history.set_step("audit", name, state, **more).recorded
    assert _validities(both) == {
        "add": "reusable",
        "conclude": "reusable",
        "guess": "unknown",
        "read": "reusable",
    }
    assert _steps_differ(both) == []
    both.documents.put_document(both.policy, POLICY_SHORTER)
    assert _validities(both)["read"] == "needs_review"
    assert _validities(both)["conclude"] == "needs_review"
    both.retention.redact_event(str(both.library.list_events("audit").events[0].id))
    assert _validities(both)["add"] == "unavailable"
    assert _steps_differ(both) == []


def test_the_library_goes_on_in_a_task_that_we_resumed(
    both: Side, ours: dict[str, Decision]
) -> None:
    """What was in progress is unknown to it, too, and it sets such a step anew."""
    for name in ("one", "two"):
        both.history.set_step("audit", name, StepState.IN_PROGRESS)
    assert both.history.resume_task("audit").marked_unknown == ["one", "two"]
    unknown = both.library.list_steps("audit", TheirState.UNKNOWN).steps
    assert [step.name for step in unknown] == ["one", "two"]
    assert both.library.set_step("audit", "two", TheirState.COMPLETED, result_event_seq=2).recorded
    (step,) = both.history.list_steps("audit", StepState.COMPLETED).steps
    assert (step.name, step.set_by, step.set_at) == ("two", None, None)
    assert [s.name for s in both.library.list_steps("audit", TheirState.UNKNOWN).steps] == ["one"]


# Later verdicts


def test_the_library_reads_a_decision_that_we_asked_about(
    both: Side, ours: dict[str, Decision]
) -> None:
    """It needs review for no reason that the library has, and its dependents for theirs."""
    asked = both.traces.ask_for_review(ours["days"].id, "Is it still so?")
    assert asked.recorded
    waiting = both.library.list_decisions_for_review()
    reasons = {d.choice_key: d.review_reason for d in waiting.decisions}
    assert reasons == {
        "days": None,
        "mail": ReviewReason.DEPENDENCY_REVIEW,
        "letter": ReviewReason.DEPENDENCY_REVIEW,
    }
    assert both.library.continue_decision_review() == 0
    their = both.library.get_decision(ours["days"].id).decision
    assert their is not None
    assert their.review_state is ReviewState.NEEDS_REVIEW
    assert differences(asked.decision or ours["days"], their) == []


def test_the_library_settles_what_we_asked(both: Side, ours: dict[str, Decision]) -> None:
    """It reaffirms, and the question is gone for us as well: there is nothing to take back."""
    asked = both.traces.ask_for_review(ours["days"].id, "Is it still so?")
    cited = both.cite(POLICY, "Refunds are paid within 30 days")
    assert both.library.reaffirm_decision(
        ours["days"].id, [document(cited)], fetched_evidence=both.their_fetch(cited)
    ).recorded
    assert both.library.reaffirm_decision(ours["mail"].id, []).recorded
    assert set(Index(both).look()) == {"letter"}
    mine = both.traces.get_decision(ours["days"].id).decision
    assert mine is not None
    assert mine.review_state == "clear"
    late = both.traces.withdraw_verdict(str(asked.verdict_id), "Never mind.")
    assert late.error == "built_upon"


def test_the_library_reads_what_a_withdrawn_rejection_left(
    both: Side, ours: dict[str, Decision]
) -> None:
    """As if it had never been: active, clear, without a reason, and nobody below it is flagged."""
    before = {name: both.library.get_decision(made.id) for name, made in ours.items()}
    rejected = both.traces.reject_decision(ours["days"].id, "Nobody asked.")
    assert both.traces.withdraw_verdict(str(rejected.verdict_id), "They did.").recorded
    assert {name: both.library.get_decision(made.id) for name, made in ours.items()} == before
    assert both.library.list_decisions_for_review().decisions == []
    assert both.library.continue_decision_review() == 0


def test_the_library_reads_what_a_withdrawn_supersession_left(
    both: Side, ours: dict[str, Decision]
) -> None:
    """The old revision is active again, the new one rejected, and the library supersedes anew."""
    superseded = both.traces.supersede_decision(
        ours["mail"].id,
        "Say 31.",
        "r",
        explanation="Wrong.",
        supports=[our_decision(ours["days"].id)],
    )
    assert both.traces.withdraw_verdict(str(superseded.verdict_id), "Right after all.").recorded
    made = both.library.list_decisions("audit").page.decisions
    states = {(d.choice_key, d.revision): d.status.value for d in made if d.choice_key == "mail"}
    assert states == {("mail", 1): "active", ("mail", 2): "rejected"}
    assert both.library.list_decisions_for_review().decisions == []
    third = both.library.supersede_decision(
        ours["mail"].id, "Say it.", explanation="So.", supports=[decision(ours["days"].id)]
    )
    assert third.decision is not None
    assert third.decision.revision == 3


def test_the_library_reads_what_a_withdrawn_reaffirmation_left(
    both: Side, ours: dict[str, Decision]
) -> None:
    """The flag is back with its reason, the old passage counts, and the other is kept as history."""
    both.library.put_document(both.policy, POLICY_SHORTER)
    both.library.drain()
    before = both.library.get_decision(ours["days"].id)
    cited = both.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    reaffirmed = both.traces.reaffirm_decision(
        ours["days"].id, [our_document(cited)], fetched_evidence=both.our_fetch(cited)
    )
    assert both.traces.withdraw_verdict(str(reaffirmed.verdict_id), "Too soon.").recorded
    assert both.library.get_decision(ours["days"].id) == before
    history = [
        s
        for s in both.library.list_support_history(ours["days"].id)
        if isinstance(s, DocumentSupport)
    ]
    assert [s.current for s in history] == [True, False]


# Lists


def test_the_library_lists_and_searches_as_we_do(both: Side, ours: dict[str, Decision]) -> None:
    """A task's decisions with and without history, what a search finds, supports with their history."""
    assert both.traces.reject_decision(ours["letter"].id, "No.").recorded
    rival = _made(both, "letters", "days", "45 days", supports=[our_event("audit", 1)])
    for task_name in ("audit", "letters", "nowhere"):
        for history in (True, False):
            mine = both.traces.list_decisions(task_name, history)
            their = both.library.list_decisions(task_name, include_history=history)
            assert differences(mine, their) == []
    (mine,) = both.traces.search_decisions("45")
    (their,) = both.library.search_decisions("45", task_name="letters")
    assert differences(mine, their) == []
    (conflict,) = both.library.list_conflicts().groups
    (same,) = both.traces.list_conflicts().groups
    assert conflict.choice_key == same.choice_key == "days"
    assert {d.id for d in conflict.decisions} == {ours["days"].id, rival.id}
    assert {d.id for d in same.decisions} == {ours["days"].id, rival.id}
    page = both.traces.list_support_history(ours["days"].id)
    supports = both.library.list_support_history(ours["days"].id)
    assert [s.kind for s in page.supports] == [s.kind.value for s in supports]


# Deleted tasks


def test_the_library_finds_nothing_of_a_task_that_we_deleted(
    both: Side, ours: dict[str, Decision]
) -> None:
    """The task, its events, steps and decisions are gone, and who cited them waits for review."""
    both.history.set_step("audit", "read", StepState.COMPLETED, result_event_seq=1)
    assert both.retention.delete_task("audit").affected_decision_ids == [str(ours["letter"].id)]
    assert not both.library.get_task("audit").found
    assert not both.library.list_events("audit").found
    assert not both.library.fetch_event("audit", 1).found
    assert both.library.list_steps("audit", TheirState.COMPLETED).steps == []
    assert not both.library.list_decisions("audit").found
    assert not both.library.get_decision(ours["days"].id).found
    assert both.library.search_decisions("30") == []
    both.library.drain()
    (left,) = both.library.list_decisions_for_review().decisions
    assert (left.choice_key, left.review_reason) == ("letter", ReviewReason.SOURCE_REMOVED)
    assert both.library.reaffirm_decision(left.id, []).error == "cannot_revalidate"


def test_the_library_finds_no_decision_that_we_kept(both: Side, ours: dict[str, Decision]) -> None:
    """It looks through the task; we still show what it was kept for."""
    assert both.retention.delete_task("audit", include_decisions=False).recorded
    assert not both.library.get_decision(ours["scope"].id).found
    kept = both.traces.get_decision(ours["scope"].id).decision
    assert kept is not None
    assert (kept.conclusion, kept.task_deleted) == ("EU only", True)


def test_the_library_goes_on_in_a_second_life(both: Side, ours: dict[str, Decision]) -> None:
    """A task of a deleted name has an id of its own; the library appends to it, decides and cites there."""
    assert both.retention.delete_task("audit").recorded
    both.library.drain()
    second = both.history.create_task("audit", "Quite another thing.").task
    assert second is not None
    assert second.id != ours["scope"].task_id
    assert both.library.create_task("audit", "Quite another thing.").task.id == second.id
    made = both.library.record_event("audit", "First again.").event
    assert (made.seq, made.id) == (1, _uuid("Event", second.id, 1))
    again = both.library.record_decision(
        "audit", "scope", "World", supports=[event("audit", 1)]
    ).decision
    assert again.id == _uuid("Decision", second.id, "scope", 1)
    assert (
        differences(both.traces.get_decision(again.id), both.library.get_decision(again.id)) == []
    )
    cited = both.library.get_decision(ours["letter"].id).decision
    assert cited.review_state is ReviewState.NEEDS_REVIEW
    assert both.library.reaffirm_decision(ours["letter"].id, []).error == "cannot_revalidate"


def _steps_differ(both: Side) -> list[str]:
    mine, their = both.history.get_task("audit"), both.library.get_task("audit")
    found = differences(mine, their, ignore=("view.conflicts",))
    for state in TheirState:
        ours = both.history.list_steps("audit", StepState(state))
        found += differences(ours, both.library.list_steps("audit", state))
    return found


def _validities(both: Side) -> dict[str, str]:
    completed = both.library.list_steps("audit", TheirState.COMPLETED).steps
    return {step.name: step.result_validity.value for step in completed}


def _made(both: Side, task: str, choice: str, conclusion: str, **rest: Any) -> Decision:
    result = both.traces.record_decision(task, choice, conclusion, "Because it says so.", **rest)
    assert result.recorded, result
    assert result.decision is not None
    return result.decision


def _edges(both: Side, decision_id: UUID) -> list[tuple[str, UUID]]:
    rows = both.peer.rows(
        "MATCH (:Decision {id: $id})-[r:SUPERSEDES|DEPENDS_ON]->(x) RETURN type(r) AS type, x.id AS id",
        id=str(decision_id),
    )
    return [(row["type"], UUID(row["id"])) for row in rows]
