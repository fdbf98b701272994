"""What must hold of a client that died, at whatever statement, and of those who come after it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from typing import Any

from graphstore.store import GraphStore
from tests.contract.canon import Picture
from tests.contract.looking import nodes
from tests.contract.scenario import CALM, FLAGGED, TRAVELLING, Scene
from tests.contract.seeding import Bulk, Heard
from tests.contract.world import Work, answer
from tests.faults.mortal import (
    ACTS,
    AFTER,
    AFTER_COMMIT,
    BEFORE_COMMIT,
    COMMIT,
    MOMENT,
    Life,
    Mother,
    Order,
    observed,
)  # fmt: skip
from tests.servers import RawGraph

WRITES = (
    "create_task", "record_event", "record_events", "second_event", "set_step", "resume_task",
    "record_decision", "record_dependent", "supersede_decision", "supersede_parent",
    "reject_decision", "reject_parent", "ask_for_review", "withdraw_verdict",
    "put_document", "remove_document", "grant_document", "revoke_document",
    "redact_event", "delete_task", "delete_task_only",
)  # fmt: skip
WRITES_FLAGGED = (
    "supersede_decision", "reject_decision", "reject_child", "reaffirm_decision",
    "record_decision", "put_document", "redact_event", "delete_task",
)  # fmt: skip
CASES = [(CALM, name) for name in WRITES] + [(FLAGGED, name) for name in WRITES_FLAGGED]
"""Each write in a state in which it changes something."""
JOBS = [("put_document", "put_document"), ("redact_event", "take")]
"""Writes that leave a job, since more stand on the source than one commit flags; and who goes on."""
LONG = [
    (TRAVELLING, "drain", "drain"),
    (TRAVELLING, "take", "take"),
    (CALM, "delete_in_parts", "take"),
]
"""Other works of several commits: flags moved on as an agent and as a console does it, a large task deleted."""
CITERS = 510
"""Decisions that such a source has: a full slice of the job and a rest."""


@dataclass
class Stage:
    """One graph with a project for every death."""

    store: GraphStore
    raw: RawGraph
    mother: Mother
    numbers: "count[int]" = field(default_factory=count)
    killed: int = 0

    def scenes(self, state: str, number: int) -> list[Scene]:
        """So many new projects that are filled alike."""
        bulk = Bulk(self.raw)
        made = [Scene(f"{state} {next(self.numbers)}", state) for _ in range(number)]
        for scene in made:
            scene.build(bulk.within(scene.project))
        bulk.flush()
        return made

    def work(self, scene: Scene) -> Work:
        """The operations of a project for the author that its clients have."""
        return Work(self.store, self.raw, scene.project, "client")

    def kill(self, order: Order) -> Life:
        """Bear one client and count it when it is killed."""
        life = self.mother.bear(order)
        self.killed += life.killed
        return life

    def snapshot(self, scene: Scene) -> list[Any]:
        """All of a project, and how much there is in all others."""
        nodes_in_all = self.raw.run("MATCH (n) RETURN count(n)")
        edges_in_all = self.raw.run("MATCH ()-[r]->() RETURN count(r)")
        return [Picture(self.raw, scene).everything(), nodes_in_all, edges_in_all]


@dataclass(frozen=True)
class Whole:
    """What an operation does where nobody dies."""

    act: str
    state: str
    log: str
    answer: Any
    canonical: dict[str, Any]

    @classmethod
    def of(cls, stage: Stage, state: str, act: str) -> "Whole":
        """Do it on a project of its own."""
        (scene,) = stage.scenes(state, 1)
        result, log = observed(act, stage.work(scene), scene, Order.request_id)
        assert result.recorded, result
        return cls(act, state, log, answer(result), Picture(stage.raw, scene).canonical())

    @property
    def boundaries(self) -> range:
        """Numbers of statements after which a client can die: none of them, …, all of them."""
        return range(len(self.log) + 1)

    def order(self, scene: Scene, how: str, at: float) -> Order:
        """A death during this operation."""
        return Order(self.act, scene.project, scene.state, how, at)


def die_at_boundary(stage: Stage, whole: Whole, scene: Scene, at: int) -> None:
    """Kill a client after `at` statements: what it did is whole, and a repeat answers right."""
    before = stage.snapshot(scene)
    life = stage.kill(whole.order(scene, AFTER, at))
    assert (life.killed, life.log) == (True, whole.log[:at])
    landed = stage.snapshot(scene)
    assert (landed != before) == (COMMIT in life.log)
    assert Picture(stage.raw, scene).broken() == []
    repeat(stage, whole, scene, finished=life.log.count(COMMIT) == whole.log.count(COMMIT))


def repeat(stage: Stage, whole: Whole, scene: Scene, *, finished: bool = False) -> None:
    """A repeat ends as if nobody had died, and one more changes nothing; nor the first if `finished`."""
    landed = stage.snapshot(scene)
    for number in range(2):
        result = ACTS[whole.act](stage.work(scene), scene, Order.request_id)
        assert answer(result) == whole.answer
        after = stage.snapshot(scene)
        assert after == landed or not (finished or number)
        landed = after
    found = Picture(stage.raw, scene)
    assert found.broken() == []
    assert found.canonical() == whole.canonical


def die_at_moment(stage: Stage, whole: Whole, scene: Scene, seconds: float) -> None:
    """Kill a client from outside, maybe within a statement: it lands whole or not at all."""
    stage.kill(whole.order(scene, MOMENT, seconds))
    # The engine may still be at work on what the client sent, so only the end tells.
    repeat(stage, whole, scene)


def die_at_every_boundary(stage: Stage, state: str, act: str) -> None:
    """Kill one client at each statement boundary of an operation."""
    whole = Whole.of(stage, state, act)
    for at, scene in zip(whole.boundaries, stage.scenes(state, len(whole.boundaries)), strict=True):
        die_at_boundary(stage, whole, scene, at)


def die_at_moments(stage: Stage, random: Random, cases: Iterable[tuple[str, str]]) -> None:
    """Kill one client of each case at a moment that chance takes."""
    for state, act in cases:
        whole = Whole.of(stage, state, act)
        (scene,) = stage.scenes(state, 1)
        # Some die before their first statement and some after their last.
        die_at_moment(stage, whole, scene, random.uniform(0, 0.002 + 0.004 * len(whole.log)))


def crowd(stage: Stage) -> tuple[Scene, list[str]]:
    """A calm project in which 510 decisions cite the document and the first event of `t`."""
    (scene,) = stage.scenes(CALM, 1)
    bulk = Bulk(stage.raw, scene.project)
    bulk.task("crowd")
    made = bulk.decisions(
        [(f"d{k:04}", [scene.cited, Heard("t", 1)]) for k in range(CITERS)], task="crowd"
    )
    bulk.flush()
    return scene, made


def die_in_a_job(stage: Stage, act: str, resumed_by: str) -> int:
    """Kill whoever works on a job before and after each of its commits; returns how many died.

    The write itself dies first, once on either side of its commit; then those who go on
    with it, then whoever moves its flags on, until one of them finds nothing more to do.
    """
    scene, made = crowd(stage)
    order = Order(act, scene.project, CALM)
    assert stage.kill(replace(order, how=BEFORE_COMMIT)).log.count(COMMIT) == 0
    assert stage.kill(replace(order, how=AFTER_COMMIT, at=1)).log.count(COMMIT) == 1
    assert "flag_citers" in open_jobs(stage, scene)
    died = 2 + die_until_done(stage, replace(order, act=resumed_by))
    died += die_until_done(stage, replace(order, act="take"))
    assert answer(ACTS[act](stage.work(scene), scene, Order.request_id)) == (True, None)
    seen = Picture(stage.raw, scene)
    assert seen.broken() == []
    flagged = [seen.decisions[i] for i in made]
    assert [(d["review_state"], d["ctx_version"]) for d in flagged] == [
        ("needs_review", 1)
    ] * CITERS
    assert not any(d.get("review_pending") for d in seen.decisions.values())
    assert seen.project["review_incomplete"] is False
    assert open_jobs(stage, scene) == []
    return died


def die_until_done(stage: Stage, order: Order) -> int:
    """Kill clients before and after their first commit, turn about, until one lives; returns how many died."""
    died = 0
    while True:
        for how, at in ((BEFORE_COMMIT, 0), (AFTER_COMMIT, 1)):
            life = stage.kill(replace(order, how=how, at=at))
            if not life.killed:
                return died
            died += 1


def open_jobs(stage: Stage, scene: Scene) -> list[str]:
    """The kinds of jobs that are left to whoever comes by."""
    return [
        job["kind"]
        for job in nodes(stage.raw, "CtxJob")
        if "ctx_open" in job and scene.project in job["project_ids"]
    ]


def die_on_the_way(stage: Stage, state: str, act: str, resumed_by: str) -> int:
    """Kill whoever does a work of several commits, before and after each; returns how many died.

    In the end the project is as if nobody had died, nothing is queued and no job is open.
    """
    whole, scene = stage.scenes(state, 2)
    for name in (act, resumed_by):
        ACTS[name](stage.work(whole), whole, Order.request_id)
    order = Order(act, scene.project, state)
    died = stage.kill(replace(order, how=BEFORE_COMMIT)).killed
    died += stage.kill(replace(order, how=AFTER_COMMIT, at=1)).killed
    died += die_until_done(stage, replace(order, act=resumed_by))
    expected, seen = Picture(stage.raw, whole), Picture(stage.raw, scene)
    assert seen.broken() == []
    assert seen.canonical() == expected.canonical()
    assert not any(d.get("review_pending") for d in seen.decisions.values())
    assert seen.project["review_incomplete"] is False
    assert open_jobs(stage, scene) == []
    return died
