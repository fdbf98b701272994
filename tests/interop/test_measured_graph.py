"""The graph that `make bench` fills is one that both sides read alike, and their rounds do what they say."""

from collections.abc import Iterator

import pytest

from bench import load
from bench.measure import drain, measure
from bench.sides import Ours, Theirs, operations
from graphstore import GraphStore, Settings, connect
from tests.interop.library import Peer
from tests.servers import RawGraph, engines_asked_for

DECISIONS = 400


@pytest.fixture(scope="session", params=engines_asked_for()[:1])
def engine(request: pytest.FixtureRequest) -> str:
    """The first engine of this run: what may differ between engines has tests of its own."""
    return request.param


@pytest.fixture(scope="module")
def filled(engine: str, request: pytest.FixtureRequest) -> Iterator[RawGraph]:
    """A small graph as the bench fills it."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = connect(Settings.from_env(raw.settings.environ()))
        store.setup_schema()
        store.close()
        load.fill(raw, DECISIONS)
        yield raw


@pytest.fixture
def store(filled: RawGraph) -> Iterator[GraphStore]:
    """Our store on that graph."""
    store = connect(Settings.from_env(filled.settings.environ()))
    yield store
    store.close()


@pytest.fixture
def peer(filled: RawGraph) -> Iterator[Peer]:
    """The library on that graph."""
    peer = Peer.on(filled.settings)
    yield peer
    peer.close()


def test_both_sides_see_the_same_and_do_what_is_measured(
    filled: RawGraph, store: GraphStore, peer: Peer
) -> None:
    """Counts agree, each operation succeeds on either side, and the drain flags a tenth of all."""
    ours = Ours(store, DECISIONS)
    theirs = Theirs(peer.library(load.PROJECT), filled, DECISIONS)
    waiting = ours.traces.list_decisions_for_review()
    assert waiting.count == theirs.library.list_decisions_for_review().count == DECISIONS // 20
    mine, other = ours.get_task(0)().view, theirs.get_task(0)().view
    assert mine.decision_count == other.decision_count == load.TASK_SIZE
    groups = [group.choice_key for group in ours.list_conflicts(0)().groups]
    assert groups == [group.choice_key for group in theirs.list_conflicts(0)().groups]
    assert len(groups) == DECISIONS // 200
    for asked in operations(ours, theirs, filled):
        for side in filter(None, (asked.ours, asked.theirs)):
            assert getattr(side(0)(), "recorded", True), asked.name
    rows = measure(operations(ours, theirs, filled)[:1], 2, lambda _: None)
    assert [len(rows[0].ours.times), rows[0].ours.round_trips] == [2, 1]
    settled = drain(store, ours, None, DECISIONS)
    assert settled.name == f"flag and settle {DECISIONS // 10} dependents"
    flagged = filled.run(
        "MATCH (:Decision {id: $i})<-[:DEPENDS_ON]-(d:Decision {review_state: 'needs_review'}) "
        "RETURN count(DISTINCT d)",
        {"i": load.root_id("ours")},
    )
    assert flagged == [[DECISIONS // 10]]
