"""Verdicts: rejecting and reaffirming, what each needs, what each does, and what stops it."""

from typing import Any
from uuid import UUID

import pytest

from graphstore.desk import open_desk
from graphstore.records import Decision, DocumentSupportInput, FetchStatus, Ground
from graphstore.results import BlockedBy
from graphstore.store import counting
from tests.contract.looking import Props, decision, dump, entry, node, nodes, project, stances
from tests.contract.looking import supports as all_supports
from tests.contract.seeding import Heard, Passage, Seed, derived, digest, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, SIGNED, Work, answer, evidence

CITED = Passage("policy", POLICY, DAYS)
NOW = Passage("policy", POLICY_15, DAYS_15, seq=2)
TASK = derived("p", "t")
FLAG: Props = {
    "review_state": "needs_review",
    "review_reason": "source_changed",
    "ctx_causes": [f"document:{CITED.document_id}:2"],
    "ctx_flagged_us": 5,
}


def _id(choice: str) -> str:
    return derived("Decision", TASK, choice, 1)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A flagged decision `days` on a policy that moved on, on an event and on `scope`; `mail` below it."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY, POLICY_15)
    scope = seed.decision("scope", Heard("t", 2))
    days = seed.decision("days", CITED, Heard("t", 1), scope, **FLAG)
    below: Props = FLAG | {"review_reason": "dependency_review"}
    seed.decision("mail", days, **below)


def reaffirm(work: Work, choice: str = "days", **changed: Any) -> Any:
    """Reaffirm a decision on the policy as it is now, or on what is given."""
    return work.traces.reaffirm_decision(_id(choice), **evidence(NOW) | changed)


def blocked(result: Any) -> list[tuple[str, str, str]]:
    """What stops a reaffirmation: kind of support, what it is about, why."""
    assert result.recorded is False
    return [(b.support_kind, b.label, b.cause.value) for b in result.blockers]


# Rejecting.


def test_rejecting_retires_a_decision_without_another(work: Work) -> None:
    """Its record and supports stay, its flag goes, and who rejected it, when and why is kept."""
    rejected = work.by("reviewer").traces.reject_decision(_id("days"), "Wrong.").decision
    found = work.get(_id("days"))
    assert rejected == found
    assert (found.status, found.review_state, found.review_reason) == ("rejected", "clear", None)
    assert (found.rejected_by, found.rejection_reason) == ("reviewer", "Wrong.")
    assert found.rejected_at is not None
    assert (len(found.supports), found.causes, found.flagged_at) == (3, [], None)
    assert (found.conclusion, found.author) == ("Conclusion of days", "agent")


def test_rejecting_flags_clear_dependents_in_its_commit(work: Work, seed: Seed) -> None:
    """Those who are clear get the flag with its cause; those who have one keep it."""
    clear = seed.decision("clear", _id("scope"))
    deep = seed.decision("deep", clear)
    rejected = work.traces.reject_decision(_id("scope"), "Wrong.")
    assert set(rejected.flagged) == {UUID(clear), UUID(deep)}
    for identity in (clear, deep):
        found = work.get(identity)
        assert (found.review_state, found.review_reason) == ("needs_review", "dependency_review")
        assert found.causes == [f"decision:{_id('scope')}"]
    assert decision(work.raw, _id("days")).items() >= FLAG.items()
    assert project(work.raw).items() >= {"review_epoch": 2, "review_incomplete": False}.items()
    assert work.traces.continue_decision_review() == 0


def test_rejecting_counts_for_conflicts(work: Work) -> None:
    """An active decision less stands on its side."""
    made = work.record("new", Heard("t", 1))
    assert stances(work.raw, "new") == (1, [1])
    work.traces.reject_decision(made.id, "Wrong.")
    assert stances(work.raw, "new") == (0, [0])


def test_an_empty_reason_is_a_reason(work: Work) -> None:
    """The library takes it too."""
    assert work.traces.reject_decision(_id("days"), "").recorded
    assert work.get(_id("days")).rejection_reason == ""


@pytest.mark.parametrize("status", ["rejected", "superseded"])
def test_a_retired_decision_is_not_judged_again(status: str, work: Work, seed: Seed) -> None:
    """Only active decisions are rejected or reaffirmed; a refusal leaves nothing."""
    retired = seed.decision("old", Heard("t", 1), status=status)
    before = dump(work.raw)
    rejected = work.traces.reject_decision(retired, "Again.", request_id="r")
    reaffirmed = work.traces.reaffirm_decision(retired, [], request_id="r")
    assert answer(rejected) == answer(reaffirmed) == (False, "decision_not_active")
    assert dump(work.raw) == before


@pytest.mark.parametrize("identity", [derived("nothing"), "days", ""])
def test_an_unknown_decision_is_not_judged(identity: str, work: Work) -> None:
    """A decision that is not there, or stands in another project, is not found."""
    before = dump(work.raw)
    for one in (identity, _id("days")):
        elsewhere = work.within("q") if one == _id("days") else work
        assert answer(elsewhere.traces.reject_decision(one, "r")) == (False, "decision_not_found")
        refused = elsewhere.traces.reaffirm_decision(one, [])
        assert answer(refused) == (False, "decision_not_found")
    assert dump(work.raw) == before


def test_the_ledger_entry_of_a_rejection(work: Work) -> None:
    """The entry keeps what was before and after, the ground, what was seen, and the hash of the reason."""
    desk = open_desk(work.store, "p", _id("days"))
    assert desk is not None
    work.traces.reject_decision(
        _id("days"), "Wrong.", ground=Ground.WRONG_WHEN_MADE, seen=desk.seen
    )
    manifest = entry(work.raw, "reject_decision")["manifest"]
    assert manifest["changed"] == {
        _id("days"): {
            "status": ["active", "rejected"],
            "review_state": ["needs_review", "clear"],
            "review_reason": ["source_changed", None],
        }
    }
    assert manifest["hashes"] == {f"{_id('days')}/reason": digest("Wrong.")}
    assert (manifest["ground"], manifest["seen"]) == ("wrong_when_made", desk.seen)


# Reaffirming.


def test_reaffirming_clears_the_flag(work: Work) -> None:
    """The decision stands on the current passage from now on, and nothing else of it changes."""
    result = reaffirm(work.by("reviewer"), explanation="Still true.")
    found = work.get(_id("days"))
    assert result.decision == found
    assert (found.status, found.review_state, found.review_reason) == ("active", "clear", None)
    assert (found.causes, found.flagged_at) == ([], None)
    assert (found.conclusion, found.revision, found.author) == ("Conclusion of days", 1, "agent")
    assert [s.kind for s in found.supports] == ["event", "decision", "document"]
    passage = found.supports[-1]
    assert passage.kind == "document"
    assert (passage.evidence_id, passage.recorded_activation_seq) == (NOW.evidence_id, 2)


def test_reaffirming_keeps_the_old_passage_as_history(work: Work) -> None:
    """The old support is archived; both carry the reviewer, the time and the explanation."""
    reaffirm(work.by("reviewer"), explanation="Still true.")
    found = all_supports(work.raw, _id("days"))
    assert [(s["ordinal"], s["kind"], s["current"]) for s in found] == [
        (0, "document", False),
        (1, "event", True),
        (2, "decision", True),
        (3, "document", True),
    ]
    for archived_or_new in (found[0], found[3]):
        assert archived_or_new["reviewed_by"] == "reviewer"
        assert archived_or_new["review_explanation"] == "Still true."
    assert found[0]["reviewed_at"] == found[3]["reviewed_at"]
    assert found[3]["id"] == derived("Support", _id("days"), "reaffirm", found[3]["reviewed_at"], 0)
    assert "reviewed_by" not in found[1]


def test_reaffirming_is_noted_in_the_task(work: Work) -> None:
    """The library's note is the task's next event."""
    reaffirm(work.by("reviewer"))
    note = work.history.list_events("t").events[-1]
    assert (note.seq, note.kind, note.author) == (3, "note", "reviewer")
    assert note.payload == f"Decision {_id('days')} reaffirmed."
    assert (note.role, note.name) == (None, None)
    assert str(note.id) == derived("Event", TASK, 3)


def test_reaffirming_leaves_dependents_flagged(work: Work) -> None:
    """Whoever stands on it looks for themselves."""
    before = decision(work.raw, _id("mail")), project(work.raw)
    reaffirm(work)
    assert (decision(work.raw, _id("mail")), project(work.raw)) == before


def test_reaffirming_again_goes_on_from_there(work: Work, seed: Seed) -> None:
    """A second reaffirmation archives the first one's passage; ordinals go on."""
    reaffirm(work)
    reaffirm(work, **evidence(Passage("policy", POLICY_15, SIGNED, seq=2)))
    found = all_supports(work.raw, _id("days"))
    assert [(s["ordinal"], s["current"]) for s in found if s["kind"] == "document"] == [
        (0, False),
        (3, False),
        (4, True),
    ]
    assert work.history.list_events("t").events[-1].seq == 4


def test_a_clear_decision_may_be_reaffirmed(work: Work) -> None:
    """Saying again that it holds needs no flag."""
    work.record("fresh", NOW)
    assert reaffirm(work, "fresh").recorded


def test_a_decision_without_documents_keeps_the_explanation(work: Work, seed: Seed) -> None:
    """It has no other place for who reaffirmed it and why."""
    flagged = seed.decision("plain", Heard("t", 1), **FLAG)
    result = work.by("reviewer").traces.reaffirm_decision(flagged, [], explanation="Fine.")
    assert result.recorded
    found = decision(work.raw, flagged)
    assert (found["ctx_reviewed_by"], found["ctx_review_explanation"]) == ("reviewer", "Fine.")
    desk = open_desk(work.store, "p", flagged)
    assert desk is not None
    assert [(v.kind, v.by, v.why) for v in desk.verdicts] == [("reaffirm", "reviewer", "Fine.")]


def test_a_decision_whose_task_is_gone_is_reaffirmed_without_a_note(work: Work, seed: Seed) -> None:
    """The note has nowhere to go; the verdict counts all the same."""
    seed.task("u")
    lonely = seed.decision("lonely", Heard("t", 1), task="u", **FLAG)
    work.raw.run("MATCH (t:Task {name: 'u'}) DETACH DELETE t")
    result = work.traces.reaffirm_decision(lonely, [])
    assert (result.recorded, work.get(lonely).review_state) == (True, "clear")
    assert work.get(lonely).task_name == ""
    assert len(nodes(work.raw, "Event")) == 2


def test_several_passages_of_one_document(work: Work) -> None:
    """More than one passage may take the place of the old one."""
    both = evidence(NOW, Passage("policy", POLICY_15, SIGNED, seq=2))
    result = reaffirm(work, **both)
    assert result.recorded
    assert [s.kind for s in result.decision.supports] == [
        "event",
        "decision",
        "document",
        "document",
    ]


def test_the_ledger_entry_of_a_reaffirmation(work: Work) -> None:
    """The entry keeps the flag that was cleared, the new support, and the hash of the explanation."""
    result = reaffirm(work, explanation="Still true.", ground=Ground.STILL_HOLDS)
    manifest = entry(work.raw, "reaffirm_decision")["manifest"]
    assert manifest["created"] == [result.decision.supports[-1].id]
    assert manifest["changed"][_id("days")] == {
        "review_state": ["needs_review", "clear"],
        "review_reason": ["source_changed", None],
    }
    assert manifest["hashes"] == {f"{_id('days')}/explanation": digest("Still true.")}
    assert manifest["ground"] == "still_holds"


@pytest.mark.parametrize("number", [0, 1, 20])
def test_supports_cost_a_verdict_no_round_trips(number: int, work: Work, seed: Seed) -> None:
    """One read and one commit, however many passages are reaffirmed."""
    for k in range(number):
        seed.document(f"doc {k}", POLICY, POLICY_15)
    cited = [Passage(f"doc {k}", POLICY, DAYS) for k in range(number)]
    current = [Passage(f"doc {k}", POLICY_15, DAYS_15, seq=2) for k in range(number)]
    flagged = seed.decision("many", *cited, **FLAG)
    with counting() as reaffirming:
        assert work.traces.reaffirm_decision(flagged, **evidence(*current)).recorded
    with counting() as rejecting:
        assert work.traces.reject_decision(flagged, "r").recorded
    assert (reaffirming.count, rejecting.count) == (2, 2)


# What stops a reaffirmation.


def test_evidence_of_an_older_version_does_not_do(work: Work) -> None:
    """The passage as it was cited is no current evidence."""
    result = reaffirm(work, **evidence(CITED))
    assert answer(result) == (False, "cannot_revalidate")
    assert blocked(result) == [("document", "Policy", "evidence_outdated")]
    assert result.blockers[0].ref == CITED.document_id
    assert result.blockers[0].cause.possible_later is True


def test_evidence_observed_before_the_last_activation_does_not_do(work: Work, seed: Seed) -> None:
    """The same text under an older activation was not read now."""
    seed.document("handbook", POLICY, POLICY_15, POLICY)
    flagged = seed.decision("hand", Passage("handbook", POLICY, DAYS), **FLAG)
    stale = work.traces.reaffirm_decision(flagged, **evidence(Passage("handbook", POLICY, DAYS)))
    assert blocked(stale) == [("document", "Handbook", "evidence_outdated")]
    current = evidence(Passage("handbook", POLICY, DAYS, seq=3))
    assert work.traces.reaffirm_decision(flagged, **current).recorded


def test_a_document_that_is_left_out(work: Work) -> None:
    """Every document that it cites must be reaffirmed."""
    assert blocked(reaffirm(work, evidence=[], fetched_evidence=[])) == [
        ("document", "Policy", "document_not_reaffirmed")
    ]


def test_a_document_that_it_does_not_cite(work: Work, seed: Seed) -> None:
    """New sources need a new revision."""
    seed.document("handbook", POLICY)
    more = evidence(NOW, Passage("handbook", POLICY, DAYS))
    result = reaffirm(work, **more)
    assert [cause for _, _, cause in blocked(result)] == ["document_not_cited"]


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "paid within 99 days"},
        {"status": FetchStatus.PARTIAL},
        {"content_hash": "0" * 64},
        {"observed_activation_seq": None},
        {"document_key": "handbook"},
    ],
    ids=str,
)
def test_evidence_that_is_not_what_stands_there(changed: dict[str, Any], work: Work) -> None:
    """An invented or partial passage is unreadable, not accepted."""
    forged = [NOW.outcome.model_copy(update=changed)]
    assert blocked(reaffirm(work, fetched_evidence=forged)) == [
        ("document", "Policy", "evidence_unreadable")
    ]


def test_evidence_that_was_not_fetched(work: Work) -> None:
    """A passage without its outcome is unreadable."""
    assert blocked(reaffirm(work, fetched_evidence=[])) == [
        ("document", "Policy", "evidence_unreadable")
    ]


def test_a_removed_document(work: Work, seed: Seed) -> None:
    """Nothing can make this decision clear again; the blocker says so."""
    seed.document("handbook", POLICY, None)
    gone = seed.decision("gone", Passage("handbook", POLICY, DAYS), **FLAG)
    result = work.traces.reaffirm_decision(gone, [])
    assert answer(result) == (False, "cannot_revalidate")
    assert blocked(result) == [("document", "Handbook", "document_removed")]
    assert result.blockers[0].cause.possible_later is False


def test_a_redacted_event(work: Work) -> None:
    """An event whose body is gone can be checked by nobody."""
    work.raw.run("MATCH (e:Event {seq: 1}) SET e.redacted_at = '2026-03-02'")
    result = reaffirm(work)
    assert blocked(result) == [("event", "t, event 1", "event_redacted")]
    assert result.error == "cannot_revalidate"


def test_an_event_that_is_gone(work: Work) -> None:
    """The library has a code of its own for it."""
    work.raw.run("MATCH (e:Event {seq: 1}) DETACH DELETE e")
    result = reaffirm(work)
    assert (result.error, blocked(result)) == (
        "support_event_not_found",
        [("event", "t, event 1", "event_gone")],
    )


PARENTS: list[tuple[Props, BlockedBy, list[bool]]] = [
    ({"review_state": "needs_review"}, BlockedBy.PARENT_NEEDS_REVIEW, [True]),
    ({"status": "rejected"}, BlockedBy.PARENT_REJECTED, [False]),
    ({"status": "superseded"}, BlockedBy.PARENT_SUPERSEDED, [False]),
]


@pytest.mark.parametrize(("props", "cause", "later"), PARENTS)
def test_a_parent_that_is_not_clear(
    props: Props, cause: BlockedBy, later: list[bool], work: Work
) -> None:
    """The blocker names the decision and whether anything can be done there."""
    work.raw.run(
        "MATCH (d:Decision {id: $id}) SET d += $props", {"id": _id("scope"), "props": props}
    )
    result = reaffirm(work)
    assert blocked(result) == [("decision", "scope", cause.value)]
    assert result.blockers[0].ref == _id("scope")
    assert [b.cause.possible_later for b in result.blockers] == later


def test_a_parent_that_is_gone(work: Work) -> None:
    """A decision that was deleted supports nothing any more."""
    work.raw.run("MATCH (d:Decision {id: $id}) DETACH DELETE d", {"id": _id("scope")})
    assert [cause for _, _, cause in blocked(reaffirm(work))] == ["parent_gone"]


def test_everything_that_stops_it_is_named_at_once(work: Work, seed: Seed) -> None:
    """A person learns of all blockers, not of the first."""
    work.raw.run("MATCH (e:Event {seq: 1}) SET e.redacted_at = '2026-03-02'")
    work.raw.run("MATCH (d:Decision {id: $id}) SET d.status = 'rejected'", {"id": _id("scope")})
    causes = {cause for _, _, cause in blocked(reaffirm(work))}
    assert causes == {"event_redacted", "parent_rejected"}


def test_what_travels_elsewhere_stops_nobody(work: Work, seed: Seed) -> None:
    """Only its own parents count, by their stored state, whatever else is queued."""
    seed.decision("queued", review_state="needs_review", review_pending=True)
    work.raw.run("MATCH (q:Project) SET q.review_incomplete = true")
    assert reaffirm(work).recorded
    assert decision(work.raw, _id("days"))["review_state"] == "clear"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ([DocumentSupportInput(evidence_id="bad")], "support_malformed"),
        ([NOW.support] * 21, "support_required"),
    ],
    ids=["a malformed id", "21 passages"],
)
def test_evidence_of_no_shape(given: list[DocumentSupportInput], code: str, work: Work) -> None:
    """A malformed id and too many passages have codes of their own."""
    assert answer(reaffirm(work, evidence=given)) == (False, code)


def test_refused_reaffirmations_leave_nothing(work: Work) -> None:
    """Neither a note nor a claim nor an archived support stays behind."""
    before = dump(work.raw)
    reaffirm(work, **evidence(CITED), request_id="r")
    reaffirm(work, evidence=[], fetched_evidence=[], request_id="r")
    reaffirm(work, evidence=[DocumentSupportInput(evidence_id="bad")], request_id="r")
    assert dump(work.raw) == before
    assert reaffirm(work, request_id="r").recorded


# What a page showed.


def _seen(work: Work, choice: str = "days") -> str:
    desk = open_desk(work.store, "p", _id(choice))
    assert desk is not None
    return desk.seen


def supersede(work: Work, seen: str) -> Any:
    """Supersede `days`, having seen a page."""
    return work.traces.supersede_decision(
        _id("days"),
        "15 days",
        "r",
        explanation="e",
        supports=[NOW.support],
        fetched_evidence=[NOW.outcome],
        seen=seen,
    )


VERDICTS = {
    "reaffirm": lambda w, seen: reaffirm(w, seen=seen),
    "reject": lambda w, seen: w.traces.reject_decision(_id("days"), "r", seen=seen),
    "supersede": supersede,
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_verdict_on_what_was_shown(verdict: str, work: Work) -> None:
    """Nothing moved since the page was opened, so the verdict counts."""
    assert VERDICTS[verdict](work, _seen(work)).recorded


MOVES = {
    "the decision": (
        "MATCH (d:Decision {id: $id}) SET d.review_reason = 'source_removed', d.ctx_version = 9",
        ["decision"],
    ),
    "its supports": (
        "MATCH (d:Decision {id: $id})-[:HAS_SUPPORT]->(s {ordinal: 0}) SET s.current = false",
        ["decision", "documents"],
    ),
    "a document": ("MATCH (d:Document) SET d.activation_seq = 3", ["documents"]),
    "an event": ("MATCH (e:Event {seq: 1}) SET e.redacted_at = '2026-03-02'", ["parents"]),
    "a parent": (
        "MATCH (d:Decision {choice_key: 'scope'}) SET d.review_state = 'needs_review'",
        ["parents"],
    ),
}


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("move", MOVES)
def test_a_verdict_on_what_has_moved(verdict: str, move: str, work: Work) -> None:
    """What the page showed has changed: the verdict is refused and says in what."""
    statement, parts = MOVES[move]
    seen = _seen(work)
    work.raw.run(statement, {"id": _id("days")})
    before = dump(work.raw)
    refused = VERDICTS[verdict](work, seen)
    assert answer(refused) == (False, "moved")
    assert refused.moved == parts
    assert dump(work.raw) == before


@pytest.mark.parametrize("state", ["clear", "needs_review"])
@pytest.mark.parametrize(
    ("verdict", "told"),
    [("reject", ["dependents"]), ("supersede", ["dependents"]), ("reaffirm", [])],
)
def test_a_dependent_that_was_not_shown(
    verdict: str, told: list[str], state: str, work: Work, seed: Seed
) -> None:
    """It stops the verdicts that would hit it, and not a reaffirmation."""
    seen = _seen(work)
    seed.decision("new", _id("days"), review_state=state)
    result = VERDICTS[verdict](work, seen)
    assert result.moved == told
    assert result.recorded is not bool(told)


@pytest.mark.parametrize("seen", ["", "nonsense", "a.b.c.d", "\0"])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_fingerprint_of_nothing(verdict: str, seen: str, work: Work) -> None:
    """A verdict on a page that never was is refused."""
    before = dump(work.raw)
    assert answer(VERDICTS[verdict](work, seen)) == (False, "moved")
    assert dump(work.raw) == before


def test_two_verdicts_on_one_page(work: Work) -> None:
    """The second of two verdicts on one page does not count."""
    seen = _seen(work)
    assert reaffirm(work, seen=seen).recorded
    assert answer(reaffirm(work, seen=seen)) == (False, "moved")
    assert answer(work.traces.reject_decision(_id("days"), "r", seen=seen)) == (False, "moved")


def test_a_reaffirmed_decision_reads_as_reviewed(work: Work) -> None:
    """What the library shows of a review is there on the supports that it reads."""
    made: Decision = reaffirm(work.by("reviewer"), explanation="Still true.").decision
    passage = made.supports[-1]
    assert (passage.reviewed_by, passage.review_explanation) == ("reviewer", "Still true.")
    assert node(work.raw, "DecisionSupport", id=passage.id)["document_node_id"] == named(
        "Document", "policy"
    )
