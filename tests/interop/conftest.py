"""Fixtures of the tests that put us and the reference library on one graph.

Opening the library on a fresh graph takes it a second or more, so the tests of
a module share one, each with a project of its own.
"""

import uuid
from collections.abc import Iterator

import pytest

from graphstore import GraphStore, Settings, connect
from tests.interop.library import Peer
from tests.interop.world import Side, World
from tests.servers import GraphSettings, RawGraph, engines_asked_for

collect_ignore = [] if "neo4j" in engines_asked_for() else ["test_races_of_erasure.py"]
"""What is about one engine alone, where that is left out."""


@pytest.fixture(scope="module")
def raw_graph(engine: str, request: pytest.FixtureRequest) -> Iterator[RawGraph]:
    """The graph of one module of tests, empty at first, past either side's code."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as graph:
        yield graph


@pytest.fixture(scope="module")
def shared_graph(raw_graph: RawGraph) -> GraphSettings:
    """Where that graph is."""
    return raw_graph.settings


@pytest.fixture(scope="module")
def store(shared_graph: GraphSettings) -> Iterator[GraphStore]:
    """Our store on that graph, with its schema."""
    store = connect(Settings.from_env(shared_graph.environ()))
    store.setup_schema()
    yield store
    store.close()


@pytest.fixture(scope="module")
def peer(shared_graph: GraphSettings) -> Iterator[Peer]:
    """The library on that graph."""
    peer = Peer.on(shared_graph)
    yield peer
    peer.close()


@pytest.fixture
def both(store: GraphStore, peer: Peer) -> Side:
    """Both sides on one empty project."""
    return Side(store, peer, f"refunds-{uuid.uuid4().hex[:8]}")


@pytest.fixture
def world(both: Side) -> World:
    """Both sides on a project that the library filled and nobody has flagged."""
    return World(both)
