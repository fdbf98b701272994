"""Scope: which documents a project may read, and what lists them."""

import pytest

from graphstore.records import StepState
from graphstore.store import counting
from tests.contract.looking import dump, entry, node, nodes
from tests.contract.seeding import Passage, Seed, derived, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, Deaf, Work, answer, on

DOC = named("Document", "policy")
CITED = Passage("policy", POLICY, DAYS)
SCOPE = derived("CtxScope", "p", DOC)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A document, a task, and another project that has nothing to do with it."""
    seed.project_node()
    seed.task("t", "How long?")
    seed.document("policy", POLICY, POLICY_15)
    other = Seed(seed.raw, "q", seed.ticks)
    other.project_node()
    other.task("t", "Elsewhere.")


def reads(work: Work) -> list[bool]:
    """Whether a project finds the document through each of its doors."""
    d = work.documents
    return [
        d.get_document("policy").found,
        d.fetch_evidence([CITED.evidence_id])[0].status == "ok",
        d.list_versions("policy").found,
        d.get_version("policy", 1).found,
        [one.document_key for one in d.list_documents().documents] == ["policy"],
    ]


ALL, NONE = [True] * 5, [False] * 5


def test_whoever_cites_nothing_reads_nothing(work: Work) -> None:
    """Out of scope reads as if it were not there, with the same answer as for an unknown key."""
    assert reads(work) == NONE
    assert work.documents.list_citers("policy").citers == []
    unknown = work.documents.get_document("nothing")
    assert unknown == work.documents.get_document("policy")


def test_recording_a_decision_opens_its_documents(work: Work) -> None:
    """In the project that recorded it, and in no other."""
    work.record("days", CITED)
    assert reads(work) == ALL
    assert reads(work.within("q")) == NONE


def test_superseding_opens_what_it_cites(work: Work) -> None:
    """The document was not cited before."""
    days = work.record("days", str(work.record("scope", CITED).id))
    other = Passage("handbook", POLICY, DAYS)
    Seed(work.raw).document("handbook", POLICY)
    work.traces.supersede_decision(days.id, "New", "r", explanation="Why.", **on(other))
    listed = work.documents.list_documents().documents
    assert [one.document_key for one in listed] == ["handbook", "policy"]


def test_a_step_opens_the_documents_it_rests_on(work: Work) -> None:
    """A result is read again later, so its documents must be."""
    current = Passage("policy", POLICY_15, DAYS_15, seq=2)
    done = work.history.set_step(
        "t",
        "read the policy",
        StepState.COMPLETED,
        result_event_seq=1,
        result_basis="supported",
        supports=[current.support],
        fetched_evidence=[current.outcome],
    )
    assert done.recorded, done
    assert reads(work) == ALL
    assert reads(work.within("q")) == NONE


def test_a_decision_of_the_library_is_listed_once_it_was_taken_in(work: Work, seed: Seed) -> None:
    """It opens the document at once; the list follows with the review queue."""
    seed.decision("days", CITED, review_state="needs_review", review_pending=True)
    work.raw.run("MATCH (q:Project {project_id: 'p'}) SET q.review_incomplete = true")
    assert reads(work) == [True, True, True, True, False]
    work.traces.continue_decision_review()
    assert reads(work) == ALL


def test_a_grant_opens_a_document_that_nothing_cites(work: Work) -> None:
    """The project reads it from then on; another does not."""
    assert answer(work.documents.grant_document("policy")) == (True, None)
    assert reads(work) == ALL
    assert work.documents.get_document("policy").granted is True
    assert reads(work.within("q")) == NONE


def test_a_grant_is_taken_back(work: Work) -> None:
    """Without a citation the document is out of scope again."""
    work.documents.grant_document("policy")
    assert answer(work.documents.revoke_document("policy")) == (True, None)
    assert reads(work) == NONE
    assert node(work.raw, "CtxScope", id=SCOPE)["granted"] is False


def test_taking_a_grant_back_leaves_what_is_cited(work: Work) -> None:
    """Whoever decided on it may look at it."""
    work.documents.grant_document("policy")
    work.record("days", CITED)
    work.documents.revoke_document("policy")
    assert reads(work) == ALL
    assert work.documents.get_document("policy").granted is False


def test_citing_leaves_a_grant(work: Work) -> None:
    """A decision on a granted document does not turn the grant into something else."""
    work.documents.grant_document("policy")
    work.record("days", CITED)
    assert node(work.raw, "CtxScope", id=SCOPE)["granted"] is True


@pytest.mark.parametrize("verb", ["grant_document", "revoke_document"])
def test_a_document_that_is_not_there(verb: str, work: Work) -> None:
    """There is nothing to grant or take back; nothing is written."""
    before = dump(work.raw)
    result = getattr(work.documents, verb)("nothing", request_id="r")
    assert answer(result) == (False, "document_not_found")
    assert dump(work.raw) == before


def test_the_ledger_entry_of_a_grant(work: Work) -> None:
    """Who gave it, and what was before."""
    work.by("admin").documents.grant_document("policy")
    found = entry(work.raw, "grant_document")
    assert found["agent_id"] == "admin"
    assert found["manifest"]["changed"] == {DOC: {"granted": [False, True]}}


def test_a_repeated_grant(work: Work) -> None:
    """The same request id gives the first result, and does not undo what came after."""
    work.documents.grant_document("policy", request_id="r")
    work.documents.revoke_document("policy")
    assert answer(work.documents.grant_document("policy", request_id="r")) == (True, None)
    assert reads(work) == NONE
    reused = work.documents.revoke_document("policy", request_id="r")
    assert answer(reused) == (False, "request_id_reused")


def test_a_grant_whose_answer_was_lost(work: Work) -> None:
    """It is found by its ledger entry and not repeated."""
    assert work.through(Deaf(work.store)).documents.grant_document("policy").recorded
    assert len(nodes(work.raw, "CtxScope")) == 1


def test_a_list_of_documents_costs_its_page(work: Work, seed: Seed) -> None:
    """Documents that other projects cite are not looked at, and neither is the project's rest."""
    keys = [f"doc {k:02}" for k in range(30)]
    for key in keys:
        seed.document(key, POLICY)
        work.documents.grant_document(key)
    for key in keys[1:20]:
        work.documents.revoke_document(key)
    with counting() as trips:
        first = work.documents.list_documents(limit=3)
    assert [d.document_key for d in first.documents] == ["doc 00", "doc 20", "doc 21"]
    assert trips.count == 6
    rest = work.documents.list_documents(cursor=first.next_cursor, limit=200)
    assert [d.document_key for d in rest.documents] == keys[22:]
    assert rest.next_cursor is None
