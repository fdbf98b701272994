"""Projects that a caller may read."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from graphstore.records import Record
from reviewconsole.access import enter_as, readable_projects
from reviewconsole.api.callers import caller_of
from reviewconsole.api.schemas import Limit200, Name, Word

router = Router(tags=["projects"])


class ProjectEntry(Record):
    """A project and what the caller may do there."""

    project_id: str
    role: str


class ProjectPage(Record):
    projects: list[ProjectEntry]
    next_cursor: str | None = None


@router.get("", operation_id="list_projects", response=ProjectPage)
def list_projects(
    request: HttpRequest,
    cursor: Annotated[Word, Field(max_length=500)] = "",
    limit: Limit200 = 50,
) -> ProjectPage:
    """The projects that the caller may read, by id. A token sees its own."""
    caller = caller_of(request)
    if caller.token is not None:
        known = [caller.token.project_id] if caller.token.project_id > cursor else []
    else:
        known = [one for one, _ in readable_projects(caller.user, cursor, limit + 1)]
    shown = [(one, caller.role_in(one)) for one in known[:limit]]
    projects = [ProjectEntry(project_id=one, role=str(role.label)) for one, role in shown if role]
    return ProjectPage(projects=projects, next_cursor=known[limit - 1] if known[limit:] else None)


@router.get("/{segment:project}", operation_id="get_project", response=ProjectEntry)
def get_project(request: HttpRequest, project: Name) -> ProjectEntry:
    """One project, with the caller's role in it."""
    scope = enter_as(caller_of(request), project)
    return ProjectEntry(project_id=project, role=str(scope.role.label))
