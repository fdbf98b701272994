"""What became of a cited passage version by version."""

import pytest

from graphstore import versions_between as core
from graphstore.evidence import Comparison
from graphstore.store import counting
from graphstore.versions_between import VersionsBetween, versions_between
from tests.contract.seeding import Heard, Passage, Seed, derived, digest
from tests.contract.world import DAYS, POLICY, POLICY_15, POLICY_45, Work

CITED = Passage("policy", POLICY, DAYS)
APART = POLICY.replace("never refunded", "refunded once")


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task with two events."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")


def between(work: Work, decision: str, *, after: int = 0) -> VersionsBetween:
    """The versions after those that the decision cites, in one round trip."""
    shown = work.get(decision).supports[0]
    with counting() as trips:
        found = versions_between(work.store, "p", decision, shown.id, after=after)
    assert found is not None
    assert trips.count == 1
    return found


def test_each_version_is_told_from_the_one_before_it(work: Work, seed: Seed) -> None:
    """A number that changed, and changed back; what changed beside it; the document's going."""
    seed.document("policy", POLICY, POLICY_15, POLICY, APART, None, POLICY_45)
    made = seed.decision("days", CITED)
    found = between(work, made)
    assert (found.cited_text, found.after, found.next_after) == (DAYS, 1, None)
    assert [
        (one.version.activation_seq, one.comparison, list(one.changes), one.against, one.back_to)
        for one in found.versions
    ] == [
        (2, Comparison.EDITED, ["number 30 became 15"], 1, None),
        (3, Comparison.EDITED, ["number 15 became 30"], 2, 1),
        (
            4,
            Comparison.SURROUNDINGS_CHANGED,
            ["nearby: number once is new", "nearby: ‘never’ is gone"],
            3,
            None,
        ),
        (5, Comparison.REMOVED, [], 4, None),
        (6, Comparison.EDITED, ["number 30 became 45"], 4, None),
    ]


def test_a_passage_that_went_and_came_back_says_so(work: Work, seed: Seed) -> None:
    """Where it is not found there is nothing to show; later it is looked for as it was last."""
    without = POLICY.split("\n\n", 1)[1]
    seed.document("policy", POLICY, without, APART)
    (gone, back) = between(work, seed.decision("days", CITED)).versions
    assert (gone.comparison, gone.text) == (Comparison.NOT_FOUND, None)
    assert (back.against, back.back_to) == (1, 1)
    assert back.text is not None
    assert DAYS in back.text


def test_a_text_that_is_no_longer_held_is_told(work: Work, seed: Seed) -> None:
    """Of one version in between, and of the one cited."""
    seed.document("policy", POLICY, POLICY_15, POLICY_45)
    made = seed.decision("days", CITED)
    work.raw.run("MATCH (c:Chunk {content_hash: $h}) DETACH DELETE c", {"h": digest(POLICY_15)})
    assert [(one.comparison, one.against) for one in between(work, made).versions] == [
        (Comparison.FAILED, 1),
        (Comparison.EDITED, 1),
    ]
    work.raw.run("MATCH (c:Chunk {content_hash: $h}) DETACH DELETE c", {"h": digest(POLICY)})
    found = between(work, made)
    assert found.cited_text is None
    assert [one.comparison for one in found.versions] == [
        Comparison.FAILED,
        Comparison.UNREADABLE,
    ]


def test_many_versions_come_in_pages(
    work: Work, seed: Seed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next page goes on from the last version, wherever the passage stood in it."""
    monkeypatch.setattr(core, "MAX_VERSIONS", 2)
    seed.document("policy", POLICY, POLICY_15, POLICY_45, POLICY, POLICY_15)
    made = seed.decision("days", CITED)
    first = between(work, made)
    assert [one.version.activation_seq for one in first.versions] == [2, 3]
    assert first.next_after == 3
    second = between(work, made, after=3)
    assert [(one.version.activation_seq, *one.changes) for one in second.versions] == [
        (4, "number 45 became 30"),
        (5, "number 30 became 15"),
    ]
    assert (second.versions[0].back_to, second.next_after) == (1, None)


def test_nobody_else_reads_them(work: Work, seed: Seed) -> None:
    """Neither another project, nor through another decision or a support that cites no document."""
    seed.document("policy", POLICY, POLICY_15)
    made, other = seed.decision("days", CITED, Heard("t", 1)), seed.decision("other", Heard("t", 2))
    cites, heard = (one.id for one in work.get(made).supports)
    assert versions_between(work.store, "q", made, cites) is None
    assert versions_between(work.store, "p", other, cites) is None
    assert versions_between(work.store, "p", made, heard) is None
    assert versions_between(work.store, "p", made, derived("x")) is None
