"""A client killed at any point of a write leaves it whole or not at all, and a repeat answers right."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from graphstore.store import GraphStore
from tests.contract.canon import Picture
from tests.contract.conftest import opened
from tests.contract.looking import dump
from tests.contract.scenario import CALM, FLAGGED, OPERATIONS, TRAVELLING, Scene
from tests.contract.seeding import Bulk
from tests.contract.world import Work
from tests.faults.dying_client import AFTER, BEFORE, REQUEST
from tests.servers import RawGraph

DRAIN = "continue_decision_review"
STATES = {
    "create_task": CALM,
    "record_event": CALM,
    "record_events": CALM,
    "record_decision": CALM,
    "supersede_decision": FLAGGED,
    "reject_decision": FLAGGED,
    "reject_parent": CALM,
    "reaffirm_decision": FLAGGED,
    DRAIN: TRAVELLING,
    "put_document": CALM,
    "remove_document": CALM,
    "redact_event": CALM,
}
"""Each operation in a state in which it changes something."""


@dataclass
class Graph:
    """One graph with a project for every death."""

    store: GraphStore
    raw: RawGraph

    def kill_client(self, operation: str, point: str, scene: Scene) -> None:
        """Run a client that dies at the point."""
        words = [sys.executable, "-m", "tests.faults.dying_client", operation, point, scene.project]
        env = os.environ | self.raw.settings.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)}
        died = subprocess.run(words, env=env, capture_output=True, check=False)
        assert died.returncode == -signal.SIGKILL, died.stderr.decode()


def scene_of(operation: str, point: str) -> Scene:
    """The project in which the operation dies at the point."""
    state = STATES[operation]
    return Scene(f"{state}:{operation}:{point}", state)


@pytest.fixture(scope="module")
def graph(engine: str, request: pytest.FixtureRequest) -> Iterator[Graph]:
    """A graph of this module's own, with all projects in it."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        bulk = Bulk(raw)
        for operation in STATES:
            for point in (BEFORE, AFTER):
                scene = scene_of(operation, point)
                scene.build(bulk.within(scene.project))
        bulk.flush()
        yield Graph(store, raw)
        store.close()


@pytest.mark.parametrize("operation", STATES)
def test_a_client_killed_before_its_commit_leaves_nothing(operation: str, graph: Graph) -> None:
    """Nothing of a write is there whose client died between gather and commit."""
    before = dump(graph.raw)
    graph.kill_client(operation, BEFORE, scene_of(operation, BEFORE))
    assert dump(graph.raw) == before


@pytest.mark.parametrize("operation", [name for name in STATES if name != DRAIN])
def test_a_client_killed_before_its_answer_has_written_once(operation: str, graph: Graph) -> None:
    """All of a write is there whose client died before the answer, and a repeat finds it."""
    scene = scene_of(operation, AFTER)
    before = dump(graph.raw)
    graph.kill_client(operation, AFTER, scene)
    landed = dump(graph.raw)
    assert landed != before
    assert Picture(graph.raw, scene).broken() == []
    work = Work(graph.store, graph.raw, scene.project, "client")
    assert OPERATIONS[operation](work, scene, REQUEST).recorded
    assert dump(graph.raw) == landed


def test_a_drain_killed_before_its_answer_goes_on(graph: Graph) -> None:
    """Flags that a killed drain had moved on are moved once, and the next one brings the rest home."""
    scene = scene_of(DRAIN, AFTER)
    graph.kill_client(DRAIN, AFTER, scene)
    assert Picture(graph.raw, scene).broken() == []
    Work(graph.store, graph.raw, scene.project).traces.continue_decision_review()
    after = Picture(graph.raw, scene)
    assert after.broken() == []
    project = graph.raw.run(
        "MATCH (p:Project {project_id: $p}) RETURN p.review_incomplete", {"p": scene.project}
    )
    assert project == [[False]]
