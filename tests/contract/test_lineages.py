"""The lineage as it is explored: nodes opened, and how things stood at a moment."""

from datetime import UTC, datetime

from graphstore.lineages import open_lineage
from graphstore.records import DecisionStatus, ReviewState
from graphstore.results import Lineage
from graphstore.store import counting
from tests.contract.seeding import Heard, Passage, Seed, derived, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, Work, evidence

CITED = Passage("policy", POLICY, DAYS)
NOW = Passage("policy", POLICY_15, DAYS_15, seq=2)


def states(found: Lineage | None) -> dict[str, str]:
    """How each node stands, by its id."""
    assert found is not None
    return {
        node.id: node.state if node.decision is None else _state(node.decision)
        for node in found.nodes
    }


def _state(decision: object) -> str:
    status, review = getattr(decision, "status", ""), getattr(decision, "review_state", "")
    return str(review if status == DecisionStatus.ACTIVE else status)


def test_an_opened_node_shows_what_lies_beyond(work: Work, seed: Seed) -> None:
    """Twenty more at a time, outwards; nodes that are not drawn, and nothing, open nothing."""
    seed.project_node()
    seed.task("t", "How long?")
    days = seed.decision("days", Heard("t", 1))
    below = seed.decisions([(f"below {k:02}", [days]) for k in range(70)])
    seed.decisions([(f"deep {k:02}", [below[0]]) for k in range(3)])
    near = open_lineage(work.store, "p", days)
    assert near is not None
    assert len(near.nodes) == 60
    left = next(node.more for node in near.nodes if node.id == days)
    with counting() as trips:
        wide = open_lineage(work.store, "p", days, opened=[days])
    assert trips.count == 3
    assert wide is not None
    assert next(node.more for node in wide.nodes if node.id == days) == left - 12
    assert len(wide.nodes) == 60 + 12
    assert {node.id for node in near.nodes} < {node.id for node in wide.nodes}
    assert {node.hops for node in wide.nodes if node.id in below} == {1}
    nowhere = open_lineage(work.store, "p", days, opened=[derived("nothing")])
    assert states(nowhere) == states(near)
    assert open_lineage(work.store, "p", derived("nothing")) is None


def test_as_of_a_moment_it_stands_as_it_stood(work: Work, seed: Seed) -> None:
    """Before and after each change: what was recorded, flagged, judged, redacted and replaced."""
    seed.project_node()
    work.history.create_task("t", "Find out.")
    work.history.record_event("t", "message", role="user", payload="How long?")
    work.documents.put_document("policy", POLICY, title="Policy")
    before = datetime.now(UTC)
    made = work.traces.record_decision(
        "t", "days", "30 days.", "So.",
        supports=[CITED.support, Heard("t", 1).support],
        fetched_evidence=work.documents.fetch_evidence(
            [CITED.evidence_id], scope=frozenset({"policy"})
        ),
    )  # fmt: skip
    assert made.decision is not None, made
    days = str(made.decision.id)
    recorded = datetime.now(UTC)
    assert work.documents.put_document("policy", POLICY_15, title="Policy").recorded
    flagged = datetime.now(UTC)
    assert work.traces.reaffirm_decision(days, **evidence(NOW)).recorded
    judged = datetime.now(UTC)
    event = str(work.history.fetch_event("t", 1).event.id)  # type: ignore[union-attr]
    assert work.retention.redact_event(event).error is None
    assert work.traces.reject_decision(days, "Wrong.").recorded
    policy = named("Document", "policy")
    assert states(open_lineage(work.store, "p", days, at=before)) == {}
    assert states(open_lineage(work.store, "p", days, at=recorded)) == {
        days: "clear", policy: "current", event: "intact",
    }  # fmt: skip
    assert states(open_lineage(work.store, "p", days, at=flagged))[days] == ReviewState.NEEDS_REVIEW
    assert states(open_lineage(work.store, "p", days, at=judged)) == {
        days: "clear", policy: "current", event: "intact",
    }  # fmt: skip
    with counting() as trips:
        now = states(open_lineage(work.store, "p", days, at=datetime.now(UTC)))
    assert trips.count == 3
    assert now == {days: "rejected", policy: "current", event: "redacted"}
