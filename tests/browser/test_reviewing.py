"""A reviewer clears a small queue with every trap in it, as `make reviewing` does with 300 flags."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from bench.handbook import FEW, Kind, fill
from bench.reviewed import Run, misses, read_back, work_through
from graphstore import GraphStore, Settings, connect
from reviewconsole.models import Role
from tests.browser.console import Console
from tests.browser.windows import Windows
from tests.servers import GraphSettings


@pytest.fixture
def store(graph: GraphSettings) -> Iterator[GraphStore]:
    """The graph of the console, past it."""
    store = connect(Settings.from_env(graph.environ()))
    yield store
    store.close()


@pytest.fixture(autouse=True)
def worker(console: Console) -> Iterator[None]:
    """What compares, and carries the bulk out."""
    console.start_worker()
    yield
    console.stop_worker()


def test_every_trap_is_named_and_none_is_offered_in_bulk(
    console: Console, store: GraphStore, windows: Windows
) -> None:
    """Three interactions a flag at most, no page loaded on the way, everything judged once."""
    project = f"pumps-{uuid4().hex[:10]}"
    rules = fill(store, project, FEW)
    console.grant("bob", project, Role.REVIEWER)
    reviewer = work_through(windows.open("bob"), project)
    run = Run("", rules, reviewer, read_back(store, project, rules))
    assert misses(run) == []
    assert run.offered == run.decisions(Kind.CALM)
    assert len(reviewer.seen) == len(rules) - FEW[Kind.CALM]
