"""The console as a process of its own: a production web server, its own database, one graph.

It is started as the supervisor starts it and found only through its address, so a
test can kill it at any point and start it again on the same data.
"""

import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from uuid import UUID

import neo4j_server
from reviewconsole.models import Role
from tests.servers import wait_until

ROOT = Path(__file__).resolve().parents[2]
THREADS = 4


def environment(folder: Path, graph: Mapping[str, str]) -> dict[str, str]:
    """What a console over `folder` and `graph` is told; nothing of the caller's own console."""
    foreign = ("RC_", "GRAPH_", "FALKORDB_", "NEO4J_", "DATABASE_URL", "Q_REDIS_URL", "GUNICORN_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "RC_SECRET_KEY": secrets.token_urlsafe(50),
        "RC_HTTPS": "0",
        "RC_VAR": os.fspath(folder),
        **graph,
    }


def make_template(folder: Path) -> Path:
    """A migrated database with everybody in it, to be copied."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, Path(__file__).with_name("prepare.py")],
        check=True,
        cwd=ROOT,
        env=environment(folder, {}),
    )
    return folder / "console.sqlite3"


class Console:
    """One console. It runs from `start` to `stop` or `kill`, on the same address each time."""

    def __init__(self, folder: Path, graph: Mapping[str, str], template: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(template)) as made:
            made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(template, folder / "console.sqlite3")
        self.database = folder / "console.sqlite3"
        self.log = folder / "web.log"
        self._environ = environment(folder, graph)
        self._port = neo4j_server.free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.cookies: dict[str, object] = {}
        """Sessions by sign-in name, for windows that begin signed in."""
        self._leash: subprocess.Popen[bytes] | None = None
        self._worker: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the web server and wait until it answers."""
        with self.log.open("ab") as output:
            self._leash = subprocess.Popen(
                [
                    *(sys.executable, ROOT / "bin" / "leash.py"),
                    *(sys.executable, "-m", "gunicorn", "reviewconsole.wsgi"),
                    *("--bind", f"127.0.0.1:{self._port}", "--worker-class", "gthread"),
                    *("--threads", str(THREADS), "--workers", "1", "--graceful-timeout", "3"),
                    "--no-control-socket",
                ],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=ROOT,
                env=self._environ,
                start_new_session=True,
            )
        wait_until(self.answers, 60, f"an answer of the console ({self.log})")

    def start_worker(self) -> None:
        """Start what does the jobs. It needs no address: jobs come through the database."""
        with (self.log.parent / "worker.log").open("ab") as output:
            self._worker = subprocess.Popen(
                [
                    *(sys.executable, ROOT / "bin" / "leash.py"),
                    *(sys.executable, ROOT / "manage.py", "qcluster"),
                ],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                cwd=ROOT,
                env=self._environ,
                start_new_session=True,
            )

    def stop_worker(self) -> None:
        """End the worker and its processes at once: every job may be cut short."""
        worker, self._worker = self._worker, None
        if worker is not None:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.communicate()

    def answers(self) -> bool:
        """Whether the web server speaks, whatever it says."""
        return self._health() > 0

    def is_well(self) -> bool:
        """Whether the web server says that its database and its graph answer."""
        return self._health() == 200

    def _health(self) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/healthz", timeout=60) as at:
                return at.status
        except urllib.error.HTTPError as error:
            error.close()
            return error.code
        except OSError:
            return 0

    def workers(self) -> list[int]:
        """The ids of the processes that handle requests."""
        assert self._leash is not None
        master = _children(self._leash.pid)
        return [worker for pid in master for worker in _children(pid)]

    def kill(self) -> None:
        """End every process of the web server at once, as a power cut would."""
        leash, self._leash = self._leash, None
        if leash is not None:
            os.killpg(leash.pid, signal.SIGKILL)
            leash.communicate()

    def stop(self) -> None:
        """Stop politely. A request still running has three seconds."""
        leash, self._leash = self._leash, None
        if leash is not None:
            leash.terminate()
            leash.communicate()

    def grant(self, name: str, project: str, role: Role) -> None:
        """Give an account a role, past the console's own code."""
        with closing(sqlite3.connect(self.database, timeout=20)) as rows, rows:
            rows.execute(
                "INSERT OR REPLACE INTO reviewconsole_access (user_id, project_id, role) "
                "SELECT id, ?, ? FROM reviewconsole_user WHERE username = ?",
                (project, role.value, name),
            )

    def revoke(self, name: str, project: str) -> None:
        """Take every role in a project from an account."""
        with closing(sqlite3.connect(self.database, timeout=20)) as rows, rows:
            rows.execute(
                "DELETE FROM reviewconsole_access WHERE project_id = ? AND user_id = "
                "(SELECT id FROM reviewconsole_user WHERE username = ?)",
                (project, name),
            )

    def make_librarian(self, name: str) -> None:
        """Let an account put and remove documents."""
        with closing(sqlite3.connect(self.database, timeout=20)) as rows, rows:
            rows.execute(
                "UPDATE reviewconsole_user SET is_librarian = 1 WHERE username = ?", (name,)
            )

    def agent_id(self, name: str) -> str:
        """By which id the record knows a person."""
        with closing(sqlite3.connect(self.database, timeout=20)) as rows:
            found = rows.execute(
                "SELECT person_uuid FROM reviewconsole_user WHERE username = ?", (name,)
            ).fetchone()
        return f"person:{UUID(found[0])}"


def _children(pid: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    pairs = (line.split() for line in listed.stdout.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == pid]
