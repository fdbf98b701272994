"""The same machine without an end: `make fuzz [FUZZ_SECONDS=600] [FUZZ_SEED=…] [ENGINES=neo4j]`.

Each batch of examples has a seed of its own, which is printed; the same seed gives the
same batch again. It ends at the first failure, with the calls that led there.
"""

import argparse
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from graphstore import Settings, connect
from graphstore.engines.embedded import ensure_server
from tests.model.acting import Acting
from tests.model.machine import Machine, bound
from tests.servers import EmbeddedGraphs, Neo4jGraphs, RawGraph, engines_asked_for

BATCH = 10
"""Examples of one seed."""
TURN = 600.0
"""Seconds on one engine before the next has its turn, when no end is asked for."""


@contextmanager
def graph(engine: str) -> Iterator[RawGraph]:
    """An empty graph on a server of our own, or on the Neo4j that the environment names."""
    with tempfile.TemporaryDirectory() as home:
        if engine == "neo4j":
            served = Neo4jGraphs(Path(home))
            with served.empty_graph() as raw:
                yield raw
            served.clear()
            served.close()
        else:
            with ensure_server(Path(home)) as server:
                graphs = EmbeddedGraphs(server.data_dir, server.socket_path)
                with graphs.empty_graph() as raw:
                    yield raw
                graphs.close()


def run(raw: RawGraph, seconds: float, first: int | None, *, shrink: bool) -> None:
    """Batch after batch, until the time is over; of a given seed that one batch."""
    store = connect(Settings.from_env(raw.settings.environ()))
    store.setup_schema()
    phases = [Phase.generate, *([Phase.shrink] if shrink else [])]
    how = settings(
        max_examples=BATCH,
        stateful_step_count=100,
        deadline=None,
        database=None,
        phases=phases,
        report_multiple_bugs=False,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
        ],
    )
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        chosen = secrets.randbits(32) if first is None else first
        print(f"seed {chosen}, {Machine.steps} steps so far", flush=True)
        machine = seed(chosen)(bound(Acting(store), raw))
        run_state_machine_as_test(machine, settings=how)
        # What earlier examples left costs the next ones nothing, but the disk is not endless.
        raw.run("MATCH (n) WITH n LIMIT 100000 DETACH DELETE n")
        if first is not None:
            break
    store.close()


def report(engine: str) -> None:
    """What was called how often, and what it answered."""
    print(f"{engine}: {Machine.steps} steps")
    for (operation, error), times in sorted(Machine.answers.items(), key=str):
        print(f"{times:8} {operation}: {error or 'recorded'}", flush=True)


def main(arguments: list[str]) -> None:
    """Fuzz each engine that is asked for in turn; without a time, for ever."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--shrink", action="store_true")
    asked = parser.parse_args(arguments)
    engines = engines_asked_for()
    for engine in engines if asked.seconds else cycle(engines):
        Machine.answers, Machine.steps = Counter(), 0
        with graph(engine) as raw:
            run(raw, asked.seconds or TURN, asked.seed, shrink=asked.shrink)
        report(engine)


if __name__ == "__main__":
    main(sys.argv[1:])
