"""The API: its routers, who may call it, and the document that describes it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.urls import URLPattern, URLResolver
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from reviewconsole import __doc__ as about
from reviewconsole.api import (
    callers,
    conflicts,
    decisions,
    documents,
    ledger,
    problems,
    projects,
    retention,
    tasks,
    verdicts,
)
from reviewconsole.api.answers import Renderer, answer_problems, named_people, problem_response
from reviewconsole.api.describing import describe

__all__ = ["api"]

IN_A_PROJECT = (tasks, decisions, verdicts, conflicts, documents, retention, ledger)


class ConsoleAPI(NinjaAPI):
    """django-ninja's, with problems instead of errors and the names of the people named."""

    def create_response(self, request: HttpRequest, data: Any, **options: Any) -> Any:
        if isinstance(data, dict) and (people := named_people(data)):
            data = {**data, "people": people}
        return super().create_response(request, data, **options)

    _described: OpenAPISchema | None = None

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Made once, since it never changes; nobody may change it."""
        if self._described is None:
            self._described = describe(super().get_openapi_schema(**options))
        return self._described

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        found = super()._get_urls()
        for pattern in found:
            if isinstance(pattern, URLPattern):
                pattern.callback = _door(pattern.callback)
        return found


def _door(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view that lets callers in by itself, and says as a problem which methods it has."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        if isinstance(response, HttpResponseNotAllowed):
            allowed = {"Allow": response["Allow"]}
            return problem_response(request, "not_allowed", problems.NOT_ALLOWED, headers=allowed)
        return response

    # Django's own sign-in check would send a program to a page.
    answer.login_required = False  # pyright: ignore[reportAttributeAccessIssue]
    return answer


api = ConsoleAPI(
    title="Review Console",
    version="1",
    description=about or "",
    urls_namespace="api",
    docs_url=None,
    openapi_url="/openapi.json",
    auth=[callers.token, callers.session],
    renderer=Renderer(),
)
answer_problems(api)
api.add_router("/projects", projects.router)
for module in IN_A_PROJECT:
    api.add_router("/projects/{segment:project}", module.router)
