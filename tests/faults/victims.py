"""Engines that are killed, and what brings each of them back."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from random import Random
from typing import Protocol

import falkordb
import neo4j
import redis

import neo4j_server
from graphstore import Settings, connect
from graphstore.engines import guardian
from graphstore.engines.embedded import EmbeddedServer, ensure_server, is_running
from graphstore.engines.neo4j import Neo4jStore
from tests.faults.playing import FEW_MOVES, MOVES
from tests.servers import KEEP_PLANS, GraphSettings, RawFalkorDB, RawGraph, RawNeo4j, wait_until

BACK_SECONDS = 60.0
"""How long an engine may take to come back."""


class Victim(Protocol):
    """An engine that can be killed; what brings it back differs."""

    moves: dict[str, int]
    writers: int
    threads: int
    """How many processes write, and how many players each has."""

    @property
    def settings(self) -> GraphSettings:
        """Where the graph is that is written while it dies."""
        ...

    def raw(self) -> RawGraph:
        """That graph, past the product's code, by a connection of its own."""
        ...

    def fresh(self) -> GraphSettings:
        """An empty graph for the players that nobody disturbs; the first one may be gone."""
        ...

    def setup(self, settings: GraphSettings) -> None:
        """Make the schema."""
        ...

    def kill(self, random: Random) -> str:
        """Kill it by SIGKILL; returns what was killed."""
        ...

    def come_back(self) -> None:
        """Wait until it answers again, starting it where nobody else does."""
        ...

    def close(self) -> None:
        """End it; nobody reads its data again."""
        ...


class EmbeddedVictim:
    """A server of our own with its guardian; the clients themselves bring back what was killed."""

    moves = MOVES
    writers, threads = 3, 2

    def __init__(self, data_dir: Path) -> None:
        self._server: EmbeddedServer = ensure_server(data_dir)
        self.settings = self._named("killed")

    def _named(self, graph: str) -> GraphSettings:
        server = self._server
        return GraphSettings(
            "embedded", data_dir=server.data_dir, socket_path=server.socket_path, graph=graph
        )

    def _client(self) -> falkordb.FalkorDB:
        return falkordb.FalkorDB(unix_socket_path=os.fspath(self._server.socket_path))

    def raw(self) -> RawGraph:
        """By a connection that is opened now."""
        return RawFalkorDB(self.settings, self._client())

    def fresh(self) -> GraphSettings:
        """Another graph of the same server."""
        self.settings = self._named("undisturbed")
        return self.settings

    def setup(self, settings: GraphSettings) -> None:
        """As every client makes it."""
        store = connect(Settings.from_env(settings.environ()))
        store.setup_schema()
        store.close()

    def kill(self, random: Random) -> str:
        """The server, its guardian (the kernel ends the server with it) or both, maybe while the log is rewritten."""
        self._killed = server = self._pid()
        assert server is not None
        watcher = parent_of(server)
        rewriting = random.random() < 0.15
        if rewriting:
            guardian.ask(self._server.socket_path, "BGREWRITEAOF")
        (name, pids) = random.choices(
            [("server", [server]), ("guardian", [watcher]), ("both", [watcher, server])], [7, 2, 1]
        )[0]
        for pid in pids:
            # Of both, the second may have gone with the first.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return name + " rewriting its log" * rewriting

    def come_back(self) -> None:
        """Whoever writes brings it back; here it is only waited for."""
        wait_until(lambda: self._pid() not in (None, self._killed), BACK_SECONDS, "the graph")

    def _pid(self) -> int | None:
        """The process id of the server, when one answers and has loaded its data."""
        client = redis.Redis(unix_socket_path=os.fspath(self._server.socket_path))
        try:
            client.ping()
            return client.info("server")["process_id"]
        except redis.RedisError:
            return None
        finally:
            client.close()

    def close(self) -> None:
        """End it."""
        if (server := self._pid()) is not None:
            os.kill(parent_of(server), signal.SIGTERM)
        self._server.close()
        wait_until(lambda: not is_running(self._server.data_dir), BACK_SECONDS, "the graph's end")


class Planless(Neo4jStore):
    """Makes the schema without planning every statement, which this server forgets when it dies."""

    def _warm_up(self) -> None:
        """Leave the plans to those who need them."""


class Neo4jVictim:
    """A server of our own; its operator, which is us here, starts it again on the same data."""

    moves = FEW_MOVES
    # Each player that meets a statement first has the server plan it, which takes seconds.
    writers, threads = 2, 1

    def __init__(self, home: Path) -> None:
        self._home = home
        self._server = neo4j_server.Server(home, more=KEEP_PLANS)
        self._address = self._server.port
        self.settings = GraphSettings(
            "neo4j",
            uri=self._server.uri,
            username=self._server.username,
            password=self._server.password,
            database=self._server.database,
        )

    def _driver(self) -> neo4j.Driver:
        return neo4j.GraphDatabase.driver(
            self.settings.uri,
            auth=(self.settings.username, self.settings.password),
            notifications_min_severity="OFF",
        )

    def raw(self) -> RawGraph:
        """By a connection that is opened now."""
        return RawNeo4j(self.settings, self._driver())

    def fresh(self) -> GraphSettings:
        """The same database, emptied: the community edition has one."""
        self.raw().run("MATCH (n) CALL { WITH n DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS")
        return self.settings

    def setup(self, settings: GraphSettings) -> None:
        """The schema alone."""
        store = Planless(settings.uri, settings.username, settings.password, settings.database)
        store.setup_schema()
        store.close()

    def kill(self, random: Random) -> str:
        """SIGKILL to the java process."""
        del random
        self._server.stop(at_once=True)
        return "server"

    def come_back(self) -> None:
        """Start it at the same address."""
        self._server = neo4j_server.Server(self._home, more=KEEP_PLANS, port=self._address)

    def close(self) -> None:
        """End it; nobody reads its data again."""
        self._server.stop(at_once=True)


def parent_of(pid: int) -> int:
    """The process that started `pid`."""
    listed = subprocess.run(
        ["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(listed.stdout)
