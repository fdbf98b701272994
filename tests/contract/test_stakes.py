"""What rests on flagged decisions: counted through levels, in one read, within bounds."""

from uuid import UUID, uuid4

import pytest

from graphstore.stakes import MAX_COUNTED, Stake, sources_now, stakes
from graphstore.store import counting
from tests.contract.seeding import Heard, Passage, Seed, named
from tests.contract.world import DAYS, POLICY, POLICY_15, Work

CITED = Passage("policy", POLICY, DAYS)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """An open task with two events, another that is done, and a policy that changed."""
    seed.project_node()
    seed.task("t", "How long?", "And how?")
    seed.task("done", status="done")
    seed.document("policy", POLICY, POLICY_15)


def test_dependents_are_counted_through_levels_each_once(work: Work, seed: Seed) -> None:
    """Two ways to one decision count it once; a retired one, or another project's, does not count."""
    root = seed.decision("root", CITED, Heard("t", 1))
    left, right = seed.decision("left", root), seed.decision("right", root)
    both = seed.decision("both", left, right)
    last = seed.decision("last", both, task="done")
    seed.decision("retired", root, status="superseded")
    other = Seed(seed.raw, "other", seed.ticks)
    other.project_node()
    other.task("t")
    other.decision("beyond", root)
    with counting() as trips:
        found = stakes(work.store, "p", [root, last, str(uuid4())])
    assert trips.count == 1
    assert found == {
        UUID(root): Stake(
            decision_id=UUID(root),
            version=0,
            author="agent",
            supports=2,
            dependents=4,
            open_tasks=1,
        ),
        UUID(last): Stake(
            decision_id=UUID(last),
            version=0,
            author="agent",
            supports=1,
            dependents=0,
            open_tasks=0,
        ),
    }


def test_many_decisions_are_counted_apart(work: Work, seed: Seed) -> None:
    """A page of decisions has each its own number, though they share a task and a source."""
    roots = seed.decisions([(f"root {k}", [CITED]) for k in range(40)])
    seed.decisions([(f"on {k} {n}", [roots[k]]) for k in range(40) for n in range(k % 4)])
    found = stakes(work.store, "p", roots)
    assert [found[UUID(root)].dependents for root in roots] == [k % 4 for k in range(40)]
    assert {one.open_tasks for one in found.values()} == {1}


def test_counting_stops_at_a_thousand(work: Work, seed: Seed) -> None:
    """A decision that everything rests on costs a page, not the project."""
    root = seed.decision("root", CITED)
    seed.decisions([(f"d{k}", [root]) for k in range(MAX_COUNTED + 20)])
    assert stakes(work.store, "p", [root])[UUID(root)].dependents == MAX_COUNTED


def test_what_is_not_active_in_the_project_is_missing(work: Work, seed: Seed) -> None:
    """Nothing is said of other projects' decisions, nor of retired ones."""
    old = seed.decision("old", CITED, status="rejected")
    assert stakes(work.store, "p", [old]) == {}
    assert stakes(work.store, "other", [seed.decision("new", CITED)]) == {}
    with pytest.raises(ValueError, match="200"):
        stakes(work.store, "p", [uuid4() for _ in range(201)])


def test_sources_say_where_they_stand(work: Work, seed: Seed) -> None:
    """A document by its activation, a decision by what became of it; what is gone is missing."""
    clear = seed.decision("clear", CITED)
    flagged = seed.decision("flagged", CITED, review_state="needs_review")
    retired = seed.decision("retired", CITED, status="rejected")
    policy, nowhere = named("Document", "policy"), str(uuid4())
    found = sources_now(
        work.store, documents=[policy, nowhere], decisions=[clear, flagged, retired, nowhere]
    )
    assert found.documents == {policy: 2}
    assert found.decisions == {clear: "clear", flagged: "needs_review", retired: "rejected"}
    with counting() as trips:
        assert sources_now(work.store, documents=[], decisions=[]).documents == {}
    assert trips.count == 0
