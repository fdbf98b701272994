"""Fixtures of the tests that put us and the reference library on one graph."""

from collections.abc import Iterator

import pytest

from graphstore import Settings, connect
from graphstore.store import GraphStore
from tests.interop.library import Peer
from tests.interop.world import Side, World
from tests.servers import GraphSettings

PROJECT = "refunds"


@pytest.fixture
def peer(graph_settings: GraphSettings) -> Iterator[Peer]:
    """The library, open on this test's empty graph."""
    peer = Peer.on(graph_settings)
    yield peer
    peer.close()


@pytest.fixture
def store(graph_settings: GraphSettings) -> Iterator[GraphStore]:
    """Our store, open on this test's empty graph, with its schema."""
    store = connect(Settings.from_env(graph_settings.environ()))
    store.setup_schema()
    yield store
    store.close()


@pytest.fixture
def both(store: GraphStore, peer: Peer) -> Side:
    """Both sides on one empty project."""
    return Side(store, peer, PROJECT)


@pytest.fixture
def world(both: Side) -> World:
    """Both sides on a project that the library filled and nobody has flagged."""
    return World(both)
