"""Run the whole console: graph, worker and web, supervised.

    console.py demo [--graph embedded|neo4j] [--port 8000] [--var DIRECTORY]
    console.py serve [--port 8000]

``demo`` brings its own graph and loads the demo project the first time; ``serve``
runs on the graph and database that the environment names.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import neo4j_server
import progress
import supervise

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graphstore.engines import guardian  # noqa: E402 - found through the line above

WEB_STOP_SECONDS = 12.0
WORKER_STOP_SECONDS = 20.0
GRAPH_STOP_SECONDS = 30.0
FOREIGN = (
    "DATABASE_URL", "Q_REDIS_URL", "RC_SECRET_KEY", "RC_VAR", "GRAPH_DIR", "FALKORDB_URL",
    "LEDGER_KEY", "LEDGER_OLD_KEYS",
)  # fmt: skip
"""A demo must not touch what the environment names for one's own console."""


def manage(*words: str) -> list[str]:
    """A management command of the console."""
    return [sys.executable, os.fspath(ROOT / "manage.py"), *words]


def demo_environ(var: Path, graph: str) -> dict[str, str]:
    """The environment of a demo whose files are all in ``var``."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {"RC_DEMO": "1", "RC_VAR": os.fspath(var), "GRAPH_STORE": graph}


def hold_directory(var: Path) -> int:
    """Take this directory for one supervisor. Raises progress.Failed when another has it."""
    var.mkdir(parents=True, exist_ok=True)
    lock = guardian.open_lock(var / "supervisor.lock")
    if not guardian.try_lock(lock, fcntl.LOCK_EX):
        os.close(lock)
        raise progress.Failed(
            f"The console already runs on {var}: stop it first, with Ctrl-C where it was started."
        )
    return lock


def require_free(host: str, port: int) -> None:
    """Raises progress.Failed when somebody listens on the port already."""
    with closing(socket.socket()) as probe:
        # Without this, connections of a console that has just stopped count as somebody.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise progress.Failed(
                f"Port {port} on {host} cannot be used ({error.strerror}): choose another, as in PORT={port + 1}."
            ) from None


def embedded_graph(data_dir: Path, logs: Path, environ: Mapping[str, str]) -> supervise.Service:
    """The embedded graph, kept up by a keeper."""
    address = data_dir / guardian.ADDRESS_NAME

    def answers() -> bool:
        return address.exists() and guardian.answers(Path(address.read_text(encoding="utf-8")))

    keeper = [sys.executable, Path(__file__).with_name("graph_keeper.py"), data_dir]
    return supervise.Service(
        "graph", keeper, environ, logs / "graph.log", answers, stop_seconds=GRAPH_STOP_SECONDS
    )


def neo4j_graph(var: Path, logs: Path, environ: dict[str, str]) -> supervise.Service:
    """A Neo4j of our own over ``var``; adds to ``environ`` how to reach it."""
    version = neo4j_server.wanted_version()
    home, port = var / "neo4j", neo4j_server.free_port()
    password = neo4j_server.prepare(home, port, version)
    environ |= {
        "NEO4J_URI": f"bolt://127.0.0.1:{port}",
        "NEO4J_USERNAME": neo4j_server.USERNAME,
        "NEO4J_PASSWORD": password,
        "NEO4J_DATABASE": neo4j_server.DATABASE,
    }
    return supervise.Service(
        f"Neo4j {version}",
        neo4j_server.command(home, version),
        environ,
        logs / "graph.log",
        lambda: neo4j_server.speaks_bolt(port),
        start_seconds=neo4j_server.START_SECONDS,
        stop_seconds=neo4j_server.STOP_SECONDS,
    )


def worker(logs: Path, environ: Mapping[str, str]) -> supervise.Service:
    """The django-q2 cluster, which has no way to ask whether it is ready and needs none."""
    return supervise.Service(
        "worker",
        manage("qcluster"),
        environ,
        logs / "worker.log",
        lambda: True,
        stop_seconds=WORKER_STOP_SECONDS,
    )


def web(host: str, port: int, logs: Path, environ: Mapping[str, str]) -> supervise.Service:
    """The production web server. No preload: whatever holds a connection is built after the fork."""
    command = [
        *(sys.executable, "-m", "gunicorn", "reviewconsole.wsgi", "--chdir", os.fspath(ROOT)),
        *("--bind", f"{host}:{port}", "--worker-class", "gthread", "--threads", "4"),
        *("--workers", os.environ.get("WEB_CONCURRENCY", "2"), "--graceful-timeout", "8"),
        "--no-control-socket",
    ]

    def answers() -> bool:
        try:
            with urllib.request.urlopen(f"http://{host}:{port}/healthz", timeout=5):
                return True
        except urllib.error.HTTPError:
            # It speaks; what it has to say is for people.
            return True
        except OSError:
            return False

    return supervise.Service(
        "web", command, environ, logs / "web.log", answers, stop_seconds=WEB_STOP_SECONDS
    )


def run_demo(host: str, port: int, graph: str, directory: Path | None = None) -> None:
    """Bring a graph, load the demo project the first time, serve. Raises as ``Supervisor`` does.

    The demo's files are in ``directory``, or else under ``var``, where they stay.
    """
    var = directory or ROOT / "var" / ("demo" if graph == "embedded" else f"demo-{graph}")
    require_free(host, port)
    lock = hold_directory(var)
    environ, logs = demo_environ(var, graph), var / "log"
    with supervise.Supervisor() as supervisor:
        if graph == "embedded":
            supervisor.start(embedded_graph(var / "graph", logs, environ))
        elif environ.get("NEO4J_URI"):
            require_empty_or_known(environ, var / "demo-database")
        else:
            supervisor.start(neo4j_graph(var, logs, environ))
        supervisor.run_once(
            "preparing the database", manage("migrate", "--verbosity", "0"), environ
        )
        supervisor.run_once("preparing the graph", manage("graph_setup"), environ, quiet=True)
        supervisor.run_once(
            "loading the demo project (the first time only)", manage("load_demo"), environ
        )
        supervisor.start(worker(logs, environ))
        supervisor.start(web(host, port, logs, environ))
        progress.say(f"\nReview Console is at http://{host}:{port}\n")
        supervisor.run_once("", manage("load_demo", "--sign-ins"), environ)
        progress.say(f"\nLogs are in {logs}. Ctrl-C stops everything; the data stays in {var}.")
        supervisor.watch()
    os.close(lock)


def require_empty_or_known(environ: Mapping[str, str], known: Path) -> None:
    """Let the demo only into a named database that is empty or that it filled itself.

    Raises progress.Failed for any other.
    """
    import neo4j  # noqa: PLC0415 - only this one of the two commands needs a driver

    where = f"{environ['NEO4J_URI']} {environ.get('NEO4J_DATABASE', 'neo4j')}"
    if known.exists() and known.read_text(encoding="utf-8") == where:
        return
    auth = (environ.get("NEO4J_USERNAME", "neo4j"), environ.get("NEO4J_PASSWORD", ""))
    try:
        with neo4j.GraphDatabase.driver(environ["NEO4J_URI"], auth=auth) as driver:
            found = driver.execute_query(
                "MATCH (n) RETURN count(n) AS nodes",
                database_=environ.get("NEO4J_DATABASE", "neo4j"),
            )
    except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError) as error:
        raise progress.Failed(f"NEO4J_URI names a server that does not answer: {error}") from None
    if found.records[0]["nodes"]:
        raise progress.Failed(
            f"The database {where} is not empty, and the demo goes only into an empty one:"
            " name another with NEO4J_DATABASE, or unset NEO4J_URI to have a server brought."
        )
    known.write_text(where, encoding="utf-8")


def run_serve(host: str, port: int) -> None:
    """Serve the graph and database that the environment names. Raises as ``Supervisor`` does."""
    environ = dict(os.environ) | {"RC_DEMO": "0"}
    os.environ["RC_DEMO"] = "0"
    os.environ["DJANGO_SETTINGS_MODULE"] = "reviewconsole.settings"
    from django.conf import settings  # noqa: PLC0415 - read only once the environment is complete
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415

    try:
        var, graph = settings.VAR_DIR, settings.GRAPH
    except ImproperlyConfigured as fault:
        raise progress.Failed(str(fault)) from None
    require_free(host, port)
    lock, logs = hold_directory(var), var / "log"
    with supervise.Supervisor() as supervisor:
        if graph.engine == "embedded":
            supervisor.start(embedded_graph(graph.graph_dir.absolute(), logs, environ))
        supervisor.run_once(
            "preparing the database", manage("migrate", "--verbosity", "0"), environ
        )
        supervisor.start(worker(logs, environ))
        supervisor.start(web(host, port, logs, environ))
        progress.say(
            f"\nReview Console is at http://{host}:{port}\nLogs are in {logs}. Ctrl-C stops everything."
        )
        supervisor.watch()
    os.close(lock)


def main() -> int:
    """Returns 1, with one sentence on standard error, when something is missing or keeps failing."""
    arguments = argparse.ArgumentParser(description="Runs the whole console, supervised.")
    arguments.add_argument("what", choices=("demo", "serve"))
    arguments.add_argument("--graph", choices=("embedded", "neo4j"), default="embedded")
    arguments.add_argument("--port", type=int, default=8000)
    arguments.add_argument("--host", default="127.0.0.1")
    arguments.add_argument("--var", type=Path, help="where a demo keeps its files")
    given = arguments.parse_args()
    os.chdir(ROOT)
    try:
        if given.what == "demo":
            run_demo(given.host, given.port, given.graph, given.var and given.var.absolute())
        else:
            run_serve(given.host, given.port)
    except supervise.StopAsked:
        return 0
    except progress.Failed as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
