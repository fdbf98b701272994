"""The projects that a person may read."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from reviewconsole import words
from reviewconsole.access import readable_projects, reader_of
from reviewconsole.addresses import projects_url, queue_url
from reviewconsole.models import Role
from reviewconsole.pages import page
from reviewconsole.waiting import Wait, by_project

PAGE = 50


@require_safe
def show_projects(request: HttpRequest) -> HttpResponse:
    """One page of projects, each with how much waits in it, as the index last knew."""
    user, after = reader_of(request), request.GET.get("after", "")
    found = readable_projects(user, after, PAGE + 1)
    shown = found[:PAGE]
    waits = by_project([project_id for project_id, _ in shown])
    context = {
        "projects": [
            _line(project_id, role, waits.get(project_id, Wait())) for project_id, role in shown
        ],
        "next_url": projects_url(after=shown[-1][0]) if len(found) > PAGE else None,
        "first_url": projects_url() if after else None,
        "sign_in_name": user.get_username(),
    }
    return page(request, "projects.html", context)


def _line(project_id: str, role: Role, wait: Wait) -> dict[str, Any]:
    return {
        "id": project_id,
        "name": project_id,
        "url": queue_url(project_id),
        "role": words.ROLES[role],
        "waiting": wait.number,
        "waiting_capped": wait.more,
        "oldest": wait.oldest,
    }
