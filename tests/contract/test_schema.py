"""The schema: made once, repeatable, and nothing is written without it.

On the embedded engine only: each change of Neo4j's schema makes it plan every statement
anew, which takes minutes, and it has one database.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import falkordb
import pytest

from graphstore import ConversationHistory, Settings, connect
from graphstore.engines.embedded import ensure_server
from graphstore.faults import SchemaMissing
from graphstore.store import GraphStore
from tests.contract.looking import nodes
from tests.servers import EmbeddedGraphs, RawGraph, is_alive, wait_until


@pytest.fixture
def bare(embedded_graphs: EmbeddedGraphs) -> Iterator[RawGraph]:
    """A graph that somebody else wrote and nobody has set up."""
    with embedded_graphs.empty_graph() as raw:
        raw.run("CREATE (:Project {_agrag_history_record: true, project_id: 'theirs'})")
        yield raw


@pytest.fixture
def store(bare: RawGraph) -> Iterator[GraphStore]:
    """A store on it."""
    store = connect(Settings.from_env(bare.settings.environ()))
    yield store
    store.close()


def history(store: GraphStore) -> ConversationHistory:
    """The history of project `p`."""
    return ConversationHistory(store, project_id="p", agent_id="agent")


def test_nothing_is_written_without_constraints(bare: RawGraph, store: GraphStore) -> None:
    """The fault says what to run, and the graph stays as it was."""
    with pytest.raises(SchemaMissing, match="graph_setup"):
        history(store).create_task("t", "Find out.")
    assert (len(nodes(bare, "Task")), len(nodes(bare, "Project"))) == (0, 1)


def test_a_graph_without_schema_is_read(store: GraphStore) -> None:
    """What others wrote can be looked at."""
    assert history(store).list_tasks().tasks == []


def test_setting_up_lets_it_be_written(store: GraphStore) -> None:
    """Once; a second time there is nothing to do."""
    made: list[str] = []
    store.setup_schema(made.append)
    assert history(store).create_task("t", "Find out.").recorded
    again: list[str] = []
    store.setup_schema(again.append)
    assert (len(made) > 50, again) == (True, [])


def test_a_server_that_checks_its_constraints_after_a_start_is_waited_for(tmp_path: Path) -> None:
    """It takes it seconds over many records; a write in that time is no fault of the set-up."""
    settings = Settings.from_env({"GRAPH_STORE": "embedded", "GRAPH_DIR": str(tmp_path)})
    connect(settings).setup_schema()
    with ensure_server(tmp_path) as server:
        client = falkordb.FalkorDB(unix_socket_path=str(server.socket_path))
        client.select_graph("agrag").query(
            "UNWIND range(1, 40000) AS k CREATE (:Event {_agrag_history_record: true, "
            "id: toString(k), task_id: 't', seq: k})"
        )
        killed = client.connection.info("server")["process_id"]
        client.close()
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: not is_alive(killed), what="the server's end")
        again = connect(settings)
        assert history(again).create_task("t", "Find out.").recorded
        made: list[str] = []
        again.setup_schema(made.append)
        assert made == []
        again.close()
