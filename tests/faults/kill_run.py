"""Kill clients and engines again and again, and say what came of it.

    python -m tests.faults.kill_run [--engines embedded,neo4j] [--clients N] [--servers N] [--seed S]

`make kill` runs it with 500 of each. `KILL_SEED` sets the seed, which is printed, too.
Ends with code 1 and a trace at the first thing that does not hold.
"""

import argparse
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from random import Random

from graphstore import Settings, connect
from tests.faults import client_kills, engine_kills
from tests.faults.client_kills import CASES, JOBS, LONG, Stage
from tests.faults.mortal import Mother
from tests.faults.victims import EmbeddedVictim, Neo4jVictim, Victim
from tests.memory import in_memory

SIGN_SECONDS = 10.0


def say(words: str) -> None:
    """One line, at once."""
    print(words, flush=True)


def now_and_then(prefix: str) -> Callable[[str], None]:
    """Says what it is told, at most every ten seconds."""
    last = [time.monotonic()]

    def sign(words: str) -> None:
        if time.monotonic() - last[0] >= SIGN_SECONDS:
            last[0] = time.monotonic()
            say(f"{prefix}{words}")

    return sign


def kill_clients(victim: Victim, kills: int, seed: int, progress: Callable[[str], None]) -> str:
    """Kill so many clients: at every statement boundary, in jobs and drains, then at random moments."""
    began = time.monotonic()
    random = Random(seed)  # noqa: S311 - no secret
    victim.setup(victim.settings)
    store = connect(Settings.from_env(victim.settings.environ()))
    mother = Mother(victim.settings)
    stage = Stage(store, victim.raw(), mother)
    for state, act in CASES:
        client_kills.die_at_every_boundary(stage, state, act)
        progress(f"{stage.killed} clients, {act} at every statement")
    for write, resumed_by in JOBS:
        client_kills.die_in_a_job(stage, write, resumed_by)
        progress(f"{stage.killed} clients, a job of {write}")
    for state, act, resumed_by in LONG:
        client_kills.die_on_the_way(stage, state, act, resumed_by)
    at_boundaries = stage.killed
    mixed = cycle(random.sample(CASES, len(CASES)))
    while stage.killed < kills:
        client_kills.die_at_moments(stage, random, islice(mixed, 1))
        progress(f"{stage.killed} clients, of which {at_boundaries} at a statement")
    mother.close()
    store.close()
    return (
        f"{stage.killed} clients killed, {at_boundaries} at a statement and "
        f"{stage.killed - at_boundaries} at a random moment, in {time.monotonic() - began:.0f} s; "
        "none left anything half done, every repeat answered right"
    )


def run(engine: str, clients: int, servers: int, seed: int) -> None:
    """All kills of one engine."""
    # What a killed process wrote is not lost with it, wherever the folder is.
    with in_memory() as memory, tempfile.TemporaryDirectory(prefix="kills-", dir=memory) as folder:
        victim = (EmbeddedVictim if engine == "embedded" else Neo4jVictim)(Path(folder))
        sign = now_and_then(f"  {engine}: ")
        try:
            if servers:
                say(f"{engine}: {engine_kills.run(victim, servers, seed, sign)}")
            if clients:
                victim.fresh()
                say(f"{engine}: {kill_clients(victim, clients, seed, sign)}")
        finally:
            victim.close()


def main() -> int:
    """Carry out what the module's docstring says."""
    words = argparse.ArgumentParser(description="Kills clients and engines while they write.")
    words.add_argument("--engines", default="embedded,neo4j")
    words.add_argument("--clients", type=int, default=500)
    words.add_argument("--servers", type=int, default=500)
    words.add_argument("--seed", type=int, default=int(os.environ.get("KILL_SEED") or 0))
    given = words.parse_args()
    seed = given.seed or secrets.randbelow(1_000_000)
    say(f"KILL_SEED={seed}")
    for engine in given.engines.split(","):
        run(engine, given.clients, given.servers, seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
