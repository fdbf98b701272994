"""Bad JSON at every field of every body: an answer that says what is wrong, and nothing written.

Generated calls (`test_whole_document`) try what a schema tells apart; here is what none tells.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_django.fixtures import Settings

from reviewconsole.api.root import api
from tests.contract.bad_input import LONG, ODD, UNHELD
from tests.contract.looking import dump
from tests.servers import RawGraph
from tests.web.api.calling import Api
from tests.web.browsing import Answer
from tests.web.world import POLICY_KEY, PROJECT, World

HUGE = "1" + "0" * 4_000
VALUES: Mapping[str, str] = {
    **{name: json.dumps(UNHELD[name]) for name in ("NUL", "high surrogate")},
    **{name: json.dumps(ODD[name]) for name in ("controls", "right to left", "blank")},
    "1 MB": json.dumps(LONG["1 MB"]),
    "nothing": "null",
    "not a number": "NaN",
    "above all": "1e999",
    "beyond 64 bits": str(2**63),
    "huge": HUGE,
    "true": "true",
    "list": "[]",
    "deep": "[" * 900 + "]" * 900,
    "object": '{"__proto__": 1}',
    "twenty-one": json.dumps([{"kind": "event", "task_name": "audit", "seq": 1}] * 21),
    "of another kind": json.dumps([{"kind": "event", "decision_id": "x"}]),
    "far event": json.dumps([{"kind": "event", "task_name": "audit", "seq": 2**53 - 1}]),
}
"""JSON texts, as a body carries them."""
NO_BODIES = ["", "{", "[]", "null", '"x"', "{}" * 2, "\ufeff{}", '{"a": 1, "a": 2}', "[" * 100_000]


def filled(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """The least that a schema takes."""
    if "$ref" in schema:
        return filled(known[schema["$ref"].rsplit("/", 1)[-1]], known)
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], known)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    match schema["type"]:
        case "object":
            fields = schema.get("properties", {})
            return {name: filled(fields[name], known) for name in schema.get("required", [])}
        case "array":
            return []
        case "integer":
            return 1
        case "boolean":
            return False
        case _:
            return "x"


def doors(world: World) -> Iterator[tuple[str, str, str, dict[str, Any], dict[str, Any]]]:
    """Every operation with a body: its name, method and path, a good body and the body's fields."""
    document = api.get_openapi_schema()
    known = document["components"]["schemas"]
    named = {
        "project": PROJECT,
        "task_name": "audit",
        "name": "read",
        "decision_id": str(world.days.id),
        "verdict_id": str(world.days.id),
        "document_key": POLICY_KEY,
        "choice_key": "days",
    }
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if "requestBody" not in operation:
                continue
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            whole = known[schema["$ref"].rsplit("/", 1)[-1]]
            url = path.removeprefix("/api/v1/projects/{project}").format(**named)
            name = operation["operationId"]
            yield name, method.upper(), url, filled(whole, known), whole["properties"]


def body_with(good: Mapping[str, Any], field: str, value: str) -> str:
    """The body with one field as this JSON text."""
    others = {name: json.dumps(one) for name, one in good.items() if name != field}
    fields = (others | {field: value}).items()
    return "{" + ", ".join(f"{json.dumps(name)}: {text}" for name, text in fields) + "}"


def test_no_field_of_a_body_breaks_an_operation(
    world: World, chief: Api, raw: RawGraph, settings: Settings
) -> None:
    """A problem with a sentence, and the graph as it was; or a success, where the value is one."""
    settings.API_PER_MINUTE = 1_000_000
    wrong: list[str] = []
    answered = Counter[int]()
    for name, method, path, good, fields in doors(world):
        before, refused = dump(raw), True
        texts = {
            f"{field}, {kind}": body_with(good, field, value)
            for field in fields
            for kind, value in VALUES.items()
        }
        if name == "create_task":
            texts |= {body[:9]: body for body in NO_BODIES}
        for what, text in texts.items():
            answer = chief.send(method, path, text)
            answered[answer.status_code] += 1
            refused = refused and answer.status_code >= 400
            if answer.status_code >= 400 and not explained(answer):
                wrong.append(f"{name}: {what}: {answer.status_code}")
        if refused and dump(raw) != before:
            wrong.append(f"{name}: refused, and something was written")
    assert wrong == []
    assert answered.keys() <= {200, 201, 400, 403, 404, 409, 413, 422}


def explained(answer: Answer) -> bool:
    """Whether a caller is told what is wrong, as a problem that is no failure of ours."""
    kind = answer.headers["Content-Type"].partition(";")[0]
    told = answer.json() if kind == "application/problem+json" else {}
    return answer.status_code < 500 and bool(told.get("title") and told.get("detail"))
