"""What answers where no view did: a page for people, a problem for programs."""

from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from reviewconsole.api.root import api
from reviewconsole.views import problems

__all__ = ["bad_request", "broken", "forbidden", "not_found"]

API = "/api/"
Page = Callable[[HttpRequest, Exception], HttpResponse]


def _either(
    request: HttpRequest, exception: Exception, page: Page, kind: Exception
) -> HttpResponse:
    if request.path.startswith(API):
        return api.on_exception(request, kind)
    return page(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _either(request, exception, problems.bad_request, BadRequest())


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _either(request, exception, problems.forbidden, PermissionDenied())


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _either(request, exception, problems.not_found, Http404())


def broken(request: HttpRequest) -> HttpResponse:
    return problems.broken(request)
