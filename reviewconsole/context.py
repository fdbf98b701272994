"""What stands around every page: where one is, who one is, what waits, where to search."""

from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from graphstore.faults import StoreFault
from graphstore.ids import sha256
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import (
    conflicts_url,
    decisions_url,
    documents_url,
    intake_url,
    jobs_url,
    ledger_url,
    project_settings_url,
    projects_url,
    queue_url,
    reference_url,
    retention_url,
    tasks_url,
    tokens_url,
    verdicts_url,
)
from reviewconsole.models import Role, User
from reviewconsole.settings_form import instructions_of
from reviewconsole.waiting import CAP, capped, waiting

__all__ = ["around_the_page", "conflict_count", "note_conflicts"]

_QUEUE = {
    "queue",
    "queue_views",
    "decision",
    "lineage",
    "versions_between",
    "pick",
    "ask",
    "bundle",
    "bulk_start",
    "bulk",
}
_INSTRUCTED = {"queue", "decision", "bundle"}
_RETENTION = {"retention", "receipt", "task_delete", "event_redact"}
COUNT_SECONDS = 30
"""How old the number of conflicts beside its name may be."""
UNKNOWN = -1


def around_the_page(request: HttpRequest) -> dict[str, Any]:
    """Context of `base.html`. `queue_count` is at most 1,000."""
    user = getattr(request, "user", None)
    scope: Scope | None = getattr(request, "scope", None)
    around: dict[str, Any] = {
        "projects_url": projects_url(),
        "reference_url": reference_url(),
        "me": None,
        "project": None,
        "role": "",
        "nav": [],
        "nav_more": [],
        "queue_count": None,
        "search_url": None,
        "instructions": "",
    }
    if isinstance(user, User) and user.is_authenticated:
        around["me"] = {"name": user.shown_name, "initials": user.initials}
        if scope is not None:
            around |= _project(request, scope)
    return around


def conflict_count(scope: Scope) -> int | None:
    """How many choices are in conflict, at most 1,000 and some seconds old; None when unknown.

    One read of the graph, and none while the number is fresh. A graph that does not
    answer is not asked again for as long: the number is not worth a page.
    """
    known = cache.get(_key(scope))
    if known is None:
        try:
            known = scope.traces.count_conflicts()
        except StoreFault:
            known = UNKNOWN
        note_conflicts(scope, known)
    return None if known == UNKNOWN else known


def note_conflicts(scope: Scope, number: int | None) -> None:
    """Keep a number that was just read, or forget the one that is kept."""
    if number is None:
        cache.delete(_key(scope))
    else:
        cache.set(_key(scope), number, COUNT_SECONDS)


def _key(scope: Scope) -> str:
    # A project's id may hold what a cache key may not, and be longer.
    return f"conflicts:{sha256(scope.project_id)}"


def _project(request: HttpRequest, scope: Scope) -> dict[str, Any]:
    project = scope.project_id
    count, more = capped(waiting(project))
    here = (request.resolver_match and request.resolver_match.url_name) or ""
    queue = queue_url(project)
    # Whoever met a graph that does not answer has waited for it once already.
    fault = getattr(request, "fault", None)
    conflicts = None if fault else conflict_count(scope)
    return {
        "project": {"id": project, "name": project, "url": queue},
        "role": words.ROLES[scope.role],
        "queue_count": count,
        "search_url": decisions_url(project),
        "instructions": instructions_of(project) if here in _INSTRUCTED else "",
        "nav": [
            _entry(
                _("Queue"),
                queue,
                here in _QUEUE,
                count,
                more=more,
                counted=_("waiting"),
            ),
            _entry(
                _("Conflicts"),
                conflicts_url(project),
                here in {"conflicts", "conflict", "keep"},
                conflicts or None,
                more=(conflicts or 0) >= CAP,
                counted=_("to settle"),
            ),
            _entry(_("Tasks"), tasks_url(project), here in {"tasks", "task", "steps"}),
            _entry(_("Decisions"), decisions_url(project), here == "decisions"),
            _entry(_("Documents"), documents_url(project), here.startswith("document")),
            _entry(
                _("Verdicts"), verdicts_url(project), here in {"verdicts", "verdict", "withdraw"}
            ),
        ],
        "nav_more": _for_few(scope, here),
    }


def _for_few(scope: Scope, here: str) -> list[dict[str, Any]]:
    """Pages for managers and admins; they stand folded, since the bar has no room for all."""
    project = scope.project_id
    entries: list[dict[str, Any]] = []
    if scope.may(Role.MANAGER):
        entries.append(_entry(_("Intake"), intake_url(project), here == "intake"))
        entries.append(_entry(_("Jobs"), jobs_url(project), here == "jobs"))
        entries.append(
            _entry(_("Settings"), project_settings_url(project), here == "project_settings")
        )
    if scope.may(Role.ADMIN):
        entries.append(_entry(_("Ledger"), ledger_url(project), here.startswith("ledger")))
        entries.append(_entry(_("Retention"), retention_url(project), here in _RETENTION))
        entries.append(_entry(_("Tokens"), tokens_url(project), here == "tokens"))
    return entries


def _entry(
    label: str,
    url: str,
    active: bool,  # noqa: FBT001 - reads as a column of the table above
    count: int | None = None,
    *,
    more: bool = False,
    counted: str = "",
) -> dict[str, Any]:
    """`counted` says in a word what the count counts, for who cannot see the place of it."""
    return {
        "label": label,
        "url": url,
        "active": active,
        "count": count,
        "capped": more,
        "counted": counted,
    }
