"""Decisions: what may be cited, what is stored, what a new revision does to those that stood on the old one."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from graphstore.records import (
    Decision,
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    FetchOutcome,
    FetchStatus,
)
from graphstore.store import counting
from tests.contract.looking import decision, dump, entry, nodes, project, stances, supports
from tests.contract.seeding import MARK, Heard, Passage, Seed, derived, digest, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, SIGNED, Work, answer, on

CITED = Passage("policy", POLICY, DAYS)
TASK = derived("p", "t")


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with two events, a policy and a decision `scope`."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY)
    seed.decision("scope", Heard("t", 2))


SCOPE = derived("Decision", TASK, "scope", 1)


def record(work: Work, **changed: Any) -> Any:
    """Record `days` on the policy, or on what is given."""
    told: dict[str, Any] = {
        "task_name": "t",
        "choice_key": "days",
        "conclusion": "30 days",
        "rationale": "The policy says so.",
        **on(CITED),
    }
    return work.traces.record_decision(**told | changed)


def supersede(work: Work, decision_id: object, **changed: Any) -> Any:
    """Supersede a decision on the policy, or on what is given."""
    told: dict[str, Any] = {
        "decision_id": str(decision_id),
        "conclusion": "15 days",
        "rationale": "It changed.",
        "explanation": "The policy changed.",
        **on(CITED),
    }
    return work.traces.supersede_decision(**told | changed)


def test_a_decision_is_recorded_as_the_library_would(work: Work) -> None:
    """Every property of the library is there under its id, beside those that are ours."""
    made = record(
        work,
        assumptions=["Bank transfers take a day."],
        open_questions=["Gift cards?"],
        **on(CITED, Heard("t", 1), SCOPE),
    )
    identity = derived("Decision", TASK, "days", 1)
    found = decision(work.raw, identity)
    assert str(made.decision.id) == identity
    own = {key for key in found if key.startswith(("ctx_", "_ft_"))}
    assert {key: value for key, value in found.items() if key not in own} == MARK | {
        "id": identity,
        "task_id": TASK,
        "project_id": "p",
        "choice_key": "days",
        "revision": 1,
        "conclusion": "30 days",
        "rationale": "The policy says so.",
        "assumptions": ["Bank transfers take a day."],
        "open_questions": ["Gift cards?"],
        "author": "agent",
        "created_at": made.decision.created_at.isoformat(),
        "status": "active",
        "review_state": "clear",
    }
    assert found["ctx_version"] == 1


def test_supports_are_recorded_as_the_library_would(work: Work) -> None:
    """Each kind of support keeps what is needed to check it again, in the order given."""
    made = record(work, **on(Heard("t", 1), CITED, SCOPE)).decision
    shared = MARK | {"project_id": "p", "current": True}
    assert supports(work.raw, made.id) == [
        shared
        | {"id": derived("Support", str(made.id), 0), "ordinal": 0, "kind": "event"}
        | {"event_id": derived("Event", TASK, 1), "task_name": "t", "seq": 1},
        shared
        | {"id": derived("Support", str(made.id), 1), "ordinal": 1, "kind": "document"}
        | {
            "evidence_id": CITED.evidence_id,
            "document_key": "policy",
            "document_node_id": named("Document", "policy"),
            "content_hash_prefix": digest(POLICY)[:16],
            "content_hash": digest(POLICY),
            "reference_kind": "span",
            "char_start": CITED.start,
            "char_end": CITED.end,
            "recorded_activation_seq": 1,
        },
        shared
        | {"id": derived("Support", str(made.id), 2), "ordinal": 2, "kind": "decision"}
        | {"decision_id": SCOPE, "target_decision_id": SCOPE},
    ]
    depends = work.raw.run(
        "MATCH (:Decision {id: $id})-[:DEPENDS_ON]->(x) RETURN x.id", {"id": str(made.id)}
    )
    assert depends == [[SCOPE]]


def test_what_is_read_is_what_was_answered(work: Work) -> None:
    """The result of recording equals what reading gives, in one round trip."""
    made = record(
        work, assumptions=["a"], open_questions=["q"], **on(CITED, Heard("t", 1), SCOPE)
    ).decision
    with counting() as trips:
        found = work.get(made.id)
    assert found == made
    assert trips.count == 1


def test_a_decision_is_not_seen_from_another_project(work: Work) -> None:
    """An id of another project is not found."""
    made = record(work).decision
    elsewhere = work.within("q")
    elsewhere.history.create_task("t", "g")
    assert elsewhere.traces.get_decision(made.id).found is False
    assert work.traces.get_decision("nonsense").found is False


@pytest.mark.parametrize("number", [1, 20])
def test_supports_cost_no_round_trips(number: int, work: Work, seed: Seed) -> None:
    """One read and one commit, however many supports of whatever kind there are."""
    seed.events("t", *map(str, range(30)))
    parents = seed.decisions([(f"parent {k}", [Heard("t", 1)]) for k in range(7)])
    for key in range(7):
        seed.document(f"doc {key}", POLICY)
    mixed = [
        cited
        for k in range(7)
        for cited in (Passage(f"doc {k}", POLICY, DAYS), Heard("t", k + 1), parents[k])
    ][:number]
    with counting() as recording:
        made = record(work, **on(*mixed)).decision
    with counting() as superseding:
        newer = supersede(work, made.id, **on(*mixed)).decision
    assert (recording.count, superseding.count) == (2, 2)
    assert len(work.get(newer.id).supports) == number


def test_one_thing_cited_twice(work: Work) -> None:
    """Both supports are kept; the decision depends on its parent once."""
    made = record(work, **on(SCOPE, SCOPE, CITED, CITED, Heard("t", 1), Heard("t", 1))).decision
    assert len(supports(work.raw, made.id)) == 6
    assert work.get(made.id) == made
    found = "MATCH (:Decision {id: $id})-[r:DEPENDS_ON]->() RETURN count(r)"
    assert work.raw.run(found, {"id": str(made.id)}) == [[1]]


def _forged(**changed: Any) -> dict[str, Any]:
    return {
        "supports": [CITED.support],
        "fetched_evidence": [CITED.outcome.model_copy(update=changed)],
    }


def _elsewhere(start: int, end: int) -> dict[str, Any]:
    """A range that the version does not have, with an outcome that says it has."""
    evidence = f"ev1:s:{CITED.document_id}:{digest(POLICY)[:16]}:{start}-{end}"
    outcome = CITED.outcome.model_copy(update={"evidence_id": evidence})
    return {
        "supports": [DocumentSupportInput(evidence_id=evidence)],
        "fetched_evidence": [outcome],
    }


def _named_evidence(text: str) -> dict[str, Any]:
    return {"supports": [DocumentSupportInput(evidence_id=text)], "fetched_evidence": []}


def _event_support(task: str, seq: int) -> dict[str, Any]:
    return {"supports": [EventSupportInput(task_name=task, seq=seq)], "fetched_evidence": []}


def _decision_support(identity: str) -> dict[str, Any]:
    return {"supports": [DecisionSupportInput(decision_id=identity)], "fetched_evidence": []}


DOC = CITED.document_id
PREFIX = digest(POLICY)[:16]
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no supports": ({"supports": [], "fetched_evidence": []}, "support_required"),
    "21 supports": (on(*[CITED] * 21), "support_required"),
    "an unknown task": ({"task_name": "u"}, "task_not_found"),
    "an id of no shape": (_named_evidence("policy"), "support_malformed"),
    "an empty id": (_named_evidence(""), "support_malformed"),
    "an empty range": (_named_evidence(f"ev1:s:{DOC}:{PREFIX}:5-5"), "support_malformed"),
    "a range backwards": (_named_evidence(f"ev1:s:{DOC}:{PREFIX}:9-5"), "support_malformed"),
    "a leading zero": (_named_evidence(f"ev1:s:{DOC}:{PREFIX}:00-5"), "support_malformed"),
    "capitals": (_named_evidence(CITED.evidence_id.upper()), "support_malformed"),
    "another format": (_named_evidence(f"ev2:s:{DOC}:{PREFIX}:0-5"), "support_malformed"),
    "trailing text": (_named_evidence(CITED.evidence_id + " "), "support_malformed"),
    "13 digits": (_named_evidence(f"ev1:s:{DOC}:{PREFIX}:0-1000000000000"), "support_malformed"),
    "never fetched": ({"fetched_evidence": []}, "support_not_fetched"),
    "another passage fetched": (
        {"fetched_evidence": [Passage("policy", POLICY, SIGNED).outcome]},
        "support_not_fetched",
    ),
    "fetched in part": (_forged(status=FetchStatus.TRUNCATED), "support_not_fetched"),
    "fetched in vain": (_forged(status=FetchStatus.UNAVAILABLE), "support_not_fetched"),
    "an invented text": (_forged(text="paid within 99 days"), "support_not_fetched"),
    "no text": (_forged(text=None), "support_not_fetched"),
    "an invented version": (_forged(content_hash="0" * 64), "support_not_fetched"),
    "no version": (_forged(content_hash=None), "support_not_fetched"),
    "no activation": (_forged(observed_activation_seq=None), "support_not_fetched"),
    "a range beyond the end": (_elsewhere(0, 999_999), "support_not_fetched"),
    "another range": (_elsewhere(0, 19), "support_not_fetched"),
    "another key": (_forged(document_key="handbook"), "support_document_not_found"),
    "no such document": (
        on(Passage("nothing", POLICY, DAYS)),
        "support_document_not_found",
    ),
    "no such version": (
        {
            "supports": [Passage("policy", POLICY_15, DAYS_15).support],
            "fetched_evidence": [Passage("policy", POLICY_15, DAYS_15).outcome],
        },
        "support_not_fetched",
    ),
    "no such event": (_event_support("t", 3), "support_event_not_found"),
    "event nought": (_event_support("t", 0), "support_event_not_found"),
    "an event of no task": (_event_support("u", 1), "support_event_not_found"),
    "no such decision": (_decision_support(derived("x")), "support_decision_not_found"),
    "no decision's id": (_decision_support("scope"), "support_decision_not_found"),
    "the first that fails": (
        {
            "supports": [
                EventSupportInput(task_name="t", seq=1),
                EventSupportInput(task_name="t", seq=9),
                DocumentSupportInput(evidence_id="bad"),
            ],
            "fetched_evidence": [],
        },
        "support_event_not_found",
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_decision_that_may_not_be_recorded(why: str, work: Work) -> None:
    """Each has its code, and a refusal leaves nothing, not even its request id."""
    changed, code = REFUSED[why]
    before = dump(work.raw)
    refused = record(work, **changed, request_id="r")
    assert answer(refused) == (False, code)
    assert refused.decision is None
    assert dump(work.raw) == before
    assert record(work, request_id="r").recorded


@pytest.mark.parametrize("why", [why for why in REFUSED if why != "an unknown task"])
def test_a_revision_that_may_not_be_recorded(why: str, work: Work) -> None:
    """Superseding refuses the same supports, and the old decision stays as it is."""
    changed, code = REFUSED[why]
    before = dump(work.raw)
    assert answer(supersede(work, SCOPE, **changed, request_id="r")) == (False, code)
    assert dump(work.raw) == before


def test_what_stands_in_another_project_cannot_be_cited(work: Work, seed: Seed) -> None:
    """Events and decisions are found in their own project only."""
    other = Seed(work.raw, "q", seed.ticks)
    other.project_node()
    other.task("theirs", "said")
    there = other.decision("there", Heard("theirs", 1))
    event = record(work, **_event_support("theirs", 1))
    parent = record(work, **_decision_support(there))
    assert answer(event) == (False, "support_event_not_found")
    assert answer(parent) == (False, "support_decision_not_found")


@pytest.mark.parametrize("status", ["rejected", "superseded"])
def test_a_retired_decision_cannot_be_cited(status: str, work: Work, seed: Seed) -> None:
    """A decision depends on another only while that one is active."""
    retired = seed.decision("old", status=status)
    before = dump(work.raw)
    assert answer(record(work, **on(retired))) == (False, "support_decision_not_active")
    assert dump(work.raw) == before


def test_a_redacted_event_cannot_be_cited(work: Work, seed: Seed) -> None:
    """Nobody can check what is gone."""
    seed.events("t", "[REDACTED]", redacted_at=seed.now())
    before = dump(work.raw)
    assert answer(record(work, **on(Heard("t", 3)))) == (False, "cannot_revalidate")
    assert dump(work.raw) == before


def test_no_supports_come_before_everything(work: Work) -> None:
    """The library says so before it looks at the request id or the task."""
    refused = record(work, task_name="u", supports=[], request_id="x" * 65)
    assert answer(refused) == (False, "support_required")


def test_a_choice_has_one_active_decision(work: Work) -> None:
    """A choice that was decided is superseded, not decided again, in this task."""
    assert record(work).recorded
    before = dump(work.raw)
    refused = record(work, conclusion="Another")
    assert answer(refused) == (False, "choice_exists")
    assert dump(work.raw) == before


def test_another_task_may_decide_the_same_choice(work: Work, seed: Seed) -> None:
    """Conflicts between tasks are allowed, and counted."""
    seed.task("u")
    assert record(work).recorded
    assert record(work, task_name="u", conclusion="Another").recorded
    assert stances(work.raw, "days") == (2, [1, 1])


@pytest.mark.parametrize(
    ("conclusion", "warns"),
    [
        ("30 days", True),
        (" 30\n\tdays ", True),
        ("30\u00a0days", True),
        ("30 Days", False),
        ("31 days", False),
    ],
)
def test_a_rejected_choice_may_be_decided_again(conclusion: str, warns: Any, work: Work) -> None:
    """The next revision is recorded, with a warning when it says what was rejected."""
    first = record(work).decision
    work.traces.reject_decision(first.id, "Wrong.")
    again = record(work, conclusion=conclusion)
    assert again.recorded
    assert (again.decision.revision, again.decision.id != first.id) == (2, True)
    assert again.warnings == [f"rejected_before:{first.id}"] * warns
    assert work.get(first.id).status == "rejected"


def test_composed_and_decomposed_conclusions_are_one(work: Work) -> None:
    """é is é, however it was typed: one side of a choice, and one rejection."""
    first = record(work, conclusion="caf\u00e9").decision
    work.traces.reject_decision(first.id, "Wrong.")
    again = record(work, conclusion="cafe\u0301")
    assert again.warnings == [f"rejected_before:{first.id}"]
    assert again.decision.conclusion == "cafe\u0301"
    assert stances(work.raw, "days") == (1, [1])


def test_a_source_that_moved_on_since_it_was_fetched(work: Work, seed: Seed) -> None:
    """The decision is saved, flagged, with a warning and the activation that it missed."""
    seed.document("handbook", POLICY, POLICY_15)
    made = record(work, **on(Passage("handbook", POLICY, DAYS)))
    assert (made.recorded, made.warnings) == (True, ["source_changed_during_recording"])
    assert (made.decision.review_state, made.decision.review_reason) == (
        "needs_review",
        "source_changed_during_recording",
    )
    assert made.decision.causes == [f"document:{named('Document', 'handbook')}:2"]
    assert made.decision.flagged_at == made.decision.created_at
    assert work.get(made.decision.id) == made.decision
    assert project(work.raw) | {"review_epoch": 1, "review_incomplete": False} == project(work.raw)
    assert entry(work.raw, "record_decision")["manifest"]["flagged"] == [str(made.decision.id)]


def test_a_source_that_was_removed_since_it_was_fetched(work: Work, seed: Seed) -> None:
    """Its text is still there to check, so the record is saved and flagged."""
    seed.document("handbook", POLICY, None)
    made = record(work, **on(Passage("handbook", POLICY, DAYS)))
    assert (made.recorded, made.warnings) == (True, ["source_changed_during_recording"])
    assert made.decision.causes == [f"document:{named('Document', 'handbook')}:2"]


def test_the_same_text_activated_again_since_it_was_fetched(work: Work, seed: Seed) -> None:
    """An activation counts, even when the text is the same."""
    seed.document("handbook", POLICY, POLICY_15, POLICY)
    made = record(work, **on(Passage("handbook", POLICY, DAYS, seq=1)))
    assert made.warnings == ["source_changed_during_recording"]
    current = record(work, choice_key="now", **on(Passage("handbook", POLICY, DAYS, seq=3)))
    assert (current.warnings, current.decision.review_state) == ([], "clear")


def test_a_flagged_parent_flags_its_new_dependent(work: Work, seed: Seed) -> None:
    """The record is saved with the parent's causes; nothing is queued, since nobody depends on it yet."""
    parent = seed.decision("parent", review_state="needs_review", ctx_causes=["event:x"])
    made = record(work, **on(parent, SCOPE))
    assert (made.recorded, made.warnings, made.flagged) == (True, [], [])
    assert (made.decision.review_state, made.decision.review_reason) == (
        "needs_review",
        "dependency_review",
    )
    assert made.decision.causes == ["event:x"]
    assert work.get(made.decision.id) == made.decision
    assert project(work.raw)["review_incomplete"] is False
    assert "review_pending" not in decision(work.raw, made.decision.id)


def test_flags_that_travel_elsewhere_flag_nobody_new(work: Work, seed: Seed) -> None:
    """A dependent of a clear parent is clear, whatever else is queued; it reads unknown until then."""
    seed.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    seed.decision("queued", review_state="needs_review", review_pending=True)
    made = record(work, **on(SCOPE)).decision
    assert decision(work.raw, made.id)["review_state"] == "clear"
    assert work.get(made.id).review_state == "unknown"
    work.traces.continue_decision_review()
    assert work.get(made.id).review_state == "clear"


def test_the_ledger_entry_of_a_decision(work: Work) -> None:
    """The entry names the decision and the hashes of what it says, and whose side it takes."""
    made = record(work).decision
    found = entry(work.raw, "record_decision")
    manifest = found["manifest"]
    assert manifest["created"] == [str(made.id)]
    assert manifest["hashes"][str(made.id)] == digest("30 days")
    assert manifest["hashes"][f"{made.id}/rationale"] == digest("The policy says so.")
    assert (found["task_id"], found["decisions"]) == (TASK, [str(made.id)])


# Request ids.


CHANGES: dict[str, dict[str, Any]] = {
    "choice": {"choice_key": "other"},
    "conclusion": {"conclusion": "31 days"},
    "rationale": {"rationale": "Because."},
    "assumptions": {"assumptions": ["a"]},
    "questions": {"open_questions": ["q"]},
    "supports": on(CITED, Heard("t", 1)),
    "another passage": on(Passage("policy", POLICY, SIGNED)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_another_decision_under_the_same_id_is_refused(what: str, work: Work) -> None:
    """Each argument is part of what a request id stands for."""
    first = record(work, request_id="r")
    before = dump(work.raw)
    refused = record(work, request_id="r", **CHANGES[what])
    assert answer(refused) == (False, "request_id_reused")
    assert dump(work.raw) == before
    assert record(work, request_id="r") == first


def test_more_fetched_evidence_is_the_same_request(work: Work) -> None:
    """Evidence that is not cited does not make it another request."""
    first = record(work, request_id="r")
    more: list[FetchOutcome] = [CITED.outcome, Passage("policy", POLICY, SIGNED).outcome]
    assert record(work, fetched_evidence=more, request_id="r") == first


# Superseding.


@pytest.fixture
def days(work: Work) -> Decision:
    """A decision of ours with two dependents below it."""
    made = work.record("days", CITED)
    mail = work.record("mail", str(made.id))
    work.record("letter", str(mail.id))
    return made


def _id(choice: str, revision: int = 1) -> str:
    return derived("Decision", TASK, choice, revision)


def test_superseding_records_the_next_revision(work: Work, days: Decision) -> None:
    """The new one is active and points at the old one, which is retired and clear."""
    made = supersede(work, days.id)
    newer, older = work.get(made.decision.id), work.get(days.id)
    assert newer == made.decision
    assert (newer.revision, newer.choice_key, newer.status) == (2, "days", "active")
    assert (newer.conclusion, newer.supersession_explanation) == (
        "15 days",
        "The policy changed.",
    )
    assert (older.status, older.review_state, older.conclusion) == (
        "superseded",
        "clear",
        "Conclusion of days",
    )
    assert len(older.supports) == 1
    found = "MATCH (n:Decision)-[:SUPERSEDES]->(o:Decision) RETURN n.id, o.id"
    assert work.raw.run(found) == [[str(newer.id), str(older.id)]]


def test_superseding_flags_whoever_stood_on_the_old_one(work: Work, days: Decision) -> None:
    """Direct and indirect dependents are flagged in the same commit, so nothing is left to travel."""
    made = supersede(work, days.id)
    assert made.flagged == [UUID(_id("mail")), UUID(_id("letter"))]
    for choice in ("mail", "letter"):
        found = work.get(_id(choice))
        assert (found.review_state, found.review_reason) == ("needs_review", "dependency_review")
        assert found.causes == [f"decision:{days.id}"]
        assert found.flagged_at == made.decision.created_at
    assert project(work.raw) | {"review_epoch": 2, "review_incomplete": False} == project(work.raw)
    assert work.traces.continue_decision_review() == 0


def test_superseding_counts_for_conflicts(work: Work, days: Decision, seed: Seed) -> None:
    """The old side loses its decision, the new one gets it."""
    seed.task("u")
    record(work, task_name="u", conclusion="Conclusion of days")
    assert stances(work.raw, "days") == (1, [2])
    supersede(work, days.id)
    assert stances(work.raw, "days") == (2, [1, 1])


def test_superseding_with_the_same_conclusion(work: Work, days: Decision) -> None:
    """A revision may say the same on better grounds; the choice still has one side."""
    supersede(work, days.id, conclusion=days.conclusion)
    assert stances(work.raw, "days") == (1, [1])


@pytest.mark.parametrize("explanation", ["", " ", "\n\t\u2003"])
def test_superseding_needs_an_explanation(explanation: str, work: Work, days: Decision) -> None:
    """A blank one is refused before anything else is looked at."""
    before = dump(work.raw)
    refused = supersede(work, days.id, explanation=explanation, supports=[], request_id="x" * 65)
    assert answer(refused) == (False, "explanation_required")
    assert dump(work.raw) == before


TARGETS: dict[str, Callable[[Work], str]] = {
    "nothing": lambda _: derived("nothing"),
    "no id": lambda _: "days",
    "a rejected decision": lambda w: str(w.traces.reject_decision(_id("days"), "r").decision.id),  # pyright: ignore[reportOptionalMemberAccess]
    "a superseded decision": lambda w: (supersede(w, _id("days")), _id("days"))[1],
}


@pytest.mark.parametrize("target", TARGETS)
def test_only_the_newest_active_revision_is_superseded(
    target: str, work: Work, days: Decision
) -> None:
    """Anything else is no target, and a decision of another project neither."""
    identity = TARGETS[target](work)
    before = dump(work.raw)
    refused = supersede(work, identity, request_id="r")
    assert answer(refused) == (False, "supersede_target_invalid")
    assert dump(work.raw) == before
    elsewhere = supersede(work.within("q"), _id("mail"))
    assert answer(elsewhere) == (False, "supersede_target_invalid")


def test_a_flagged_decision_is_superseded(work: Work, seed: Seed) -> None:
    """Superseding clears the flag of the old one; its dependents keep theirs as they are."""
    old = seed.decision(
        "days",
        CITED,
        review_state="needs_review",
        review_reason="source_changed",
        ctx_causes=["event:x"],
        ctx_flagged_us=5,
    )
    flagged = seed.decision(
        "mail", old, review_state="needs_review", ctx_causes=["event:x"], ctx_flagged_us=5
    )
    before = decision(work.raw, flagged)
    made = supersede(work, old)
    assert (made.decision.review_state, made.flagged) == ("clear", [])
    assert decision(work.raw, flagged) == before
    kept = {"review_reason", "ctx_causes", "ctx_flagged_us"} & decision(work.raw, old).keys()
    assert kept == set()


def test_a_revision_that_cites_its_predecessor(work: Work, days: Decision) -> None:
    """It stands on what it retires, so it is flagged at once."""
    made = supersede(work, days.id, **on(str(days.id)))
    assert (made.decision.review_state, made.decision.review_reason) == (
        "needs_review",
        "dependency_review",
    )
    assert made.decision.causes == [f"decision:{days.id}"]
    assert work.get(made.decision.id) == made.decision


@pytest.mark.parametrize("choice", ["mail", "letter"])
def test_a_revision_that_cites_what_stood_on_its_predecessor(
    choice: str, work: Work, days: Decision
) -> None:
    """What it cites is flagged by this very commit, and so is it; the answer is what is stored."""
    made = supersede(work, days.id, **on(_id(choice)))
    assert made.decision.review_state == "needs_review"
    assert made.arrived == []
    assert work.get(made.decision.id) == made.decision


def test_revisions_follow_each_other(work: Work, days: Decision) -> None:
    """Each revision retires the one before; at most one is active."""
    current = str(days.id)
    for revision in range(2, 6):
        current = str(supersede(work, current, conclusion=f"{revision}").decision.id)
        assert current == _id("days", revision)
    found = nodes(work.raw, "Decision", choice_key="days")
    active = [d["revision"] for d in found if d["status"] == "active"]
    assert (len(found), active) == (5, [5])


def test_the_ledger_entry_of_a_revision(work: Work, days: Decision) -> None:
    """The entry says what the old decision was before and after, whom it flagged, and why."""
    made = supersede(work, days.id, ground="source_changed")
    found = entry(work.raw, "supersede_decision")
    manifest = found["manifest"]
    assert manifest["created"] == [str(made.decision.id)]
    assert manifest["changed"][str(days.id)] == {
        "status": ["active", "superseded"],
        "review_state": ["clear", "clear"],
        "review_reason": [None, None],
    }
    assert manifest["flagged"] == [_id("mail"), _id("letter")]
    assert manifest["cause"] == f"decision:{days.id}"
    assert manifest["ground"] == "source_changed"
    assert set(found["decisions"]) == {
        str(made.decision.id),
        str(days.id),
        _id("mail"),
        _id("letter"),
    }
