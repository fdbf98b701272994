"""One operation of ours between another's gather and its commit: the outcome is one of the two orders.

Every ordered pair of operations runs on projects that are filled alike: in one the
first goes first, in one the second does, and in one the second comes in between. What
the last holds once its flags have travelled, and what both were answered, must be what
one of the others holds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import pytest

from graphstore.store import GraphStore
from tests.contract.canon import Picture
from tests.contract.conftest import opened
from tests.contract.scenario import CALM, FLAGGED, OPERATIONS, TRAVELLING, Scene
from tests.contract.seeding import Bulk
from tests.contract.world import Meanwhile, Work, answer
from tests.servers import RawGraph, engines_asked_for

JUDGING = (
    "record_decision", "record_dependent", "supersede_decision", "supersede_parent",
    "reject_decision", "reject_parent", "reaffirm_decision", "reaffirm_child",
    "put_document", "remove_document", "redact_event",
    "ask_for_review", "withdraw_verdict",
)  # fmt: skip
DRAIN = "continue_decision_review"
QUEUED = ("record_dependent", "supersede_decision", "reject_decision", "reaffirm_decision")

Pair = tuple[str, str, str]
PAIRS: list[Pair] = [(CALM, *pair) for pair in combinations_with_replacement(JUDGING, 2)]
"""Those that meet on one decision, in one order on each engine."""
OTHERS = [(CALM, one, two) for one in OPERATIONS for two in OPERATIONS]
LATER: list[Pair] = [pair for pair in OTHERS if pair not in PAIRS]
"""Every other ordered pair, and flags that stand or travel, on the first engine of the run."""
LATER += [(FLAGGED, one, two) for one in JUDGING for two in JUDGING]
LATER += [(TRAVELLING, one, DRAIN) for one in OPERATIONS]
LATER += [(TRAVELLING, DRAIN, two) for two in OPERATIONS if two != DRAIN]
LATER += [(TRAVELLING, one, two) for one in QUEUED for two in QUEUED]


AGAIN = " again"
"""Two calls of one operation are told apart by their authors."""


@dataclass
class Stage:
    """One graph with a project for every run, and the outcomes of the orders so far."""

    store: GraphStore
    raw: RawGraph
    serial: dict[str, Any] = field(default_factory=dict[str, Any])

    def act(self, scene: Scene, agent: str, store: GraphStore) -> Any:
        """The operation that the agent is named after; one without a result answers nothing."""
        operation = OPERATIONS[agent.removesuffix(AGAIN)]
        result = operation(Work(store, self.raw, scene.project, agent), scene, None)
        return answer(result) if hasattr(result, "recorded") else None

    def outcome(self, scene: Scene, answers: dict[str, Any]) -> dict[str, Any]:
        """What the project holds once its flags have travelled, and the answers."""
        assert Picture(self.raw, scene).broken() == []
        Work(self.store, self.raw, scene.project).traces.continue_decision_review()
        after = Picture(self.raw, scene)
        assert after.broken() == []
        return after.canonical() | {"answers": answers}

    def in_order(self, state: str, first: str, second: str) -> dict[str, Any]:
        """The outcome when `first` is done before `second` begins."""
        scene = Scene(f"{state}: {first}, then {second}", state)
        if scene.project not in self.serial:
            answers = {agent: self.act(scene, agent, self.store) for agent in (first, second)}
            self.serial[scene.project] = self.outcome(scene, answers)
        return self.serial[scene.project]


def agents(one: str, two: str) -> tuple[str, str]:
    """Names for the callers of two operations."""
    return one, two + AGAIN * (one == two)


def scenes(pairs: list[Pair]) -> Iterator[Scene]:
    """Every project that the pairs need."""
    names: dict[str, str] = {}
    for state, one, two in pairs:
        first, second = agents(one, two)
        names[f"{state}: {second} within {first}"] = state
        names[f"{state}: {first}, then {second}"] = state
        names[f"{state}: {second}, then {first}"] = state
    for name, state in names.items():
        yield Scene(name, state)


@contextmanager
def raised(engine: str, request: pytest.FixtureRequest, pairs: list[Pair]) -> Iterator[Stage]:
    """A graph of this module's own, with all projects in it."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        bulk = Bulk(raw)
        for scene in scenes(pairs):
            scene.build(bulk.within(scene.project))
        bulk.flush()
        yield Stage(store, raw)
        store.close()


@pytest.fixture(scope="module")
def stage(engine: str, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """The projects of the pairs that run on each engine."""
    with raised(engine, request, PAIRS) as stage:
        yield stage


@pytest.fixture(scope="module", params=engines_asked_for()[:1])
def later_stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """The projects of all others, on the first engine of the run.

    What comes of them is decided by the plans, which know no engine; that guards and
    locks hold is seen on each engine by the pairs above, by `test_guards` and the races.
    """
    with raised(request.param, request, LATER) as stage:
        yield stage


@pytest.mark.parametrize(("state", "one", "two"), PAIRS)
def test_between_gather_and_commit(state: str, one: str, two: str, stage: Stage) -> None:
    """The second operation, between the first's gather and its commit, ends in one order or the other."""
    come_between(stage, state, one, two)


@pytest.mark.parametrize(("state", "one", "two"), LATER)
def test_between_gather_and_commit_of_any_other(
    state: str, one: str, two: str, later_stage: Stage
) -> None:
    """The same of every other pair, where the policy has moved on, and where its flags still travel."""
    come_between(later_stage, state, one, two)


def come_between(stage: Stage, state: str, one: str, two: str) -> None:
    """Run the second within the first; the outcome must be that of one of the orders."""
    first, second = agents(one, two)
    orders = [stage.in_order(state, first, second), stage.in_order(state, second, first)]
    scene = Scene(f"{state}: {second} within {first}", state)
    answers: dict[str, Any] = {}

    def meanwhile() -> None:
        answers[second] = stage.act(scene, second, stage.store)

    between = Meanwhile(stage.store, meanwhile)
    answers[first] = stage.act(scene, first, between)
    # Who commits nothing lets nobody in between: then the second comes after.
    between.let_in()
    assert stage.outcome(scene, answers) in orders
