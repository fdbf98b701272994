"""The projects that a person may read."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from reviewconsole.access import readable_projects, reader_of
from reviewconsole.addresses import queue_url
from reviewconsole.models import Role
from reviewconsole.pages import page
from reviewconsole.waiting import capped, oldest_flag, waiting


@require_safe
def show_projects(request: HttpRequest) -> HttpResponse:
    """Each project with how much waits in it, as the index last knew."""
    projects = readable_projects(reader_of(request))
    context = {"projects": [_line(project_id, role) for project_id, role in projects]}
    return page(request, "projects.html", context)


def _line(project_id: str, role: Role) -> dict[str, Any]:
    number, more = capped(waiting(project_id))
    return {
        "id": project_id,
        "name": project_id,
        "url": queue_url(project_id),
        "role": role.label,
        "waiting": number,
        "waiting_capped": more,
        "oldest": oldest_flag(project_id),
    }
