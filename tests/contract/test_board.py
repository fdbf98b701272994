"""What stands around the decisions of one choice, in one read."""

from uuid import UUID

import pytest

from graphstore.board import Surroundings, surroundings
from graphstore.store import counting
from tests.contract.looking import dump
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, POLICY_15, Work

CITED = Passage("policy", POLICY, DAYS)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """Two tasks, the first with two events."""
    seed.project_node()
    seed.task("t", "How long?", "x" * 900, goal="Find out.")
    seed.task("u", goal="Write letters.")


def around(work: Work, *decision_ids: object) -> dict[UUID, Surroundings]:
    """The surroundings of decisions; reading them changes nothing and is one round trip."""
    before = dump(work.raw)
    with counting() as trips:
        found = surroundings(work.store, "p", [str(one) for one in decision_ids])
    assert trips.count == 1
    assert dump(work.raw) == before
    return found


def test_goals_and_dependents_of_several_decisions(work: Work, seed: Seed) -> None:
    """Only direct dependents that stand count, each once."""
    first = seed.decision("days", Heard("t", 1))
    second = seed.decision("days", Heard("t", 1), task="u")
    below = seed.decision("below", first, task="u")
    seed.decision("further", below, task="u")
    seed.decision("gone", first, task="u", status="rejected")
    found = around(work, first, second)
    assert {str(one): (it.goal, it.dependents) for one, it in found.items()} == {
        first: ("Find out.", 1),
        second: ("Write letters.", 0),
    }


def test_what_a_decision_cites(work: Work, seed: Seed) -> None:
    """Documents as they are now, events with the start of their text, decisions with their state."""
    document = seed.document("policy", POLICY, POLICY_15)
    base = seed.decision("base", Heard("t", 1), status="rejected", conclusion="So it was.")
    made = seed.decision("days", CITED, Heard("t", 2), base)
    it = around(work, made)[UUID(made)]
    assert [(str(one), cited.activation_seq) for one, cited in it.documents.items()] == [
        (document, 2)
    ]
    assert [(event.kind, event.start) for event in it.events.values()] == [("message", "x" * 300)]
    assert [(one.conclusion, one.status) for one in it.decisions.values()] == [
        ("So it was.", "rejected")
    ]


def test_what_became_of_what_is_cited(work: Work, seed: Seed) -> None:
    """A removed document says so, a redacted event keeps its mark, what is deleted is not there."""
    seed.document("policy", POLICY, None)
    parent = seed.decision("base", Heard("t", 1))
    made = seed.decision("days", CITED, Heard("t", 1), Heard("t", 2), parent)
    events = "MATCH (e:Event {seq: $seq}) "
    work.raw.run(events + "SET e.redacted_at = '2026-03-01T00:00:00+00:00'", {"seq": 1})
    work.raw.run(events + "DETACH DELETE e", {"seq": 2})
    work.raw.run("MATCH (d:Decision {id: $id}) DETACH DELETE d", {"id": parent})
    it = around(work, made)[UUID(made)]
    assert [document.removed for document in it.documents.values()] == [True]
    assert [event.redacted_at is not None for event in it.events.values()] == [True]
    assert it.decisions == {}


def test_what_took_the_place_of_what_was_deleted_is_not_cited(work: Work, seed: Seed) -> None:
    """A support whose event was deleted stays without one, whatever has that id now."""
    made = seed.decision("days", Heard("t", 1))
    work.raw.run("MATCH (s:DecisionSupport) SET s.ctx_gone_at = '2026-03-01T00:00:00+00:00'")
    assert around(work, made)[UUID(made)].events == {}


def test_a_decision_that_cites_nothing(work: Work, seed: Seed) -> None:
    """Nothing is around it but its task."""
    made = seed.decision("days")
    assert around(work, made) == {UUID(made): Surroundings(goal="Find out.")}


def test_only_what_is_cited_now_counts(work: Work, seed: Seed) -> None:
    """Archived supports are history."""
    made = seed.decision("days", Heard("t", 1))
    work.raw.run("MATCH (s:DecisionSupport) SET s.current = false")
    assert around(work, made)[UUID(made)].events == {}


def test_decisions_that_are_not_there(work: Work, seed: Seed) -> None:
    """Unknown ones and those of another project have no surroundings; none asked is no read."""
    made = seed.decision("days", Heard("t", 1))
    assert around(work, derived("x")) == {}
    with counting() as trips:
        assert surroundings(work.store, "q", [made]) == {}
        assert surroundings(work.store, "p", []) == {}
    assert trips.count == 1
