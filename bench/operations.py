"""Times of our operations beside the reference library's, on one graph, in one run.

    python -m bench.operations [--engine embedded|neo4j] [--decisions 1000,10000,100000]
        [--rounds N] [--alone] [--write]

For each size it fills an empty graph, opens our store and the library's once, and
runs each operation in turn through both. Machines are noisy: quote the ratios.
`--alone` leaves the library out; `--write` puts table and plot into
`docs/performance.md`.
"""

import argparse
import asyncio
import logging
import os
import resource
import secrets
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from graphstore import GraphStore, Settings, connect
from graphstore.engines.embedded import ensure_server
from tests.servers import EmbeddedGraphs, Neo4jGraphs, RawGraph

SIZES = "1000"
ROUNDS = 15
PATIENCE = 3_600


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engine", choices=("embedded", "neo4j"), default="embedded")
    parser.add_argument("--decisions", default=SIZES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    sizes = [int(size) for size in chosen.decisions.split(",")]
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        _console(Path(folder))
        # Django's models may be imported only now.
        from bench import report

        run = report.Run(chosen.engine, chosen.rounds, {}, {})
        with graphs_of(chosen.engine, Path(folder)) as graphs:
            for size in sizes:
                with graphs.empty_graph() as raw:
                    _measure(run, raw, size, alone=chosen.alone)
        for what, said in report.misses(run).items():
            print(f"not reached: {what}: {said}")
        if chosen.write:
            report.write(run)


def _console(folder: Path) -> None:
    """Set up the console over a database that goes with this run."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": f"sqlite:///{folder / 'console.sqlite3'}",
        "RC_SECRET_KEY": secrets.token_urlsafe(50),
    }
    import django
    from django.core.management import call_command

    django.setup()
    # The console logs what Neo4j's planner notes on the library's statements, which takes longer
    # than some of them.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    call_command("migrate", verbosity=0)


@contextmanager
def graphs_of(engine: str, folder: Path) -> Iterator[Any]:
    if engine == "neo4j":
        os.environ.setdefault("NEO4J_HEAP", "2g")
        servers: Any = Neo4jGraphs(folder)
    else:
        server = ensure_server(folder)
        servers = EmbeddedGraphs(server.data_dir, server.socket_path)
    try:
        yield servers
    finally:
        servers.close()


def _patient() -> Any:
    """The library's peer, and its driver, which both give up before a large graph answers."""
    from tests.interop.library import Peer

    class Patient(Peer):
        @classmethod
        def on_falkordb(cls, socket: Path | str, graph: str) -> Self:
            return super().on_falkordb(f"{socket}?socket_timeout={PATIENCE}", graph)

        def wait[T](self, work: Coroutine[Any, Any, T]) -> T:
            return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=PATIENCE)

    return Patient


def _measure(run: Any, raw: RawGraph, size: int, *, alone: bool) -> None:
    from bench import load

    store = connect(Settings.from_env(raw.settings.environ()))
    store.setup_schema()
    start = time.monotonic()
    load.fill(raw, size)
    print(f"\n{run.engine}, {size:,} decisions, filled in {time.monotonic() - start:.0f} s")
    _compare(run, raw, store, size, alone=alone)


def _compare(run: Any, raw: RawGraph, store: GraphStore, size: int, *, alone: bool) -> None:
    from bench import load, report
    from bench.measure import drain, measure
    from bench.pages import measure_pages
    from bench.sides import Ours, Theirs, operations

    peer = _patient().on(raw.settings)
    try:
        library = peer.library(load.PROJECT)
        ours, theirs = Ours(store, size), Theirs(library, raw, size)
        run.pages[size] = measure_pages(raw, min(run.rounds, 5))
        for page in run.pages[size]:
            print(f"page {page.name:40} {page.milliseconds:9.1f} {page.round_trips:5}")
        print(report.header())

        def show(row: Any) -> None:
            print(report.line(row, run.engine), flush=True)

        asked = operations(ours, theirs, raw)
        if alone:
            asked = [replace(one, theirs=None) for one in asked]
        run.rows[size] = measure(asked, run.rounds, show)
        run.rows[size].append(drain(store, ours, None if alone else theirs, size))
        show(run.rows[size][-1])
    finally:
        peer.close()
        store.close()
    print(
        f"most memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB"
    )


if __name__ == "__main__":
    main()
