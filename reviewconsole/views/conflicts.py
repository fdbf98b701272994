"""Conflicts: the choices that tasks decided differently, and the board of one of them."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.results import ConflictGroup
from reviewconsole.access import enter
from reviewconsole.addresses import conflict_url, conflicts_url
from reviewconsole.board_page import board_context
from reviewconsole.context import conflict_count
from reviewconsole.pages import page
from reviewconsole.sides import sides_of
from reviewconsole.waiting import CAP

PAGE = 30
SIDES_SHOWN = 4


@require_safe
def show_conflicts(request: HttpRequest, project: str) -> HttpResponse:
    """One page of conflicts."""
    scope = enter(request, project)
    cursor = request.GET.get("cursor") or None
    try:
        shown = scope.traces.list_conflicts(cursor=cursor, limit=PAGE)
    except ValueError:
        raise Http404 from None
    total = conflict_count(scope) or len(shown.groups)
    context = {
        "rows": [_row(project, group) for group in shown.groups],
        "total": max(total, len(shown.groups)),
        "total_capped": total >= CAP,
        "next_url": conflicts_url(project, cursor=shown.next_cursor) if shown.next_cursor else None,
        "first_url": conflicts_url(project) if cursor else None,
    }
    return page(request, "conflicts.html", context)


def _row(project: str, group: ConflictGroup) -> dict[str, Any]:
    sides = sides_of(group.decisions)
    return {
        "key": group.choice_key,
        "url": conflict_url(project, group.choice_key),
        "tasks": group.tasks,
        "sides": sides[:SIDES_SHOWN],
        "side_count": len(sides),
        "more_sides": max(0, len(sides) - SIDES_SHOWN),
        "truncated": group.truncated,
        "flagged": sum(side.flagged for side in sides),
        "oldest": min(side.oldest for side in sides),
        "newest": max(side.newest for side in sides),
    }


@require_safe
def show_conflict(request: HttpRequest, project: str, choice_key: str) -> HttpResponse:
    """Every side of one choice, with what it stands on and what was decided before."""
    scope = enter(request, project)
    return page(request, "conflict.html", board_context(scope, choice_key))
