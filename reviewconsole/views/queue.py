"""The queue: what waits, in order, filtered by the address."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from reviewconsole.access import enter
from reviewconsole.addresses import queue_url
from reviewconsole.filters import Place, read_filters
from reviewconsole.jobs import catch_up_later
from reviewconsole.pages import page
from reviewconsole.queue_page import queue_context
from reviewconsole.review_index import catch_up, now_us
from reviewconsole.waiting import capped, waiting

__all__ = ["read_filters", "show_news", "show_queue"]


@require_safe
def show_queue(request: HttpRequest, project: str) -> HttpResponse:
    """One page of what waits, level with the graph as of now."""
    scope = enter(request, project)
    filters = read_filters(request)
    asked_us = now_us()
    level = catch_up(scope.store, project, seal_later=catch_up_later)
    if not level:
        catch_up_later(project)
    after = Place.read(request.GET.get("after", ""))
    context = queue_context(scope, filters, after, asked_us) | {"catching_up": not level}
    return page(request, "queue.html", context, fragment="rows")


@never_cache
@require_safe
def show_news(request: HttpRequest, project: str) -> HttpResponse:
    """How many flags came since a page was made, or nothing at all (204).

    From the index alone, so that pages may ask every 20 seconds. What another program
    flags gets there by the sweep, within a minute.
    """
    scope = enter(request, project)
    filters = read_filters(request)
    since = request.GET.get("since", "")
    known = int(since) if since.isascii() and since.isdigit() and len(since) <= 18 else now_us()
    new, more = capped(waiting(scope.project_id, filters).filter(flagged_us__gt=known))
    if not new:
        return HttpResponse(status=204)
    context = {"new": new, "more": more, "url": queue_url(project, **filters.query())}
    return page(request, "shared/queue_news.html", context)
