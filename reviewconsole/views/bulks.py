"""One bulk: its sample, its button, what became of each of its decisions."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import bulk_url
from reviewconsole.bulk_models import Bulk, Ending
from reviewconsole.bulk_page import bulk_context, may_end, may_go_on
from reviewconsole.bulks import confirm, end, progress, settle_sample, signature
from reviewconsole.drafts import drop_draft, keep_draft, kept_draft, typed_in, why_id
from reviewconsole.jobs import run_bulk_later
from reviewconsole.note_form import NoteForm, fresh_note, note_again
from reviewconsole.pages import go, page, whole_page
from reviewconsole.problems import Problem
from reviewconsole.refused import refusal_of


@require_http_methods(["GET", "HEAD", "POST"])
def bulk(request: HttpRequest, project: str, bulk_id: UUID) -> HttpResponse:
    """How far it is. A post ends it, or has the worker reaffirm what the page names."""
    posted = request.method == "POST"
    scope = enter(request, project, Role.REVIEWER if posted else Role.READER)
    found = Bulk.objects.select_related("user").filter(project_id=project, uuid=bulk_id).first()
    if found is None:
        raise Http404
    settle_sample(scope, found)
    if posted:
        stops = request.POST.get("then") == "stop"
        return _stop(request, scope, found) if stops else _confirm(request, scope, found)
    draft = kept_draft(scope.user, project, why_id("bulk", bulk_id))
    typed = draft.typed.get("explanation", [""])[0] if draft else ""
    shown, after = request.GET.get("show", ""), request.GET.get("after", "")
    context = bulk_context(scope, found, fresh_note(typed=typed), shown, after[:9])
    return page(request, "bulk.html", context, fragment="progress")


def _stop(request: HttpRequest, scope: Scope, found: Bulk) -> HttpResponse:
    if not may_end(scope, found):
        raise PermissionDenied
    end(found, Ending.STOPPED)
    return go(request, bulk_url(scope.project_id, found.uuid))


def _confirm(request: HttpRequest, scope: Scope, found: Bulk) -> HttpResponse:
    """Have it carried out, if the page that was confirmed is the page as it stands now."""
    if not may_go_on(scope, found):
        raise PermissionDenied
    form = NoteForm(request.POST)
    same = form.data.get("seen") == signature(found) and progress(found).ready
    if found.open and not same:
        return _refused(request, scope, found)
    if not form.is_valid():
        return page(request, "bulk.html", bulk_context(scope, found, form), status=422)
    if confirm(found, form.why):
        run_bulk_later(found.pk)
    drop_draft(scope.user, scope.project_id, why_id("bulk", found.uuid))
    return go(request, bulk_url(scope.project_id, found.uuid))


def _refused(request: HttpRequest, scope: Scope, found: Bulk) -> HttpResponse:
    """The page as it stands now, with what was typed."""
    keep_draft(scope.user, scope.project_id, why_id("bulk", found.uuid), typed_in(request.POST))
    moved = Problem(
        409,
        _("The bulk changed"),
        _("The bulk is not as it was on your page."),
        _("Look at what it would do now, and press the button again."),
    )
    context = bulk_context(scope, found, note_again(request.POST))
    context["refusal"] = refusal_of("moved", moved)
    return whole_page(request, "bulk.html", context, status=409)
