"""Neo4j alone: what becomes of a write that waits too long for somebody's lock."""

from collections.abc import Iterator
from contextlib import contextmanager

import neo4j
import pytest

from graphstore.engines import neo4j as engine_under_test
from graphstore.faults import Contended
from graphstore.records import EventKind
from graphstore.store import GraphStore
from tests.contract.conftest import opened
from tests.contract.seeding import Seed
from tests.contract.world import Work
from tests.servers import GraphSettings, Neo4jGraphs, RawGraph


@pytest.fixture
def raw(neo4j_graphs: Neo4jGraphs) -> Iterator[RawGraph]:
    """The database, emptied."""
    with neo4j_graphs.emptied_graph() as graph:
        yield graph


@pytest.fixture
def store(raw: RawGraph, monkeypatch: pytest.MonkeyPatch) -> Iterator[GraphStore]:
    """A store whose statements are given up after a second."""
    store = opened(raw.settings)
    monkeypatch.setattr(engine_under_test, "QUERY_SECONDS", 1.0)
    yield store
    store.close()


@contextmanager
def locked(settings: GraphSettings, task: str) -> Iterator[None]:
    """Another's open transaction that has written to the task."""
    auth = (settings.username, settings.password)
    with (
        neo4j.GraphDatabase.driver(settings.uri, auth=auth) as driver,
        driver.session(database=settings.database) as session,
        session.begin_transaction() as open_one,
    ):
        open_one.run("MATCH (t:Task {name: $name}) SET t.ctx_lock = null", name=task).consume()
        yield


def test_a_write_that_waits_too_long_is_contended(store: GraphStore, raw: RawGraph) -> None:
    """It says that others hold the record, wrote nothing, and goes through once they let go."""
    seed = Seed(raw)
    seed.project_node()
    seed.task("t")
    history = Work(store, raw).history
    with locked(raw.settings, "t"), pytest.raises(Contended):
        history.record_event("t", EventKind.NOTE, payload="Waited.")
    result = history.record_event("t", EventKind.NOTE, payload="Went through.")
    assert result.event.seq == 1
