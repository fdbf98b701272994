"""What the document promises, tried with generated calls on every engine: no failure, no surprise."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from reviewconsole.models import Role, User
from tests.servers import engines_asked_for
from tests.web.api.calling import bearer, secret_of
from tests.web.api.test_permissions import operations
from tests.web.world import POLICY_KEY, PROJECT, World

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = {GenerationMode.POSITIVE: 8, GenerationMode.NEGATIVE: 4}


@pytest.fixture(scope="session", params=engines_asked_for())
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine of this run in turn."""
    return request.param


@pytest.fixture
def headers(alice: User) -> dict[str, str]:
    """Those of a token that may do everything."""
    alice.is_librarian = True
    alice.save()
    return bearer(secret_of(alice, Role.ADMIN, librarian=True))


def asked(headers: dict[str, str]) -> Iterator[APIOperation]:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        yield found.ok()


def places(world: World, turn: int) -> dict[str, Any]:
    """What an address may name: something that is there, in three of four turns."""
    real = {
        "project": PROJECT,
        "task_name": ["audit", "letters"][turn % 2],
        "task_id": str(world.days.task_id),
        "decision_id": str([world.days, world.letter, world.scope][turn % 3].id),
        "document_key": POLICY_KEY,
        "choice_key": "days",
    }
    return real if turn else {"project": PROJECT}


@pytest.mark.parametrize("mode", list(EXAMPLES), ids=lambda mode: mode.value)
def test_no_generated_call_fails(
    mode: GenerationMode, world: World, headers: dict[str, str]
) -> None:
    """Every operation, with arguments that fit the document and with such as do not."""
    tried = set[str]()
    for operation in asked(headers):
        tried.add(operation.definition.raw["operationId"])

        @given(case=operation.as_strategy(generation_mode=mode), turn=some.integers(0, 3))
        @settings(
            max_examples=EXAMPLES[mode],
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        )
        def run(case: Case, turn: int) -> None:
            named = places(world, turn)
            case.path_parameters |= {
                name: value for name, value in named.items() if name in case.path_parameters
            }
            case.headers.pop("On-Behalf-Of", None)
            response = case.call(headers=headers)
            case.validate_response(response, checks=CHECKS)

        run()
    assert tried == operations()
