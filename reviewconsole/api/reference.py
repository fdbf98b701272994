"""The reference page of the API: the document as a person reads it, with a form to try each call.

Drawn on the server from the same document that programs read, so that it stands under
the console's own policy, in its own look, and without scripts.
"""

import json
from functools import cache
from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.refusals import WriteErrorCode
from reviewconsole import problems
from reviewconsole.api import problems as here
from reviewconsole.api.answers import fault_code
from reviewconsole.api.root import api
from reviewconsole.pages import page

__all__ = ["show_reference"]

Json = dict[str, Any]
MOST_NAMED = 8
"""Values of an enumeration that are written out; of a longer one its name stands there."""
_GENERAL = {
    "unauthorized": here.UNAUTHORIZED,
    "csrf_failed": here.CSRF_FAILED,
    "forbidden": problems.FORBIDDEN,
    "not_found": problems.NOT_FOUND,
    "not_allowed": here.NOT_ALLOWED,
    "malformed": here.MALFORMED,
    "too_large": here.TOO_LARGE,
    "invalid": here.INVALID,
    "too_many_calls": here.TOO_MANY_CALLS,
    "claimed": here.CLAIMED,
    "broken": problems.BROKEN,
}


@login_not_required
@require_safe
def show_reference(request: HttpRequest) -> HttpResponse:
    """Every operation, how to call it, and every code that it may answer with."""
    return page(request, "reference.html", {"groups": _groups(), "codes": _codes()})


@cache
def _codes() -> list[Json]:
    refusals = {str(code): here.over_http(code) for code in WriteErrorCode}
    faults = {fault_code(kind): problem for kind, problem in problems.FAULTS.items()}
    return [
        {"code": code, "problem": problem}
        for code, problem in (_GENERAL | refusals | faults).items()
    ]


@cache
def _groups() -> list[Json]:
    document = api.get_openapi_schema()
    schemas: Json = document["components"]["schemas"]
    told = [
        _operation(method, path, operation, schemas)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    told.sort(key=lambda one: one["tag"])
    return [
        {"name": tag, "operations": list(operations)}
        for tag, operations in groupby(told, key=lambda one: one["tag"])
    ]


def _operation(method: str, path: str, operation: Json, schemas: Json) -> Json:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    schema = _whole(body["schema"], schemas) if body else None
    answer = operation["responses"][200]["content"]["application/json"]["schema"]
    example = json.dumps(_example(schema, schemas), indent=2) if schema else ""
    return {
        "id": operation["operationId"],
        "tag": operation["tags"][0],
        "method": method.upper(),
        "path": path,
        "description": operation["description"],
        "parameters": [_parameter(one, schemas) for one in operation["parameters"]],
        "fields": _fields(schema, schemas) if schema else [],
        "about_body": (schema or {}).get("description", ""),
        "answer": answer["$ref"].rsplit("/", 1)[-1],
        "answer_fields": _fields(_whole(answer, schemas), schemas),
        "example": example,
        "curl": _curl(method, path, example),
    }


def _parameter(parameter: Json, schemas: Json) -> Json:
    return {
        "name": parameter["name"],
        "place": parameter["in"],
        "required": parameter["required"],
        "type": _type(parameter["schema"], schemas),
        "description": parameter.get("description", ""),
    }


def _fields(schema: Json, schemas: Json) -> list[Json]:
    required = schema.get("required", [])
    return [
        {"name": name, "type": _type(one, schemas), "required": name in required}
        for name, one in schema.get("properties", {}).items()
    ]


def _whole(schema: Json, schemas: Json) -> Json:
    """The schema that a reference names."""
    return schemas[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema


def _type(schema: Json, schemas: Json) -> str:
    """What a value is, in a word or two."""
    whole = _whole(schema, schemas)
    if "enum" in whole and len(whole["enum"]) <= MOST_NAMED:
        return " | ".join(repr(one) for one in whole["enum"])
    if "const" in whole:
        return repr(whole["const"])
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if kinds := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(_type(one, schemas) for one in kinds))
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'], schemas)}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map to {_type(schema['additionalProperties'], schemas)}"
    return schema.get("format") or schema.get("type", "any")


def _example(schema: Json, schemas: Json) -> Any:
    """A value of the shape, with what must be there."""
    whole = _whole(schema, schemas)
    if "default" in whole:
        return whole["default"]
    if kinds := whole.get("anyOf") or whole.get("oneOf"):
        return _example(kinds[0], schemas)
    if "enum" in whole:
        return whole["enum"][0]
    match whole.get("type"):
        case "object":
            needed = whole.get("required", [])
            return {
                name: _example(one, schemas)
                for name, one in whole.get("properties", {}).items()
                if name in needed
            }
        case "array":
            return [_example(whole["items"], schemas)]
        case "integer":
            return 1
        case _:
            return "…"


def _curl(method: str, path: str, example: str) -> str:
    """A call of it in a shell, the token in `$TOKEN` and the address in `$CONSOLE`."""
    path = path.replace("{", "$").replace("}", "")
    lines = ["curl", f'  "$CONSOLE{path}"', '  -H "Authorization: Bearer $TOKEN"']
    if method != "get":
        lines[0] = f"curl -X {method.upper()}"
        lines.append('  -H "Idempotency-Key: $(uuidgen)"')
    if example:
        lines.append(f"  --json '{json.dumps(json.loads(example), ensure_ascii=False)}'")
    return " \\\n".join(lines)
