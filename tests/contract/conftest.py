"""Fixtures of the contract suite: one store on each engine, records put there past it."""

from collections.abc import Iterator

import pytest

from graphstore import Settings, connect
from graphstore.store import GraphStore
from tests.contract.seeding import Seed
from tests.contract.world import Work
from tests.servers import GraphSettings, RawGraph, engines_asked_for

collect_ignore = [] if "neo4j" in engines_asked_for() else ["test_lock_waits.py"]
"""What is about one engine alone, where that is left out."""


@pytest.fixture(scope="session")
def kept_open() -> Iterator[dict[str, GraphStore]]:
    """Stores by address: one for each engine, on the graph that keeps its schema during the run."""
    stores: dict[str, GraphStore] = {}
    yield stores
    for store in stores.values():
        store.close()


def opened(settings: GraphSettings) -> GraphStore:
    """A store on an empty graph, with its schema."""
    store = connect(Settings.from_env(settings.environ()))
    store.setup_schema()
    return store


@pytest.fixture
def raw(engine: str, request: pytest.FixtureRequest) -> Iterator[RawGraph]:
    """The graph of this run that tests here share, emptied; its schema stays."""
    with request.getfixturevalue(f"{engine}_graphs").emptied_graph() as graph:
        yield graph


@pytest.fixture
def store(graph_settings: GraphSettings, kept_open: dict[str, GraphStore]) -> GraphStore:
    """A store open on this test's empty graph, with its schema."""
    address = graph_settings.uri or graph_settings.graph
    if address not in kept_open:
        kept_open[address] = opened(graph_settings)
    return kept_open[address]


@pytest.fixture
def seed(raw: RawGraph, store: GraphStore) -> Seed:
    """Writes records of project `p` past the store, which has made the schema."""
    del store
    return Seed(raw)


@pytest.fixture
def work(store: GraphStore, raw: RawGraph) -> Work:
    """The operations of project `p`, for the agent `agent`."""
    return Work(store, raw)
