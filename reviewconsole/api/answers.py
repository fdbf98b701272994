"""How the API answers: JSON of a result, or a problem (RFC 9457) from the one table of refusals."""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn
from uuid import UUID

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.renderers import BaseRenderer
from pydantic_core import to_jsonable_python

from graphstore.faults import StoreFault
from graphstore.refusals import WriteErrorCode
from graphstore.results import WithdrawVerdictResult, WriteResult
from reviewconsole import problems
from reviewconsole.access import Scope
from reviewconsole.api import problems as here
from reviewconsole.claims import Claimed
from reviewconsole.jobs import catch_up_later
from reviewconsole.models import User
from reviewconsole.problems import Problem
from reviewconsole.verdicts import level_index

__all__ = [
    "PROBLEM_TYPE",
    "Renderer",
    "TooManyCalls",
    "answer_problems",
    "fault_code",
    "missing",
    "named_people",
    "problem_response",
    "recorded",
]

logger = logging.getLogger(__name__)

PROBLEM_TYPE = "application/problem+json"
RETRY_SECONDS = 5
_NAMES = frozenset(
    [
        "agent_id",
        "author",
        "by",
        "decision_author",
        "on_behalf_of",
        "principal",
        "rejected_by",
        "reviewed_by",
        "set_by",
        "withdrawn_by",
    ]
)
"""Fields that name who did something. A text that holds an account's id names nobody."""
_PERSON = re.compile(r"person:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Refused(Exception):
    """A write was refused: on its way from a handler to its answer."""

    def __init__(self, result: WriteResult) -> None:
        super().__init__(result.error)
        self.result = result


class Missing(Exception):
    """What was asked for is not there."""

    def __init__(self, code: WriteErrorCode) -> None:
        super().__init__(code)
        self.code = code


class TooManyCalls(Exception):
    """A token called too often in this minute; `wait` seconds until the next."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait


class Renderer(BaseRenderer):
    """JSON in UTF-8, times with all their digits."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:  # noqa: ARG002
        try:
            return json.dumps(data, ensure_ascii=False, default=to_jsonable_python).encode()
        except UnicodeEncodeError:
            # An answer may repeat what was sent, and JSON can send half of a pair.
            return json.dumps(data, default=to_jsonable_python).encode()


def recorded[R: WriteResult](scope: Scope, result: R, *, judged: bool = False) -> R:
    """The result of a write. Raises what becomes a problem when it was refused.

    The review index follows: at once after what judges or flags, else a little later.
    """
    if result.error is not None:
        raise Refused(result)
    if judged or result.arrived or getattr(result, "flagged", None):
        level_index(scope)
    else:
        catch_up_later(scope.project_id)
    return result


def missing(code: WriteErrorCode) -> NoReturn:
    """Answer that this is not there. Raises."""
    raise Missing(code)


def named_people(data: Any) -> dict[str, str]:
    """The names of the accounts that an answer names by `person:<uuid>`."""
    found = {agent.removeprefix("person:"): agent for agent in set(_people(data))}
    if not found:
        return {}
    known = User.objects.filter(person_uuid__in=[UUID(one) for one in found])
    return {user.agent_id: user.shown_name for user in known}


def _people(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in _NAMES and isinstance(value, str) and _PERSON.fullmatch(value):
                yield value
            yield from _people(value)
    elif isinstance(data, list):
        for value in data:
            yield from _people(value)


def problem_response(
    request: HttpRequest,
    code: str,
    problem: Problem,
    *,
    detail: str = "",
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    """A problem as RFC 9457 has it, with the code that a program goes by."""
    body = {
        "type": f"/api/v1/docs#{code}",
        "title": problem.title,
        "status": problem.status,
        "detail": detail or f"{problem.sentence} {problem.what_to_do}",
        "code": code,
        **more,
    }
    content = Renderer().render(request, body, response_status=problem.status)
    return HttpResponse(
        content, status=problem.status, content_type=PROBLEM_TYPE, headers=dict(headers or {})
    )


def answer_problems(api: NinjaAPI) -> None:
    """Have `api` answer whatever goes wrong as a problem."""
    for kind, handler in _HANDLERS.items():
        api.add_exception_handler(kind, handler)


def _refused(request: HttpRequest, exc: Refused) -> HttpResponse:
    result = exc.result
    assert result.error is not None  # noqa: S101 - a refusal names its code
    shown = to_jsonable_python(result)
    more = {key: shown[key] for key in ("blockers", "moved") if shown[key]}
    if isinstance(result, WithdrawVerdictResult) and result.built:
        more["built"] = shown["built"]
    if details := problems.details(result):
        more["details"] = details
    return problem_response(request, str(result.error), here.over_http(result.error), **more)


def _claimed(request: HttpRequest, exc: Claimed) -> HttpResponse:
    holder = exc.holder
    more = {"by": holder.agent_id, "until": holder.until}
    return problem_response(request, "claimed", here.CLAIMED, **more)


def _missing(request: HttpRequest, exc: Missing) -> HttpResponse:
    return problem_response(request, str(exc.code), here.over_http(exc.code))


def _not_found(request: HttpRequest, _: Http404) -> HttpResponse:
    return problem_response(request, "not_found", problems.NOT_FOUND)


def _forbidden(request: HttpRequest, _: PermissionDenied) -> HttpResponse:
    return problem_response(request, "forbidden", problems.FORBIDDEN)


def _unknown(request: HttpRequest, _: AuthenticationError) -> HttpResponse:
    challenge = 'Bearer realm="Review Console"'
    if "Authorization" in request.headers:
        challenge += ', error="invalid_token"'
    return problem_response(
        request, "unauthorized", here.UNAUTHORIZED, headers={"WWW-Authenticate": challenge}
    )


def _http_error(request: HttpRequest, exc: HttpError) -> HttpResponse:
    """What the framework says: a body that is no JSON, or a post of a session without its token."""
    if exc.status_code == 403:
        return problem_response(request, "csrf_failed", here.CSRF_FAILED)
    return problem_response(request, "malformed", here.MALFORMED)


def _bad_request(request: HttpRequest, _: Exception) -> HttpResponse:
    return problem_response(request, "malformed", here.MALFORMED)


def _too_large(request: HttpRequest, _: RequestDataTooBig) -> HttpResponse:
    return problem_response(request, "too_large", here.TOO_LARGE)


def _invalid(request: HttpRequest, exc: ValidationError) -> HttpResponse:
    """Each mistake with its place, and never with what was sent."""
    errors = [
        {"place": ".".join(map(str, _place(error["loc"]))), "message": error["msg"]}
        for error in exc.errors[:20]
    ]
    first = errors[0]
    detail = f"{here.INVALID.sentence} {first['place']}: {first['message']}."
    return problem_response(request, "invalid", here.INVALID, detail=detail, errors=errors)


def _place(loc: tuple[Any, ...]) -> list[Any]:
    """Where a mistake is, without the framework's own name for the body."""
    return [part for number, part in enumerate(loc) if not (number == 1 and part == "body")]


def _too_many(request: HttpRequest, exc: TooManyCalls) -> HttpResponse:
    headers = {"Retry-After": str(exc.wait)}
    return problem_response(request, "too_many_calls", here.TOO_MANY_CALLS, headers=headers)


def _fault(request: HttpRequest, fault: StoreFault) -> HttpResponse:
    logger.error("%s: %s", type(fault).__name__, fault)
    problem = problems.of_fault(fault)
    code = fault_code(type(fault))
    wait = str(getattr(fault, "retry_after", RETRY_SECONDS))
    headers = {"Retry-After": wait} if problem.status == 503 else {}
    return problem_response(request, code, problem, headers=headers)


def fault_code(kind: type[StoreFault]) -> str:
    """The code of a fault: the name of its class in small letters."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _broken(request: HttpRequest, exc: Exception) -> HttpResponse:
    logger.error("An API call broke", exc_info=exc)
    return problem_response(request, "broken", problems.BROKEN)


_HANDLERS: dict[type[Exception], Any] = {
    Refused: _refused,
    Missing: _missing,
    Claimed: _claimed,
    Http404: _not_found,
    PermissionDenied: _forbidden,
    AuthenticationError: _unknown,
    HttpError: _http_error,
    BadRequest: _bad_request,
    RequestDataTooBig: _too_large,
    ValidationError: _invalid,
    TooManyCalls: _too_many,
    StoreFault: _fault,
    Exception: _broken,
}
