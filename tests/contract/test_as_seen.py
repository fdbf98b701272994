"""As seen: the page of a verdict stands as it was, whatever changed since, and says what was erased."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graphstore.as_seen import AsSeen, SupportAsSeen, open_as_seen
from graphstore.records import Exhibit, ExhibitSupport
from graphstore.store import counting
from tests.contract.looking import entry, node
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, POLICY_45, Work, evidence

CITED = Passage("policy", POLICY, DAYS)
NOW = Passage("policy", POLICY_15, DAYS_15, seq=2)
OPENED = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)


def _id(choice: str) -> str:
    return derived("Decision", derived("p", "t"), choice, 1)


def exhibit() -> Exhibit:
    """What a page of `days` showed after the policy had changed."""
    return Exhibit(
        causes=[f"document:{CITED.document_id}:2"],
        supports=[
            ExhibitSupport(
                support_id="s0",
                kind="document",
                ref=CITED.document_id,
                comparison="edited",
                cited=CITED.evidence_id,
                present=NOW.evidence_id,
                cited_seq=1,
                present_seq=2,
                opened=True,
            ),
            ExhibitSupport(
                support_id="s1",
                kind="event",
                ref=derived("Event", derived("p", "t"), 1),
                comparison="intact",
            ),
            ExhibitSupport(
                support_id="s2",
                kind="decision",
                ref=_id("scope"),
                comparison="clear",
                state="clear",
            ),
        ],
        algorithm="1",
        dependents=1,
        opened_at=OPENED,
    )


@pytest.fixture
def given(work: Work, seed: Seed) -> Any:
    """A reaffirmation of `days` with what its page had shown."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY)
    work.record("scope", Heard("t", 2))
    work.record("days", CITED, Heard("t", 1), _id("scope"))
    work.documents.put_document("policy", POLICY_15)
    return work.traces.reaffirm_decision(_id("days"), **evidence(NOW), exhibit=exhibit())


def page(work: Work, given: Any) -> AsSeen:
    """The page as seen, which must be there."""
    found = open_as_seen(work.store, "p", given.verdict_id)
    assert found is not None
    return found


def supports(work: Work, given: Any) -> list[SupportAsSeen]:
    """Its document, its event and its decision."""
    return page(work, given).supports


def test_both_passages_stand_as_they_stood(work: Work, given: Any) -> None:
    """Also after the document moved on twice."""
    work.documents.put_document("policy", POLICY_45)
    document, event, parent = supports(work, given)
    assert (document.cited_text, document.present_text) == (DAYS, DAYS_15)
    assert [(s.kind, s.text) for s in document.segments if s.kind != "same"] == [
        ("deleted", "30"),
        ("inserted", "15"),
    ]
    assert event.event is not None
    assert (event.event.payload, event.task_name) == ("How long?", "t")
    assert parent.title == "Conclusion of scope"
    assert [s.erased for s in (document, event, parent)] == [[], [], []]


def test_the_exhibit_comes_back_whole(work: Work, given: Any) -> None:
    """Ids, figures and times, as they were passed."""
    assert page(work, given).verdict.exhibit == exhibit()
    decision = page(work, given).decision
    assert decision is not None
    assert decision.conclusion == "Conclusion of days"


def test_the_exhibit_holds_no_text(work: Work, given: Any) -> None:
    """What is erased later is not kept by it, nor by the ledger."""
    stored = node(work.raw, "CtxVerdict", id=given.verdict_id)["exhibit_json"]
    written = entry(work.raw, "reaffirm_decision")["manifest_json"]
    assert [text in stored + written for text in (DAYS, DAYS_15, "How long?")] == [False] * 3


def test_a_removed_document_is_still_as_it_was(work: Work, given: Any) -> None:
    """Its old texts stay for those who cited them."""
    work.documents.remove_document("policy")
    document = supports(work, given)[0]
    assert (document.cited_text, document.present_text) == (DAYS, DAYS_15)


def test_a_redacted_event_is_marked_erased(work: Work, given: Any) -> None:
    """The page keeps its place and not its body."""
    work.retention.redact_event(derived("Event", derived("p", "t"), 1))
    event = supports(work, given)[1]
    assert event.erased == ["body"]
    assert event.event is not None
    assert event.event.payload == "[REDACTED]"


def test_a_purged_text_is_marked_erased(work: Work, given: Any) -> None:
    """The library purges chunks; nothing is made up in their place."""
    work.raw.run(
        "MATCH (c:Chunk) WHERE c.content_hash = $h DETACH DELETE c", {"h": NOW.outcome.content_hash}
    )
    document = supports(work, given)[0]
    assert (document.cited_text, document.present_text) == (DAYS, None)
    assert document.erased == ["present"]


def test_a_verdict_without_an_exhibit_has_no_supports(work: Work, given: Any) -> None:
    """A program that judges shows itself nothing."""
    del given
    rejected = work.traces.reject_decision(_id("scope"), "Wrong.")
    found = page(work, rejected)
    assert (found.supports, found.verdict.exhibit, found.verdict.why) == ([], None, "Wrong.")


def test_another_project_sees_no_page(work: Work, given: Any) -> None:
    """Nor does anybody see one of a verdict that never was."""
    assert open_as_seen(work.store, "q", given.verdict_id) is None
    assert open_as_seen(work.store, "p", "nothing") is None


def test_the_page_takes_two_reads(work: Work, given: Any) -> None:
    """However much it showed."""
    with counting() as trips:
        page(work, given)
    assert trips.count == 2
