"""A runner killed at any commit of a deletion loses nothing: the next one goes on where it stopped."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from graphstore import HistoryRetention
from graphstore.retention import Bounds
from graphstore.store import GraphStore
from tests.contract.conftest import opened
from tests.contract.looking import nodes
from tests.contract.seeding import Heard, Seed, derived
from tests.contract.world import Work
from tests.faults.dying_runner import AFTER, BEFORE
from tests.servers import RawGraph

DEATHS = [(1, AFTER), (2, BEFORE), (4, AFTER), (6, BEFORE), (9, AFTER)]
"""At which commit of the job, on which side of it: while decisions, events and the rest go."""


@pytest.fixture(scope="module")
def graph(engine: str, request: pytest.FixtureRequest) -> Iterator[tuple[GraphStore, RawGraph]]:
    """One graph, with a project for each death."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        yield store, raw
        store.close()


@pytest.mark.parametrize(("number", "point"), DEATHS)
def test_a_killed_runner_is_taken_over(
    number: int, point: str, graph: tuple[GraphStore, RawGraph]
) -> None:
    """Everything goes once, whoever cited it is flagged once, and nothing is left."""
    store, raw = graph
    project = f"{number} {point}"
    seed, work = Seed(raw, project), Work(store, raw, project)
    seed.project_node()
    task = seed.task("t", *(f"word {k}" for k in range(7)))
    seed.task("u", "Elsewhere.")
    work.record("own", Heard("t", 1))
    letter = work.record("letter", Heard("t", 7), task="u")
    retention = HistoryRetention(store, project, "admin", bounds=Bounds(at_once=0, events=2))
    result = retention.delete_task("t", request_id="r")
    words = [sys.executable, "-m", "tests.faults.dying_runner", str(number), point, project]
    env = os.environ | raw.settings.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)}
    died = subprocess.run(words, env=env, capture_output=True, check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    before = retention.get_job(result.job_id or "")
    assert before is not None
    assert before.step == number - (point == BEFORE)
    retention.finish_jobs()
    done = retention.get_job(result.job_id or "")
    assert done is not None
    assert (done.state, done.erased_events, done.erased_decisions) == ("done", 7, 1)
    assert retention.delete_task("t", request_id="r").affected_decision_ids == [str(letter.id)]
    assert nodes(raw, "Event", task_id=task) == nodes(raw, "Task", id=derived(project, "t")) == []
