"""A web process is killed between the graph's commit and the console's own rows."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from graphstore.store import GraphStore
from tests.servers import GraphSettings

POINTS = [
    "before anything is stored here",
    "before the news is taken",
    "before the rows are stored",
    "before the graph is told",
]


@pytest.fixture
def process_environ(
    store: GraphStore, graph_settings: GraphSettings, tmp_path: Path
) -> dict[str, str]:
    """The environment of a console of its own on this test's graph."""
    assert store
    connection.ensure_connection()
    with closing(sqlite3.connect(tmp_path / "console.sqlite3")) as copy:
        # The tables as they are migrated here, since migrating again takes seconds.
        copy.executescript("\n".join(connection.connection.iterdump()))
    return {
        **{name: os.environ[name] for name in ("PATH", "RC_SECRET_KEY", "LEDGER_KEY")},
        **graph_settings.environ(),
        "RC_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }


def run(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.web.dying_process", *words],
        env=environ,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("point", POINTS)
def test_nothing_is_missing_from_the_queue_afterwards(
    process_environ: dict[str, str], point: str
) -> None:
    """What was rejected is gone, what rested on it is there, what else waited still waits."""
    died = run(process_environ, "die", point)
    assert died.returncode == -signal.SIGKILL, died.stderr
    seen = run(process_environ, "look")
    assert seen.returncode == 0, seen.stderr
    assert {conclusion for conclusion, _ in json.loads(seen.stdout)} == {
        "The letter promises 30 days.",
        "Two people sign above 500 euro.",
    }


def test_the_points_are_those_that_the_process_knows() -> None:
    """A point that was renamed would be killed nowhere."""
    from tests.web.dying_process import points

    assert list(points()) == POINTS
