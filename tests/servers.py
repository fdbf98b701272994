"""Graph engines for tests: brought up once per run, an empty graph for each test.

Everything here bypasses the product, so that what a test sets up and looks at
does not depend on the code it tests. The fixtures are in ``conftest.py``.
"""

from __future__ import annotations

import os
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString, Protocol, cast

import falkordb
import neo4j

import neo4j_server

ENGINES = ("embedded", "neo4j")

KEEP_PLANS = """dbms.cypher.min_replan_interval=1d
dbms.cypher.statistics_divergence_threshold=1.0
"""
"""Each test empties the database, and for that the server would plan every statement anew."""


def engines_asked_for(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The engines that ``ENGINES`` names, by default all. Raises ValueError for a name that is none."""
    names = tuple(
        name.strip()
        for name in environ.get("ENGINES", ",".join(ENGINES)).split(",")
        if name.strip()
    )
    unknown = set(names) - set(ENGINES)
    if unknown or not names:
        raise ValueError(
            f"ENGINES must be a list out of {', '.join(ENGINES)}; it is {environ.get('ENGINES')!r}"
        )
    return names


def wait_until(
    condition: Callable[[], bool], seconds: float = 20.0, what: str = "the condition"
) -> None:
    """Look again every few milliseconds until ``condition`` holds; AssertionError when it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come true within {seconds} s"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and is only waiting to be collected does not."""
    state = subprocess.run(
        ["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return state.stdout.strip() not in ("", "Z")


@dataclass(frozen=True)
class GraphSettings:
    """How to reach the empty graph of one test.

    ``environ()`` gives the same as environment variables, under the names that
    the product and the reference library read.
    """

    engine: str
    data_dir: Path | None = None
    socket_path: Path | None = None
    graph: str = ""
    uri: str = ""
    username: str = ""
    password: str = ""
    database: str = ""

    def environ(self) -> dict[str, str]:
        if self.engine == "embedded":
            return {
                "GRAPH_STORE": "embedded",
                "GRAPH_DIR": str(self.data_dir),
                "FALKORDB_URL": f"unix://{self.socket_path}",
                "FALKORDB_GRAPH": self.graph,
            }
        return {
            "GRAPH_STORE": "neo4j",
            "NEO4J_URI": self.uri,
            "NEO4J_USERNAME": self.username,
            "NEO4J_PASSWORD": self.password,
            "NEO4J_DATABASE": self.database,
        }


class RawGraph(Protocol):
    """The graph of one test, past the product's code."""

    @property
    def settings(self) -> GraphSettings:
        """Where the graph is."""
        ...

    def run(self, cypher: str, params: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """Run one statement and return its rows; values come as the driver gives them."""
        ...


class RawFalkorDB:
    """A fresh graph name for each test: creating one costs nothing, and deleting it is one command."""

    def __init__(self, settings: GraphSettings, client: falkordb.FalkorDB) -> None:
        self.settings = settings
        self._graph = client.select_graph(settings.graph)

    def run(self, cypher: str, params: Mapping[str, Any] | None = None) -> list[list[Any]]:
        return self._graph.query(cypher, dict(params or {})).result_set


class RawNeo4j:
    """One database for the whole run, emptied before each test; constraints and indexes stay."""

    def __init__(self, settings: GraphSettings, driver: neo4j.Driver) -> None:
        self.settings = settings
        self._driver = driver

    def run(self, cypher: str, params: Mapping[str, Any] | None = None) -> list[list[Any]]:
        # The driver's type wants a literal, and tests write theirs where they need them.
        statement = neo4j.Query(cast("LiteralString", cypher))
        with self._driver.session(database=self.settings.database) as session:
            return [list(record.values()) for record in session.run(statement, dict(params or {}))]


class EmbeddedGraphs:
    """The embedded server of this test run."""

    def __init__(self, data_dir: Path, socket_path: Path) -> None:
        self.data_dir = data_dir
        self.socket_path = socket_path
        self._client = falkordb.FalkorDB(unix_socket_path=os.fspath(socket_path))
        self._kept = self._named("kept")

    @contextmanager
    def empty_graph(self) -> Iterator[RawFalkorDB]:
        raw = self._named(f"test_{uuid.uuid4().hex}")
        try:
            yield raw
        finally:
            self._client.connection.delete(raw.settings.graph)

    @contextmanager
    def emptied_graph(self) -> Iterator[RawFalkorDB]:
        """One graph for the whole run, emptied: making its schema costs more than most tests."""
        self._kept.run("MATCH (n) DETACH DELETE n")
        yield self._kept

    def _named(self, graph: str) -> RawFalkorDB:
        settings = GraphSettings(
            "embedded", data_dir=self.data_dir, socket_path=self.socket_path, graph=graph
        )
        return RawFalkorDB(settings, self._client)

    def close(self) -> None:
        self._client.close()


class Neo4jGraphs:
    """The Neo4j server of this test run: our own, or the one that ``NEO4J_URI`` names if it is empty.

    Raises AssertionError for a named server whose database holds anything:
    tests empty the database they are given, so it must be nobody's.
    """

    def __init__(self, home: Path, environ: Mapping[str, str] = os.environ) -> None:
        self._own: neo4j_server.Server | None = None
        if environ.get("NEO4J_URI"):
            self.settings = GraphSettings(
                "neo4j",
                uri=environ["NEO4J_URI"],
                username=environ.get("NEO4J_USERNAME", "neo4j"),
                password=environ.get("NEO4J_PASSWORD", ""),
                database=environ.get("NEO4J_DATABASE", "neo4j"),
            )
        else:
            own = self._own = neo4j_server.Server(home, more=KEEP_PLANS)
            self.settings = GraphSettings(
                "neo4j",
                uri=own.uri,
                username=own.username,
                password=own.password,
                database=own.database,
            )
        self._driver = neo4j.GraphDatabase.driver(
            self.settings.uri,
            auth=(self.settings.username, self.settings.password),
            notifications_min_severity="OFF",
        )
        try:
            self._driver.verify_connectivity()
            found = RawNeo4j(self.settings, self._driver).run("MATCH (n) RETURN count(n)")[0][0]
            assert found == 0, (
                f"NEO4J_URI names a database with {found} nodes. Tests delete what they find, so they only use"
                " an empty database: name another with NEO4J_DATABASE, or unset NEO4J_URI."
            )
        except BaseException:
            self.close()
            raise

    @contextmanager
    def empty_graph(self) -> Iterator[RawNeo4j]:
        raw = RawNeo4j(self.settings, self._driver)
        self._empty(raw)
        yield raw

    def emptied_graph(self) -> AbstractContextManager[RawNeo4j]:
        """As `empty_graph`: there is one database, and its schema stays."""
        return self.empty_graph()

    def _empty(self, raw: RawNeo4j) -> None:
        raw.run("MATCH (n) CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS")

    def close(self) -> None:
        """Leave a named database as empty as it was found; end our own server."""
        if self._own is None:
            self._driver.close()
        else:
            self._driver.close()
            self._own.stop(at_once=True)

    def clear(self) -> None:
        """Delete what the last test left; only called once the database is known to be ours."""
        self._empty(RawNeo4j(self.settings, self._driver))
