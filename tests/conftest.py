"""Fixtures that every test may use.

``engine``
    Parametrised over the engines of this run (``ENGINES``, by default
    ``embedded,neo4j``). A test that uses it, or any of the next two, runs once
    on each. An engine that was asked for and cannot be brought up is a failure.
``graph_settings``
    Where this test's empty graph is: a ``tests.servers.GraphSettings``.
``raw``
    The same graph past the product's code: ``raw.run(cypher, params)`` returns rows.
``embedded_graphs``, ``neo4j_graphs``
    The servers themselves, for tests about one engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer

from graphstore.engines.embedded import ensure_server
from tests.browser.chromium import launch_args
from tests.dealing import ByEngine
from tests.memory import in_memory
from tests.servers import ENGINES as ALL_ENGINES
from tests.servers import EmbeddedGraphs, GraphSettings, Neo4jGraphs, RawGraph, engines_asked_for

ENGINES = engines_asked_for()


def pytest_report_header() -> str:
    """Say which engines this run uses."""
    return f"engines: {', '.join(ENGINES)}"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByEngine:
    """Deal tests out by engine in a run of several processes."""
    return ByEngine(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which engines this run left out, where nobody overlooks it."""
    left_out = [name for name in ALL_ENGINES if name not in ENGINES]
    if left_out:
        terminalreporter.write_line(
            f"Left out, as ENGINES asks: every test on {', '.join(left_out)}."
        )


@pytest.fixture(scope="session")
def graph_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of this run's graphs: in memory where there is room, where no write waits for a disk."""
    with in_memory() as folder:
        yield folder or tmp_path_factory.mktemp("graphs")


@pytest.fixture(scope="session")
def embedded_graphs(graph_home: Path) -> Iterator[EmbeddedGraphs]:
    """An embedded server over a directory of this run, started as every client starts it."""
    with ensure_server(graph_home / "embedded") as server:
        graphs = EmbeddedGraphs(server.data_dir, server.socket_path)
        yield graphs
        graphs.close()


@pytest.fixture(scope="session")
def embedded_socket(embedded_graphs: EmbeddedGraphs) -> Path:
    """The embedded server's Unix socket."""
    return embedded_graphs.socket_path


@pytest.fixture(scope="session")
def neo4j_graphs(graph_home: Path) -> Iterator[Neo4jGraphs]:
    """A real Neo4j with a data directory of this run; it dies with the run, however that ends."""
    graphs = Neo4jGraphs(graph_home / "neo4j")
    yield graphs
    graphs.clear()
    graphs.close()


@pytest.fixture(scope="session")
def neo4j_server(neo4j_graphs: Neo4jGraphs) -> GraphSettings:
    """Where the Neo4j server of this run is."""
    return neo4j_graphs.settings


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """The name of the engine that this run of the test is on."""
    return request.param


@pytest.fixture
def raw(engine: str, request: pytest.FixtureRequest) -> Iterator[RawGraph]:
    """The empty graph of this test, past the product's code."""
    graphs: EmbeddedGraphs | Neo4jGraphs = request.getfixturevalue(f"{engine}_graphs")
    with graphs.empty_graph() as graph:
        yield graph


@pytest.fixture
def graph_settings(raw: RawGraph) -> GraphSettings:
    """Where the empty graph of this test is; the same graph that ``raw`` looks at."""
    return raw.settings


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Use the machine's Chromium."""
    return browser_type_launch_args | launch_args()
