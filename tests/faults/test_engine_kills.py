"""Engines killed at random moments lose no acknowledged write and leave none half done."""

import os
import subprocess
import sys

from tests.servers import engines_asked_for

KILLS = {"embedded": 50, "neo4j": 5}


def test_killed_engines_lose_nothing() -> None:
    """Every write is there once and whole, every repeat answers right, and all comes back by itself.

    All engines of this run die at once, each in servers of its own, since most of the
    time a server that is started again is only waited for.
    """
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    runs = {
        engine: subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.faults.kill_run", "--engines", engine),
                *("--clients", "0", "--servers", str(KILLS[engine])),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
        )
        for engine in engines_asked_for()
    }
    said = {engine: run.communicate()[0] for engine, run in runs.items()}
    print(*said.values(), sep="\n")
    for engine, run in runs.items():
        assert run.returncode == 0
        assert f"{engine}: {KILLS[engine]} kills" in said[engine]
