"""A client killed at any statement of a write leaves it whole or not at all, and a repeat answers right."""

import os
from collections.abc import Iterator
from random import Random

import pytest

from tests.contract.conftest import opened
from tests.faults.client_kills import (
    CASES,
    JOBS,
    LONG,
    Stage,
    die_at_every_boundary,
    die_at_moments,
    die_in_a_job,
    die_on_the_way,
)  # fmt: skip
from tests.faults.mortal import Mother

SEED = int(os.environ.get("KILL_SEED", "5"))


@pytest.fixture(scope="module")
def stage(engine: str, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A graph of this module's own, and a process that bears clients of it."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        mother = Mother(raw.settings)
        yield Stage(store, raw, mother)
        mother.close()
        store.close()


@pytest.mark.parametrize(("state", "operation"), CASES)
def test_a_client_dies_at_every_statement_of_a_write(
    state: str, operation: str, stage: Stage
) -> None:
    """Before its commit nothing is there, after it everything; a repeat writes once or finds it."""
    killed = stage.killed
    die_at_every_boundary(stage, state, operation)
    assert stage.killed - killed >= 2


def test_clients_die_within_their_statements(stage: Stage) -> None:
    """At a moment that chance takes: the write is whole once it is repeated, and written once."""
    die_at_moments(stage, Random(SEED), CASES[:16])  # noqa: S311 - no secret


@pytest.mark.parametrize(("write", "resumed_by"), JOBS)
def test_a_job_goes_on_after_every_death(write: str, resumed_by: str, stage: Stage) -> None:
    """Whoever repeats the write or comes by takes the next slice; each citer is flagged once."""
    assert die_in_a_job(stage, write, resumed_by) >= 8


@pytest.mark.parametrize(("state", "work", "resumed_by"), LONG)
def test_a_long_work_goes_on_after_every_death(
    state: str, work: str, resumed_by: str, stage: Stage
) -> None:
    """Flags that travel and a large task that goes: in the end it is as if nobody had died."""
    assert die_on_the_way(stage, state, work, resumed_by) >= 2
