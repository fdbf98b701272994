"""The versions between the one that a decision cites and the newest, one by one."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.versions_between import versions_between
from reviewconsole.access import enter
from reviewconsole.document_page import version_number
from reviewconsole.pages import page
from reviewconsole.versions_page import context_of


@require_safe
def show_versions(
    request: HttpRequest, project: str, decision_id: UUID, support_id: UUID
) -> HttpResponse:
    """What each version made of the passage; a page of its own, or a part of the evidence."""
    scope = enter(request, project)
    after = version_number(request.GET.get("after")) or 0
    found = versions_between(scope.store, project, decision_id, support_id, after=after)
    if found is None:
        raise Http404
    context = context_of(project, decision_id, found)
    return page(request, "versions_between.html", context, fragment="versions")
