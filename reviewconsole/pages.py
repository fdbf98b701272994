"""How views answer: a page, a fragment of the same template, or another address."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import resolve
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect, HttpResponseLocation

__all__ = ["MARK", "go", "go_on", "page", "safe_path", "whole_page"]

_IN_PLACE = "Console-In-Place-Of"
"""Header of a request for a page that takes the place of one of the same template, which it names."""

MARK = "Console-Page"
"""Header of answers that a script may put into a page. A broken server's, or a proxy's, lack it."""


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    fragment: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page, or its `fragment` when htmx asked for a part of a page."""
    in_place_of = request.headers.get(_IN_PLACE, "")
    if in_place_of not in ("", template):
        return HttpResponseClientRedirect(request.get_full_path())
    if fragment and swaps(request):
        template = f"{template}#{fragment}"
    response = render(request, template, dict(context), status=status)
    response[MARK] = "yes"
    if in_place_of:
        response["HX-Push-Url"] = request.get_full_path()
    return response


def whole_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int
) -> HttpResponse:
    """The whole page, also for htmx, which then replaces everything that it shows.

    For answers that make what the person looks at out of date.
    """
    response = page(request, template, context, status=status)
    if swaps(request):
        response["HX-Retarget"] = "body"
        response["HX-Reswap"] = "outerHTML"
    return response


def go(request: HttpRequest, path: str) -> HttpResponse:
    """Another page, asked for with GET whatever this request was."""
    if swaps(request):
        return HttpResponseClientRedirect(path)
    response = HttpResponseRedirect(path)
    response.status_code = 303
    return response


def go_on(request: HttpRequest, path: str, template: str) -> HttpResponse:
    """As `go`, from one page of `template` to the next: its body takes the place of this one's.

    Where the next page is of another template it is loaded as a whole: this page has not
    its styles and scripts. A page of another view is, so it is not even asked for first.
    """
    here = request.resolver_match
    if not swaps(request) or here is None or not _leads_to(path, here.view_name):
        return go(request, path)
    return HttpResponseLocation(
        path, target="body", swap="innerHTML", headers={_IN_PLACE: template}
    )


def _leads_to(path: str, view_name: str) -> bool:
    # An address is written quoted, and resolved as a request's path, which is not.
    return resolve(unquote(urlsplit(path).path)).view_name == view_name


def safe_path(request: HttpRequest, path: str) -> str:
    """`path` when it is on this site, else nothing."""
    if url_has_allowed_host_and_scheme(path, {request.get_host()}, require_https=False):
        return path
    return ""


def swaps(request: HttpRequest) -> bool:
    """Whether htmx will put the answer into a page, rather than show it as a page."""
    htmx = getattr(request, "htmx", None)
    if not htmx or _IN_PLACE in request.headers:
        return False
    return not htmx.boosted and not htmx.history_restore_request
