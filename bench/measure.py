"""Takes the times: both sides in turn, so that a busy machine is busy for both."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench import load
from bench.sides import Operation, Ours, Prepared, Side, Theirs
from graphstore import GraphStore, counting
from graphstore.review_feed import close, take

THEIR_SECONDS = 12.0
"""When the library has taken this long for one operation, it is not asked again."""
WARM_ROUNDS = 12
WARM_SECONDS = 2.0
THEIR_UNITS = 60
"""Units of the library's drain that are timed at most; the rest is their mean, multiplied."""


@dataclass
class Measured:
    """What one side took for one operation, in milliseconds."""

    times: list[float] = field(default_factory=list[float])
    round_trips: int | None = None
    extrapolated_from: int | None = None
    """How many of the library's units were timed, when not all were."""

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    @property
    def fastest(self) -> float:
        return min(self.times)


@dataclass
class Row:
    """One operation at one size."""

    name: str
    ours: Measured
    theirs: Measured | None
    goal: tuple[float | None, float | None] = (None, None)
    pages: bool = False
    whole: bool = False
    """Whether it is about a tenth of the project, whatever its size."""

    @property
    def ratio(self) -> float | None:
        """How many times as long the library took, by the medians."""
        return self.theirs.median / self.ours.median if self.theirs is not None else None

    @property
    def best_ratio(self) -> float | None:
        """The same by the fastest round of each side, which a busy machine disturbs less."""
        return self.theirs.fastest / self.ours.fastest if self.theirs is not None else None


def measure(
    operations: Sequence[Operation], rounds: int, report: Callable[[Row], None]
) -> list[Row]:
    """Every operation in turn, `rounds` times on each side."""
    rows: list[Row] = []
    for operation in operations:
        back = operation.around() if operation.around else None
        try:
            rows.append(_one(operation, rounds))
        finally:
            if back is not None:
                back()
        report(rows[-1])
    return rows


def _one(operation: Operation, rounds: int) -> Row:
    ours = Measured()
    theirs = Measured() if operation.theirs else None
    spent = 0.0
    first, _ = _warm_up(operation.ours)
    if operation.theirs is not None and theirs is not None:
        begun, last = _warm_up(operation.theirs)
        first = max(first, begun)
        if last > THEIR_SECONDS:
            theirs.times.append(last * 1000)
            spent = last
    for k in range(first, first + rounds):
        _time(ours, operation.ours, k)
        if operation.theirs is None or theirs is None:
            continue
        if spent < THEIR_SECONDS or not theirs.times:
            spent += _time(theirs, operation.theirs, k)
    return Row(operation.name, ours, theirs, operation.goal, operation.pages)


def _warm_up(side: Side) -> tuple[int, float]:
    """Rounds that are not counted, while statements are planned and compiled.

    Returns how many there were, and the seconds of the last: one that took long is not repeated.
    """
    spent = last = 0.0
    for k in range(WARM_ROUNDS):
        last = _seconds(side(k))
        spent += last
        if spent > WARM_SECONDS:
            return k + 1, last
    return WARM_ROUNDS, last


def _time(into: Measured, side: Side, k: int) -> float:
    """One round; returns the seconds it took."""
    run = side(k)
    with counting() as trips:
        seconds = _seconds(run)
    into.times.append(seconds * 1000)
    into.round_trips = trips.count
    return seconds


def _seconds(run: Prepared) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def drain(store: GraphStore, ours: Ours, theirs: Theirs | None, decisions: int) -> Row:
    """Rejecting a decision that a tenth of the project rests on, until its queue is empty.

    The library's side is timed for `THEIR_UNITS` of its queue at most.
    """
    dependents = decisions // 10
    mine = Measured()
    with counting() as trips:
        mine.times.append(_seconds(lambda: _settled(store, ours)) * 1000)
    mine.round_trips = trips.count
    name, goal = f"flag and settle {dependents:,} dependents", (400.0, 1000.0)
    if theirs is None:
        return Row(name, mine, None, goal, whole=True)
    other, root = Measured(), load.root_id("theirs")
    rejected = _seconds(lambda: theirs.library.reject_decision(root, "no"))
    units, drained = 0, 0.0
    while units < min(THEIR_UNITS, dependents + 1):
        start = time.perf_counter()
        units += theirs.library.continue_decision_review(limit=10)
        drained += time.perf_counter() - start
    whole = rejected + drained / units * (dependents + 1)
    other.times.append(whole * 1000)
    other.extrapolated_from = units if units < dependents + 1 else None
    theirs.settle()
    return Row(name, mine, other, goal, whole=True)


def _settled(store: GraphStore, ours: Ours) -> None:
    """As the console does it: the verdict, then the feed until it has nothing more."""
    given = ours.traces.reject_decision(load.root_id("ours"), "no")
    assert given.recorded, given
    while True:
        batch = take(store, load.PROJECT, after_epoch=10**9)
        close(store, batch.entry_ids)
        if not batch.more:
            return
