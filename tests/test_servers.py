"""The engines come up, keep what they acknowledged, and leave nothing behind."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import falkordb
import pytest

from graphstore.engines import guardian
from graphstore.engines.embedded import (
    Binaries,
    EmbeddedServerError,
    ensure_server,
    has_guardian,
    is_running,
)
from tests.servers import RawGraph, engines_asked_for, is_alive, wait_until

ROOT = Path(__file__).resolve().parent.parent
LINGER = 0.5
"""Seconds. Shorter than the product's, so that tests see the end soon."""


class Client:
    """A process that holds the embedded graph of one directory."""

    def __init__(self, data_dir: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.embedded_client", data_dir, str(LINGER)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,
        )
        assert self._line() == "ready"

    def _line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def run(self, statement: str) -> str:
        """Returns the rows as text."""
        assert self.process.stdin
        self.process.stdin.write(statement + "\n")
        return self._line()

    def kill(self) -> None:
        """End the process group as a crash would, and let go of its pipes."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()


StartClient = Callable[[], Client]


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A directory for a server of this test alone, which must be gone when the test is over."""
    yield tmp_path / "graph"
    wait_until(lambda: not is_running(tmp_path / "graph"), what="the server's end")


@pytest.fixture
def start_client(data_dir: Path) -> Iterator[StartClient]:
    """Starts client processes; those that the test did not kill are killed after it."""
    clients: list[Client] = []

    def start() -> Client:
        clients.append(Client(data_dir))
        return clients[-1]

    yield start
    for client in clients:
        if client.process.returncode is None:
            client.kill()


def server_pid(socket_path: Path) -> int:
    """The process that listens on the socket."""
    connection = falkordb.FalkorDB(unix_socket_path=str(socket_path)).connection
    try:
        return connection.info("server")["process_id"]
    finally:
        connection.close()


def guardian_pid(socket_path: Path) -> int:
    """The parent of the process that listens on the socket."""
    answer = subprocess.run(
        ["ps", "-o", "ppid=", "-p", str(server_pid(socket_path))],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(answer.stdout)


def somebody_holds(data_dir: Path) -> bool:
    """Whether a client holds the server for longer than the server would outlive its last one."""
    lock = guardian.open_lock(data_dir / guardian.CLIENTS_LOCK)
    try:
        return not guardian.lock_within(lock, fcntl.LOCK_EX, 3 * LINGER)
    finally:
        os.close(lock)


def test_engine_answers(raw: RawGraph) -> None:
    """A statement with parameters goes there and back."""
    assert raw.run("RETURN $n + 1, $text", {"n": 1, "text": 'naïve \\ "quoted"'}) == [
        [2, 'naïve \\ "quoted"']
    ]


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_gets_an_empty_graph(raw: RawGraph, turn: int) -> None:
    """What one test writes is not there for the next."""
    assert raw.run("MATCH (n) RETURN count(n)") == [[0]]
    assert raw.run("CREATE (n:Left {turn: $turn}) RETURN n.turn", {"turn": turn}) == [[turn]]


def test_acknowledged_writes_survive_a_killed_server(data_dir: Path) -> None:
    """Every write that was answered is there after ``kill -9``, and the guardian brings the server back."""
    with ensure_server(data_dir, linger=LINGER) as server:
        graph = falkordb.FalkorDB(unix_socket_path=str(server.socket_path)).select_graph("test")
        for number in range(200):
            graph.query("CREATE (:Written {number: $number})", {"number": number})
        killed = server_pid(server.socket_path)
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: not is_alive(killed), what="the kill")
        wait_until(lambda: guardian.answers(server.socket_path), what="the new server")
        rows = graph.query("MATCH (n:Written) RETURN n.number ORDER BY n.number").result_set
        graph.client.connection.close()
    assert rows == [[number] for number in range(200)]


def test_killing_the_starter_leaves_the_others_working(
    data_dir: Path, start_client: StartClient
) -> None:
    """Whoever happened to start the server is not needed for it to go on."""
    starter, other = start_client(), start_client()
    starter.run("CREATE (:Written {by: 'starter'})")
    server = server_pid(data_dir / guardian.SOCKET_NAME)
    starter.kill()
    assert somebody_holds(data_dir)
    assert other.run("MATCH (n:Written) RETURN n.by") == "[['starter']]"
    assert server_pid(data_dir / guardian.SOCKET_NAME) == server


def test_killing_all_clients_leaves_nothing_running(
    data_dir: Path, start_client: StartClient
) -> None:
    """Without clients the server and its guardian end by themselves, and the data stays."""
    first, second = start_client(), start_client()
    first.run("CREATE (:Written {by: 'first'})")
    pids = [
        server_pid(data_dir / guardian.SOCKET_NAME),
        guardian_pid(data_dir / guardian.SOCKET_NAME),
    ]
    first.kill()
    second.kill()
    wait_until(
        lambda: not any(is_alive(pid) for pid in pids), what="the end of server and guardian"
    )
    assert start_client().run("MATCH (n:Written) RETURN n.by") == "[['first']]"


def test_a_killed_guardian_is_replaced(data_dir: Path, start_client: StartClient) -> None:
    """The next client notices that nobody guards the server, and takes over with all data."""
    first = start_client()
    first.run("CREATE (:Written {by: 'first'})")
    os.kill(guardian_pid(data_dir / guardian.SOCKET_NAME), signal.SIGKILL)
    wait_until(lambda: not has_guardian(data_dir), what="the guardian's end")
    assert start_client().run("MATCH (n:Written) RETURN n.by") == "[['first']]"
    assert has_guardian(data_dir)


def test_many_starters_at_once_share_one_server(data_dir: Path) -> None:
    """Processes that race to be first end up on the same server."""
    statement = "from pathlib import Path; import sys; from graphstore.engines.embedded import ensure_server;"
    statement += (
        "s = ensure_server(Path(sys.argv[1]), linger=0.5); from graphstore.engines import guardian;"
    )
    statement += "print(guardian.ask(s.socket_path, 'INCR starters')); sys.stdin.read()"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", statement, data_dir],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    answers = sorted(racer.stdout.readline().strip() for racer in racers if racer.stdout)
    for racer in racers:
        racer.communicate()
    assert answers == [f":{number}" for number in range(1, 7)]


def test_a_forked_process_keeps_the_server(data_dir: Path) -> None:
    """A parent that lets go does not take the server from the child it forked."""
    statement = "import os, sys, time; from pathlib import Path;"
    statement += "from graphstore.engines.embedded import ensure_server; from graphstore.engines import guardian;"
    statement += "s = ensure_server(Path(sys.argv[1]), linger=0.5); child = os.fork();\n"
    statement += "if child: s.close(); os._exit(0)\n"
    statement += "sys.stdin.read(); print(guardian.ask(s.socket_path, 'PING'), flush=True)"
    parent = subprocess.Popen(
        [sys.executable, "-c", statement, data_dir],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    parent.wait()
    assert somebody_holds(data_dir)
    assert parent.communicate("go on\n")[0].strip() == "+PONG"


def test_a_long_path_gets_a_short_private_socket(tmp_path: Path) -> None:
    """A data directory whose path is too long for a socket works, with the socket elsewhere."""
    data_dir = tmp_path / ("long" * 30)
    with (
        ensure_server(data_dir, linger=LINGER) as server,
        ensure_server(data_dir, linger=LINGER) as same,
    ):
        assert same.socket_path == server.socket_path
        assert len(os.fsencode(server.socket_path)) <= 100
        assert server.socket_path.parent.stat().st_mode & 0o777 == 0o700
        assert data_dir.stat().st_mode & 0o777 == 0o700
    wait_until(lambda: not is_running(data_dir), what="the server's end")


def test_binaries_that_do_not_start_are_one_clear_error(data_dir: Path) -> None:
    """The starter hears why, instead of waiting for a server that will never answer."""
    broken = Binaries(Path("/bin/false"), Path("/dev/null"))
    with pytest.raises(EmbeddedServerError, match="redis-server ended with 1 while starting; see "):
        ensure_server(data_dir, binaries=broken)


def test_half_a_pair_of_binaries_is_refused() -> None:
    """Naming one file without the other is a mistake, said before anything starts."""
    with pytest.raises(EmbeddedServerError, match="GRAPH_FALKORDB_MODULE must name a file"):
        Binaries.find({"GRAPH_REDIS_SERVER": sys.executable})


def test_an_unknown_engine_is_refused() -> None:
    """A misspelt ENGINES must not quietly test nothing."""
    with pytest.raises(ValueError, match="ENGINES must be a list out of embedded, neo4j"):
        engines_asked_for({"ENGINES": "embeded"})
