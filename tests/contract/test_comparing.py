"""Many decisions compared in one read, as their desks compare them."""

from uuid import UUID

import pytest

from graphstore.comparing import MAX_COMPARED, compare_supports
from graphstore.dangers import Danger
from graphstore.desk import open_desk
from graphstore.evidence import Comparison
from graphstore.store import counting
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, POLICY_15, SIGNED, Work

CITED = Passage("policy", POLICY, DAYS)


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with two events."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")


def test_many_are_compared_as_their_desks_would(work: Work, seed: Seed) -> None:
    """Passages edited and kept, an event, a decision: one read, and the same findings."""
    seed.document("policy", POLICY, POLICY_15)
    edited = seed.decision("days", CITED)
    kept = seed.decision("signed", Passage("policy", POLICY, SIGNED), Heard("t", 1))
    resting = seed.decision("resting", kept, review_state="clear")
    bare = seed.decision("bare")
    ids = [edited, kept, resting, bare]
    with counting() as trips:
        found = compare_supports(work.store, "p", ids)
    assert trips.count == 1
    assert list(map(str, found)) == ids
    for one in ids:
        desk = open_desk(work.store, "p", one)
        assert desk is not None
        shown = sorted(desk.supports, key=lambda s: s.support.ordinal)
        assert [(s.comparison, list(s.dangers)) for s in found[UUID(one)]] == [
            (s.comparison, list(s.dangers)) for s in shown
        ]
    (passage,) = found[UUID(edited)]
    assert (passage.comparison, list(passage.dangers)) == (Comparison.EDITED, [Danger.NUMBER])
    assert (passage.cited_seq, passage.current_seq) == (1, 2)
    assert found[UUID(bare)] == []


def test_what_cannot_be_compared_is_missing(work: Work, seed: Seed) -> None:
    """Decisions of others, unknown ones and those that are not active."""
    gone = seed.decision("gone", status="rejected")
    assert compare_supports(work.store, "p", [gone, derived("x")]) == {}
    assert compare_supports(work.store, "q", [seed.decision("days")]) == {}
    assert compare_supports(work.store, "p", []) == {}
    with pytest.raises(ValueError, match="At most 50"):
        compare_supports(work.store, "p", [derived(n) for n in range(MAX_COMPARED + 1)])


def test_a_text_that_changed_back_is_said(work: Work, seed: Seed) -> None:
    """The text is the one that was cited, and was another between."""
    seed.document("policy", POLICY, POLICY_15, POLICY)
    desk = open_desk(work.store, "p", seed.decision("days", CITED))
    assert desk is not None
    (shown,) = desk.supports
    assert shown.changed_back is True
    assert shown.comparison is Comparison.IDENTICAL
