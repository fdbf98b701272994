"""The decisions of a project: listed, narrowed by the address, searched by words or id."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from graphstore.results import DecisionPage
from reviewconsole import words
from reviewconsole.access import Scope, enter
from reviewconsole.addresses import conflict_url, decision_url, decisions_url, task_url
from reviewconsole.finding import Search, marked, person_called, straight_to
from reviewconsole.pages import go, page
from reviewconsole.templatetags.desk import who
from reviewconsole.waiting import CAP

PAGE = 50
BEST = 100
"""Matches of a search that are shown: they come by score and have no second page."""


@require_safe
def show_decisions(request: HttpRequest, project: str) -> HttpResponse:
    """One page of decisions, newest first, or the best matches of the words asked for."""
    scope = enter(request, project)
    search = Search.read(request)
    pasted = straight_to(request, scope, search.q) if search.q else None
    if pasted is not None and pasted.url is not None:
        return go(request, pasted.url)
    cursor = request.GET.get("cursor") or None
    shown = _browse(scope, search, cursor)
    context = {
        **_filters(project, search),
        "rows": [_row(project, search, one) for one in shown.decisions],
        "total": shown.count,
        "total_capped": shown.count >= CAP or bool(search.q and shown.truncated),
        "search": search,
        "unknown_id": pasted is not None,
        "choice": _choice(scope, search),
        "next_url": decisions_url(project, **search.query(cursor=shown.next_cursor))
        if shown.next_cursor
        else None,
        "first_url": decisions_url(project, **search.query()) if cursor else None,
        "all_url": decisions_url(project),
    }
    return page(request, "decisions.html", context, fragment="rows")


def _browse(scope: Scope, search: Search, cursor: str | None) -> DecisionPage:
    """The page; where no agent is called as the author asked for, that of the person who is."""
    shown = _browse_of(scope, search, search.author, cursor)
    if shown.decisions or not search.author:
        return shown
    person = person_called(scope.project_id, search.author)
    return _browse_of(scope, search, person, cursor) if person else shown


def _browse_of(scope: Scope, search: Search, author: str, cursor: str | None) -> DecisionPage:
    try:
        return scope.traces.browse_decisions(
            words=search.q,
            choice_key=search.choice,
            author=author,
            status=search.status,
            review_state=search.state,
            task_name=search.task,
            cursor=cursor,
            limit=BEST if search.q else PAGE,
        )
    except ValueError:
        raise Http404 from None


def _choice(scope: Scope, search: Search) -> dict[str, Any] | None:
    """The choice whose key was typed exactly as the words, or that the list is narrowed to."""
    key = search.choice or search.q
    if not key:
        return None
    count = None
    if not search.choice:
        count = scope.traces.browse_decisions(choice_key=key, limit=1).count
        if not count:
            return None
    return {
        "key": key,
        "count": count,
        "capped": bool(count and count >= CAP),
        "url": decisions_url(scope.project_id, choice=key) if count else None,
        "board_url": conflict_url(scope.project_id, key),
    }


def _row(project: str, search: Search, decision: Any) -> dict[str, Any]:
    return {
        "decision": decision,
        "url": decision_url(project, decision.id),
        "pieces": marked(decision.conclusion, search.q),
        "task_url": task_url(project, decision.task_name),
        "choice_url": decisions_url(project, **search.query(choice=decision.choice_key)),
        "author_url": decisions_url(project, **search.query(author=decision.author)),
    }


def _filters(project: str, search: Search) -> dict[str, Any]:
    chosen = [
        ("q", f"“{search.q}”"),
        ("choice", search.choice),
        ("author", _("by %(author)s") % {"author": who(search.author)}),
        ("task", _("in %(task)s") % {"task": search.task}),
    ]
    shown = who(search.author)
    same = shown == search.author or person_called(project, shown) == search.author
    return {
        # What stands in the field must find the same when it is sent again.
        "author": shown if same else search.author,
        "statuses": _choices(project, search, "status", [("", _("All")), *_labels(words.STATUSES)]),
        "states": _choices(
            project,
            search,
            "state",
            [("", _("Any state")), *(one for one in _labels(words.STATES) if one[0] != "unknown")],
        ),
        "chosen": [
            {"label": label, "url": decisions_url(project, **search.query(**{name: None}))}
            for name, label in chosen
            if getattr(search, name)
        ],
    }


def _labels(named: Any) -> list[tuple[str, str]]:
    return [(str(value), label.capitalize()) for value, label in named.items()]


def _choices(
    project: str, search: Search, name: str, listed: list[tuple[str, str]]
) -> list[dict[str, Any]]:
    return [
        {
            "value": value,
            "label": label,
            "url": decisions_url(project, **search.query(**{name: value})),
            "active": getattr(search, name) == value,
        }
        for value, label in listed
    ]
