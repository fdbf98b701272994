"""The guardian of an embedded graph: runs ``redis-server`` for as long as a client needs it.

Run as a script, never imported for its behaviour by the processes it serves:
``embedded.py`` starts it by path, so that it costs the standard library and
nothing else. It is nobody's child: it forks once and leads its own session, so
the process that happened to start it can be killed without harm to the others.

Four lock files in the data directory carry the whole protocol. The kernel
drops a lock when the last process holding it dies, however it dies, so nothing
here trusts a process id or a file's content.

=================  ==========  ===================================================
file               held by     means
=================  ==========  ===================================================
``start.lock``     exclusive   somebody is starting or stopping the server
``guardian.lock``  exclusive   a guardian is alive
``server.lock``    exclusive   ``redis-server`` (or its guardian) is alive; the
                               server inherits it, so the data directory is free
                               only when it can be taken
``clients.lock``   shared      one hold for each client process
=================  ==========  ===================================================
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

START_LOCK = "start.lock"
GUARDIAN_LOCK = "guardian.lock"
SERVER_LOCK = "server.lock"
CLIENTS_LOCK = "clients.lock"
SOCKET_NAME = "graph.sock"
ADDRESS_NAME = "socket-path"
"""A file that names the socket, which is elsewhere when the data directory's path is long."""

LOG_NAME = "server.log"

READY = b"ready\n"
"""What the guardian writes to its status pipe once the server answers."""

LINGER_SECONDS = 3.0
"""How long the server outlives its last client: long enough for a restart."""

PROBE_SECONDS = 0.25
STOP_SECONDS = 20.0
"""How long a polite shutdown may take before the server is killed."""

RESTART_WINDOW_SECONDS = 60.0
RESTARTS_IN_WINDOW = 5
"""More deaths than this within the window mean that restarting does not help."""

LOG_LIMIT_BYTES = 5_000_000
"""A log longer than this is put aside (one generation) at the next start."""

_PR_SET_PDEATHSIG = 1


class CannotServe(Exception):
    """The server cannot run here; the message is one sentence for a person."""


def open_lock(path: Path) -> int:
    """Open a lock file, private to the user and closed on exec; returns the descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def try_lock(descriptor: int, operation: int) -> bool:
    """Take a ``flock`` (``LOCK_EX`` or ``LOCK_SH``) without waiting; False when it is held."""
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lock_within(descriptor: int, operation: int, seconds: float) -> bool:
    """Take a ``flock``, trying again for so many seconds; False when it stayed held."""
    deadline = time.monotonic() + seconds
    while not try_lock(descriptor, operation):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)
    return True


def ask(socket_path: Path, command: str, seconds: float = 2.0) -> str | None:
    """Send one inline command; returns the reply's first line, or None when nobody answers."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(seconds)
            connection.connect(os.fspath(socket_path))
            connection.sendall(command.encode("ascii") + b"\r\n")
            return connection.recv(512).split(b"\r\n")[0].decode("utf-8", "replace")
    except OSError:
        return None


def answers(socket_path: Path) -> bool:
    """Whether the server has loaded its data and takes commands."""
    return ask(socket_path, "PING") == "+PONG"


def die_with_parent() -> None:
    """Ask the kernel (Linux) to kill this process when its parent dies; elsewhere do nothing.

    SIGKILL and not SIGTERM: every acknowledged write is already on disk, and a
    successor must not wait for a server that takes its time.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Guardian:
    """One ``redis-server`` over one data directory, and the locks that speak for it."""

    def __init__(
        self,
        data: Path,
        socket_path: Path,
        *,
        redis_server: Path,
        module: Path,
        linger: float,
        report: Callable[[bytes], None],
    ) -> None:
        self._data = data
        self._redis_server = redis_server
        self._module = module
        self._linger = linger
        self._report = report
        self._socket = socket_path
        self._log = data / LOG_NAME
        self._start_lock = open_lock(data / START_LOCK)
        self._guardian_lock = open_lock(data / GUARDIAN_LOCK)
        self._server_lock = open_lock(data / SERVER_LOCK)
        self._clients_lock = open_lock(data / CLIENTS_LOCK)
        self._stop_asked = False

    def run(self) -> None:
        """Serve until no client has been seen for ``linger`` seconds, or a signal asks to stop.

        Raises CannotServe when the server does not start, or keeps dying.
        """
        signal.signal(signal.SIGTERM, self._on_signal)
        signal.signal(signal.SIGINT, self._on_signal)
        # Not at the first try only: whoever asks whether a guardian is alive holds it for a moment.
        if not lock_within(self._guardian_lock, fcntl.LOCK_EX, 3.0):
            raise CannotServe("another guardian already runs on this data directory")
        self._outlast_predecessor()
        (self._data / ADDRESS_NAME).write_text(os.fspath(self._socket), encoding="utf-8")
        deaths: list[float] = []
        while True:
            server = self._start_server()
            if self._watch(server):
                return
            now = time.monotonic()
            deaths = [at for at in deaths if now - at < RESTART_WINDOW_SECONDS] + [now]
            if len(deaths) > RESTARTS_IN_WINDOW:
                raise CannotServe(
                    f"redis-server died {len(deaths)} times within a minute; see {self._log}"
                )
            self._note(f"redis-server ended with {server.returncode}; starting it again")

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._stop_asked = True

    def _note(self, sentence: str) -> None:
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{stamp} guardian {os.getpid()}: {sentence}\n")

    def _outlast_predecessor(self) -> None:
        """Wait until no server of an earlier guardian is left on the data directory.

        Where the kernel does not end a server with its guardian, the orphan is
        asked over its own socket: an address cannot be mistaken, a process id can.
        """
        if lock_within(self._server_lock, fcntl.LOCK_EX, 3.0):
            return
        self._note("a server without a guardian is still running; asking it to stop")
        ask(self._socket, "SHUTDOWN NOSAVE")
        if not lock_within(self._server_lock, fcntl.LOCK_EX, STOP_SECONDS):
            raise CannotServe(
                f"a redis-server left over from an earlier run holds {self._data} and does not stop: end it by hand"
            )

    def _command(self) -> list[str]:
        return [
            os.fspath(self._redis_server),
            *("--port", "0", "--unixsocket", os.fspath(self._socket), "--unixsocketperm", "600"),
            *("--dir", os.fspath(self._data), "--appendonly", "yes", "--appendfsync", "always"),
            # A snapshot would be a second copy, in which erased text lives on.
            *("--save", ""),
            # The slow log would keep statements with their parameters.
            *("--slowlog-log-slower-than", "-1"),
            # A crash report prints the statement that ran, parameters and all, into the log.
            *("--crash-log-enabled", "no", "--crash-memcheck-enabled", "no"),
            *("--daemonize", "no", "--protected-mode", "yes"),
            *("--loadmodule", os.fspath(self._module)),
            # The engine caches 25 plans by default and the console has more statements.
            *("CACHE_SIZE", "200"),
            # Without this an answer is cut at 10,000 rows without a word.
            *("RESULTSET_SIZE", "-1"),
            # Query telemetry would store statements with their parameters in the graph's own file.
            *("CMD_INFO", "no"),
        ]

    def _start_server(self) -> subprocess.Popen[bytes]:
        if self._log.exists() and self._log.stat().st_size > LOG_LIMIT_BYTES:
            self._log.replace(self._log.with_suffix(".log.1"))
        self._socket.unlink(missing_ok=True)
        with self._log.open("ab") as log:
            try:
                server = subprocess.Popen(
                    self._command(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=(self._server_lock,),
                    preexec_fn=die_with_parent,
                )
            except OSError as error:
                raise CannotServe(f"redis-server did not start: {error}") from error
        while not answers(self._socket):
            if server.poll() is not None:
                raise CannotServe(
                    f"redis-server ended with {server.returncode} while starting; see {self._log}"
                )
            if self._stop_asked:
                break
            self._report(b"loading\n")
            time.sleep(0.05)
        self._report(READY)
        return server

    def _watch(self, server: subprocess.Popen[bytes]) -> bool:
        """Returns True when the server was stopped on purpose, False when it died by itself."""
        seen = time.monotonic()
        while server.poll() is None:
            if self._stop_asked:
                self._stop(server)
                return True
            if not try_lock(self._clients_lock, fcntl.LOCK_EX):
                seen = time.monotonic()
            else:
                fcntl.flock(self._clients_lock, fcntl.LOCK_UN)
                if time.monotonic() - seen > self._linger and self._close_down(server):
                    return True
            try:
                server.wait(PROBE_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        return self._stop_asked

    def _close_down(self, server: subprocess.Popen[bytes]) -> bool:
        """Stop the server unless a client is arriving; returns whether it was stopped.

        Both locks stay held until this process ends, so that a client that
        arrives during the stop waits for it and then starts afresh.
        """
        if not try_lock(self._start_lock, fcntl.LOCK_EX):
            return False
        if not try_lock(self._clients_lock, fcntl.LOCK_EX):
            fcntl.flock(self._start_lock, fcntl.LOCK_UN)
            return False
        self._note("no client is left; stopping the server")
        self._stop(server)
        return True

    def _stop(self, server: subprocess.Popen[bytes]) -> None:
        server.terminate()
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        self._socket.unlink(missing_ok=True)


def _write_status(descriptor: int) -> Callable[[bytes], None]:
    """Returns a function that reports to the starter, who may have died or stopped listening."""

    def write(status: bytes) -> None:
        try:
            os.write(descriptor, status)
        except OSError:
            return

    return write


def main() -> None:
    """Detach from the starter, then guard; a fault goes to the starter and to the log."""
    arguments = argparse.ArgumentParser(
        description="Runs redis-server for the clients of one graph."
    )
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--socket", type=Path, required=True)
    arguments.add_argument("--redis-server", type=Path, required=True)
    arguments.add_argument("--module", type=Path, required=True)
    arguments.add_argument(
        "--linger", type=float, default=LINGER_SECONDS, help="seconds after the last client"
    )
    arguments.add_argument(
        "--status", type=int, required=True, help="descriptor of the starter's pipe"
    )
    given = arguments.parse_args()
    if os.fork():
        os._exit(0)
    os.setsid()
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.set_blocking(given.status, False)
    os.set_inheritable(given.status, False)
    report = _write_status(given.status)
    try:
        Guardian(
            given.data,
            given.socket,
            redis_server=given.redis_server,
            module=given.module,
            linger=given.linger,
            report=report,
        ).run()
    except CannotServe as fault:
        report(f"{fault}\n".encode())
        sys.exit(1)


if __name__ == "__main__":
    main()
