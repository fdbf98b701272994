"""What the API's document says of every operation alike: problems, headers, people's names."""

from typing import Any, cast

from ninja.openapi.schema import OpenAPISchema

from graphstore.refusals import WriteErrorCode
from reviewconsole.api.answers import PROBLEM_TYPE
from reviewconsole.api.callers import BEHALF

__all__ = ["describe"]

_READ = {
    401: "No token and no session, or a token that lets nobody in.",
    403: "Your role in the project does not let you do this.",
    404: "There is nothing of this name, or it is not yours to see.",
    422: "An argument is not valid; `errors` names each place. Or a refusal of the operation.",
    429: "Too many calls of this token in this minute.",
    503: "The graph does not answer, or others kept changing the same records.",
}
_BODY = {
    400: "The body is no JSON.",
    413: "The body is too large.",
}
_WRITE = {409: "The operation refused; `code` says why."}
_WAITS = {429, 503}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457. A program goes by `code`, a person reads `detail`.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "description": "Where the code is described."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {
            "type": "string",
            "description": "A refusal is one of: " + ", ".join(sorted(WriteErrorCode)) + ".",
        },
        "details": {"type": "array", "items": {"type": "string"}},
        "blockers": {"type": "array", "items": {"$ref": "#/components/schemas/Blocker"}},
        "moved": {"type": "array", "items": {"type": "string"}},
        "built": {"type": "array", "items": {"$ref": "#/components/schemas/BuiltUpon"}},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["place", "message"],
                "properties": {"place": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}
_PEOPLE = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "The names of the accounts that this answer names by `person:<uuid>`.",
}
_BEHALF = {
    "in": "header",
    "name": BEHALF,
    "required": False,
    "schema": {
        "type": "string",
        "pattern": "^person:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    },
    "description": "A person for whom the caller acts. The caller may then do what both may, "
    "and the ledger names both.",
}


def describe(document: OpenAPISchema) -> OpenAPISchema:
    """Complete the document that the framework made from the handlers."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    schemas["Problem"] = _PROBLEM
    for methods in cast("dict[str, dict[str, Any]]", document["paths"]).values():
        for method, operation in methods.items():
            _describe(method, operation, schemas)
    document["components"]["schemas"] = dict(sorted(schemas.items()))
    return document


def _describe(method: str, operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    operation["summary"] = operation["description"].partition("\n")[0]
    for parameter in operation["parameters"]:
        _without_null(parameter["schema"])
    operation["parameters"] = [*operation["parameters"], _BEHALF]
    for answer in operation["responses"].values():
        ref = answer["content"]["application/json"]["schema"]["$ref"]
        schemas[ref.rsplit("/", 1)[-1]]["properties"]["people"] = _PEOPLE
    told = _READ | (_BODY if "requestBody" in operation else {})
    if method != "get":
        told |= _WRITE
    for status, description in sorted(told.items()):
        operation["responses"][status] = _problem(status, description)


def _without_null(schema: dict[str, Any]) -> None:
    """A parameter that may be left out is never sent as null."""
    kinds = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if len(kinds) == 1:
        del schema["anyOf"]
        schema |= kinds[0]
    schema.pop("description", None)


def _problem(status: int, description: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "description": description,
        "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if status in _WAITS:
        answer["headers"] = {
            "Retry-After": {
                "description": "Seconds after which another try is worth while.",
                "schema": {"type": "integer"},
            }
        }
    return answer
