"""Why a decision is flagged: from each cause the shortest way down to it, each hop dated."""

from datetime import datetime
from typing import Any

import pytest

from graphstore.store import counting
from graphstore.why import WayDown, why_flagged
from tests.contract.seeding import Heard, Passage, Seed, derived
from tests.contract.world import DAYS, POLICY, POLICY_15, Work

CITED = Passage("policy", POLICY, DAYS)
MOVED = f"document:{CITED.document_id}:2"
FLAG: dict[str, Any] = {
    "review_state": "needs_review",
    "review_reason": "dependency_review",
    "ctx_causes": [MOVED],
    "ctx_flagged_us": 5_000_000,
}


@pytest.fixture(autouse=True)
def shop(seed: Seed) -> None:
    """A task, and a policy that moved on."""
    seed.project_node()
    seed.task("t", "How long?", "Where?")
    seed.document("policy", POLICY, POLICY_15)


def ways(work: Work, decision_id: str) -> list[WayDown]:
    """Why a decision is flagged; one read."""
    decision = work.traces.get_decision(decision_id).decision
    assert decision is not None
    with counting() as trips:
        found = why_flagged(work.store, "p", decision)
    assert trips.count == 1
    return found


def names(way: WayDown) -> list[str]:
    """The choices on the way, the decision itself last."""
    return [hop.conclusion.removeprefix("Conclusion of ") for hop in way.hops]


def test_the_shortest_way_is_told_and_dated(work: Work, seed: Seed) -> None:
    """Of two ways from the document the shorter one; its version and each flag have their time."""
    top = seed.decision("top", CITED, **FLAG)
    side = seed.decision("side", top, **FLAG)
    longer = seed.decision("longer", side, **FLAG)
    last = seed.decision("last", longer, top, **FLAG)
    (way,) = ways(work, last)
    assert names(way) == ["top", "last"]
    cause = way.cause
    assert (cause.kind, cause.state, cause.document_key) == ("document", "changed", "policy")
    assert cause.version == 2
    assert cause.at is not None
    assert [hop.at for hop in way.hops] == [datetime.fromisoformat("1970-01-01T00:00:05Z")] * 2
    assert not way.longer
    assert not way.inferred


def test_a_way_goes_through_what_carries_the_cause(work: Work, seed: Seed) -> None:
    """Also when what was cleared since offers a shorter one, which counts where there is no other."""
    top = seed.decision("top", CITED, **FLAG)
    carrier = seed.decision("carrier", top, **FLAG)
    cleared = seed.decision("cleared", CITED)
    last = seed.decision("last", carrier, cleared, **FLAG)
    assert names(ways(work, last)[0]) == ["top", "carrier", "last"]
    only = seed.decision("only", cleared, **FLAG)
    (way,) = ways(work, only)
    assert [(hop.state, hop.at) for hop in way.hops[:1]] == [("clear", None)]


def test_each_cause_has_its_way(work: Work, seed: Seed) -> None:
    """A retired decision, a redacted event, a request for review, and one that is too far up."""
    fallen = seed.decision("fallen", Heard("t", 1))
    heard = seed.decision("heard", Heard("t", 2))
    asked = seed.decision("asked", Heard("t", 1))
    last = seed.decision("last", fallen, heard, asked)
    assert work.traces.reject_decision(fallen, "Wrong.").recorded
    event = derived("Event", derived("p", "t"), 2)
    assert work.retention.redact_event(event).error is None
    verdict = work.by("reviewer").traces.ask_for_review(asked, "Look.").verdict_id
    causes = [f"decision:{fallen}", f"event:{event}", f"asked:{verdict}", MOVED]
    work.raw.run("MATCH (d:Decision {id: $id}) SET d.ctx_causes = $c", {"id": last, "c": causes})
    rejected, redacted, wanted, far = ways(work, last)
    assert (rejected.cause.state, names(rejected)) == ("rejected", ["last"])
    assert (redacted.cause.state, redacted.cause.seq) == ("redacted", 2)
    assert names(redacted) == ["heard", "last"]
    assert (wanted.cause.by, wanted.cause.why, names(wanted)) == (
        "reviewer", "Look.", ["asked", "last"],
    )  # fmt: skip
    assert all(way.cause.at for way in (rejected, redacted, wanted))
    # Nothing that was read cites the document: its title is not told.
    assert (far.cause.title, names(far), far.longer) == ("", ["last"], False)


def test_a_way_longer_than_eight_is_said_to_be(work: Work, seed: Seed) -> None:
    """It is not walked any further; one that is as long as that is told whole."""
    above = seed.decision("level 0", CITED, **FLAG)
    for level in range(1, 10):
        above = seed.decision(f"level {level}", above, **FLAG)
    eighth = derived("Decision", derived("p", "t"), "level 8", 1)
    assert len(ways(work, eighth)[0].hops) == 9
    (way,) = ways(work, above)
    assert way.longer
    assert names(way) == ["level 9"]


def test_a_flag_without_a_cause_is_inferred(work: Work, seed: Seed) -> None:
    """As another writer leaves it: the nearest that stands out, a source or a retired decision."""
    bare: dict[str, Any] = {**FLAG, "ctx_causes": None, "ctx_flagged_us": None}
    top = seed.decision("top", CITED, **bare)
    last = seed.decision("last", top, **bare)
    (way,) = ways(work, last)
    assert way.inferred
    assert (way.cause.document_key, way.cause.version, names(way)) == (
        "policy", 2, ["top", "last"],
    )  # fmt: skip
    assert work.traces.reject_decision(top, "Wrong.").recorded
    (way,) = ways(work, last)
    assert (way.cause.kind, way.cause.state, names(way)) == ("decision", "rejected", ["last"])
    quiet = seed.decision("quiet", Heard("t", 1), **bare)
    assert ways(work, quiet) == []
