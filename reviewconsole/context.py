"""What stands around every page: where one is, who one is, what waits."""

from typing import Any

from django.http import HttpRequest

from reviewconsole.access import Scope
from reviewconsole.addresses import projects_url, queue_url, tasks_url
from reviewconsole.models import User
from reviewconsole.waiting import capped, waiting


def around_the_page(request: HttpRequest) -> dict[str, Any]:
    """Context of `base.html`. `queue_count` is at most 1,000."""
    user = getattr(request, "user", None)
    scope: Scope | None = getattr(request, "scope", None)
    around: dict[str, Any] = {
        "projects_url": projects_url(),
        "me": None,
        "project": None,
        "role": "",
        "nav": [],
        "queue_count": None,
    }
    if isinstance(user, User) and user.is_authenticated:
        around["me"] = {"name": user.shown_name, "initials": user.initials}
        if scope is not None:
            around |= _project(request, scope)
    return around


def _project(request: HttpRequest, scope: Scope) -> dict[str, Any]:
    count, more = capped(waiting(scope.project_id))
    here = request.resolver_match.url_name if request.resolver_match else ""
    queue, tasks = queue_url(scope.project_id), tasks_url(scope.project_id)
    return {
        "project": {"id": scope.project_id, "name": scope.project_id, "url": queue},
        "role": scope.role.label,
        "queue_count": count,
        "nav": [
            _entry("Queue", queue, active=here in {"queue", "decision"}, count=count, more=more),
            _entry("Tasks", tasks, active=here in {"tasks", "task"}),
        ],
    }


def _entry(
    label: str, url: str, *, active: bool, count: int | None = None, more: bool = False
) -> dict[str, Any]:
    return {"label": label, "url": url, "active": active, "count": count, "capped": more}
