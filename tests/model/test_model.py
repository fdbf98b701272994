"""The record does what the rules say: thousands of calls on it and on a model of the rules."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.contract.conftest import opened
from tests.model.acting import Acting
from tests.model.machine import Machine, bound
from tests.servers import RawGraph

STEPS = 80
EXAMPLES = 28
"""Hypothesis tries one or two fewer now and then; what it tries depends on the code that is loaded."""
ALL = settings(
    derandomize=True,
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)


@pytest.fixture
def raw(engine: str, request: pytest.FixtureRequest) -> Iterator[RawGraph]:
    """The graph of this run that keeps its schema, emptied."""
    with request.getfixturevalue(f"{engine}_graphs").emptied_graph() as graph:
        yield graph


def test_the_record_does_what_the_rules_say(raw: RawGraph) -> None:
    """Every call of 2,000 answers as the model says, and everything read back is as the model has it."""
    store = opened(raw.settings)
    before = Machine.steps
    run_state_machine_as_test(bound(Acting(store), raw), settings=ALL)
    store.close()
    assert Machine.steps - before >= 2000
