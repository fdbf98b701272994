"""The ledger of a project: who did what, one entry in words, and whether it is whole."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from graphstore import ledger
from graphstore.ids import derived_id
from reviewconsole import ledger_words as words
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import ledger_url, verification_url
from reviewconsole.jobs import verify_ledger_later
from reviewconsole.ledger_check import begin, last_run, unfinished
from reviewconsole.ledger_page import entry_context, finding_lines, row_of
from reviewconsole.pages import go, page

PAGE = 50
FILTERS = ("action", "who", "task", "since", "until")


@require_safe
def show_ledger(request: HttpRequest, project: str) -> HttpResponse:
    """One page of entries by the filters in the address; one read."""
    scope = enter(request, project, Role.ADMIN)
    chosen = {name: request.GET.get(name, "").strip()[:1000] for name in FILTERS}
    cursor = request.GET.get("cursor", "")[:100]
    shown = ledger.list_entries(
        scope.store, project, **_asked(scope, chosen), cursor=cursor or None, limit=PAGE
    )
    following = ledger_url(project, **chosen, cursor=shown.next_cursor)
    context = {
        "rows": [row_of(entry) for entry in shown.entries],
        "actions": sorted(words.ACTIONS.items(), key=lambda pair: pair[1]),
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "everything_url": ledger_url(project),
        "verification_url": verification_url(project),
        "next_url": following if shown.next_cursor else None,
        "first_url": ledger_url(project, **chosen) if cursor else None,
    }
    return page(request, "ledger.html", context)


def _asked(scope: Scope, chosen: Mapping[str, str]) -> dict[str, Any]:
    """The filters as the list takes them; a date that is none filters nothing."""
    until = _day(chosen["until"])
    return {
        "action": chosen["action"] or None,
        "who": chosen["who"] or None,
        "task_id": _task_id(scope.project_id, chosen["task"]) if chosen["task"] else None,
        "since": _day(chosen["since"]),
        "until": until + timedelta(days=1) if until else None,
    }


def _task_id(project_id: str, named: str) -> str:
    """A task by its id, as entries link it, or by its name: then the first that had it."""
    try:
        return str(UUID(named))
    except ValueError:
        return derived_id(project_id, named)


def _day(text: str) -> datetime | None:
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if day and day.year < 9999 else None


@require_safe
def show_entry(request: HttpRequest, project: str, entry_id: UUID) -> HttpResponse:
    """One entry with its manifest in words; one read."""
    scope = enter(request, project, Role.ADMIN)
    found = ledger.get_entry(scope.store, project, entry_id)
    if found is None:
        raise Http404
    return page(request, "ledger_entry.html", entry_context(scope, *found))


@require_http_methods(["GET", "HEAD", "POST"])
def show_verification(request: HttpRequest, project: str) -> HttpResponse:
    """What the last verification found and how far the present one is; asks for one."""
    scope = enter(request, project, Role.ADMIN)
    if request.method == "POST":
        verify_ledger_later(begin(project, scope.actor.agent_id).pk)
        return go(request, verification_url(project))
    running, last = unfinished(project), last_run(project)
    context = {
        "running": running,
        "last": last,
        "findings": finding_lines(project, last) if last else [],
        "others": gettext(words.OTHERS),
        "ledger_url": ledger_url(project),
        "post_url": verification_url(project),
    }
    return page(request, "ledger_verification.html", context)
