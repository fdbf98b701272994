"""Saved views of the queue: the list, saving, sharing, removing, and the address of each."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import queue_url, queue_views_url, saved_view_url
from reviewconsole.filters import filters_of
from reviewconsole.models import SavedView
from reviewconsole.pages import go, page
from reviewconsole.queue_words import filter_words
from reviewconsole.saved_views import (
    MOST,
    SaveForm,
    may_take,
    remove_view,
    save_view,
    share_view,
    view_of,
    views_for,
)


@require_http_methods(["GET", "HEAD", "POST"])
def show_views(request: HttpRequest, project: str) -> HttpResponse:
    """The views that one sees; a POST saves one more."""
    scope = enter(request, project)
    if request.method != "POST":
        return page(request, "saved_views.html", _context(scope, None))
    form = SaveForm(request.POST)
    view = save_view(scope, form) if form.is_valid() else None
    if view is None:
        return page(request, "saved_views.html", _context(scope, form), status=422)
    messages.success(request, _("The view is saved."))
    return go(request, _queue(view))


@require_http_methods(["GET", "HEAD", "POST"])
def saved_view(request: HttpRequest, project: str, view_uuid: UUID) -> HttpResponse:
    """The queue as saved; a POST shares or removes the view."""
    scope = enter(request, project)
    view = view_of(scope, view_uuid)
    if view is None:
        raise Http404
    if request.method != "POST":
        return go(request, _queue(view))
    if not may_take(scope, view):
        raise PermissionDenied
    done = _change(scope, view, request.POST.get("do", ""))
    if done:
        messages.success(request, done)
    return go(request, queue_views_url(project))


def _change(scope: Scope, view: SavedView, what: str) -> str:
    """What was done, in words; nothing when it is not this person's to do, or not known."""
    if what == "share" and share_view(scope, view, shared=True):
        return _("Everybody in the project sees the view now.")
    if what == "keep" and share_view(scope, view, shared=False):
        return _("Only you see the view now.")
    if what == "remove" and remove_view(scope, view):
        return _("The view is removed.")
    return ""


def _queue(view: SavedView) -> str:
    return queue_url(view.project_id, **filters_of(QueryDict(view.query)).query())


def _context(scope: Scope, form: SaveForm | None) -> dict[str, Any]:
    return {
        "views": [
            {
                "view": view,
                "url": saved_view_url(scope.project_id, view.uuid),
                "says": filter_words(filters_of(QueryDict(view.query))),
                "own": view.user == scope.user,
                "may_share": scope.may(Role.REVIEWER),
                "may_take": may_take(scope, view),
            }
            for view in views_for(scope)[: 2 * MOST]
        ],
        "form": form,
        "says": filter_words(filters_of(QueryDict(form["query"].value() or ""))) if form else [],
        "queue_url": queue_url(scope.project_id),
        "post_url": queue_views_url(scope.project_id),
    }
