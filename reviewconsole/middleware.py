"""What happens around every page: sign-in, headers, the reader's zone, faults, what it cost."""

import time
import zoneinfo
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from graphstore.faults import StoreFault
from graphstore.store import counting
from reviewconsole.addresses import reference_url
from reviewconsole.views import problems
from reviewconsole.views.sign_in import ask_to_sign_in

Answer = Callable[[HttpRequest], HttpResponseBase]

TIME_ZONE_COOKIE = "timezone"
PROGRAMS = ("/api/", "/healthz")
"""Where addresses begin whose answers programs read; the reference below them is a page."""


class SignInMiddleware(LoginRequiredMiddleware):
    """Every page asks for sign-in unless its view says otherwise; typed text is kept."""

    def handle_no_permission(  # pyright: ignore[reportIncompatibleMethodOverride] - answers a page, too
        self,
        request: HttpRequest,
        view_func: Callable[..., object],  # noqa: ARG002 - Django passes it
    ) -> HttpResponse:
        return ask_to_sign_in(request)


class PageHeadersMiddleware:
    """Pages are one person's: never kept by a shared cache, and apart for htmx.

    Not `no-store`: browsers then empty a half-written form when one goes back to it.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponse):
            patch_vary_headers(response, ["HX-Request"])
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class ServerTimingMiddleware:
    """Says of every answer how long it took, and the processor for it, and how often the graph was asked.

    Only where `RC_SERVER_TIMING` has it in: times tell a stranger what was looked up.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        start, computed = time.perf_counter(), time.thread_time()
        with counting() as trips:
            response = self.get_response(request)
        spent = (time.perf_counter() - start) * 1000
        computed = (time.thread_time() - computed) * 1000
        response["Server-Timing"] = (
            f'server;dur={spent:.1f}, processor;dur={computed:.1f}, graph;desc="{trips.count}"'
        )
        return response


class StoreFaultMiddleware:
    """A graph that does not answer is one plain page, whatever view asked."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, StoreFault):
            return problems.store_fault(request, exception)
        return None


class ReaderTimeZoneMiddleware:
    """Shows times in the zone that the reader's browser named, else in UTC."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = request.COOKIES.get(TIME_ZONE_COOKIE, "")
        if name not in _known_zones():
            return self.get_response(request)
        with timezone.override(zoneinfo.ZoneInfo(name)):
            return self.get_response(request)


class ReaderLanguageMiddleware(LocaleMiddleware):
    """Pages in the reader's language; what programs read stays in one language, English.

    A program compares sentences and keeps them: they must not depend on a header that
    some library between sets by itself.
    """

    def process_request(self, request: HttpRequest) -> None:
        if _is_for_programs(request):
            translation.activate(settings.LANGUAGE_CODE)
            return
        super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if _is_for_programs(request):
            return response
        return super().process_response(request, response)


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path.startswith(PROGRAMS) and request.path != reference_url()


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
