"""Going through the queue: what comes next, holding a decision, leaving one for later."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from reviewconsole import claims
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import decision_url
from reviewconsole.claim_page import claim_state, left_words
from reviewconsole.drafts import keep_draft, save_draft, typed_in
from reviewconsole.flow import set_aside, snooze, take_back_aside, wake
from reviewconsole.in_sample import back_to_bulk
from reviewconsole.leave_form import LeaveForm, TakeOverForm
from reviewconsole.onward import after
from reviewconsole.pages import go
from reviewconsole.skipped import note_skipped, unskip
from reviewconsole.views.queue import read_filters
from reviewconsole.waiting import just_cleared

__all__ = ["claim", "draft", "go_next", "leave"]


@require_safe
def go_next(request: HttpRequest, project: str) -> HttpResponse:
    """To the next decision that this person may judge, which they hold from then on."""
    scope = enter(request, project)
    try:
        here = UUID(request.GET.get("here", ""))
    except ValueError:
        here = None
    if here and scope.may(Role.REVIEWER):
        claims.release(scope.user, project, here)
    bulk = back_to_bulk(scope, here) if here else None
    return go(request, bulk or after(request, scope, read_filters(request), here))


@require_POST
def claim(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponseBase:
    """Take a decision, hold on to it, let it go, or take it from somebody.

    A script asks for JSON; a form comes back to the decision, with what was typed there.
    """
    scope = enter(request, project, Role.REVIEWER)
    fence = request.POST.get("fence", "")
    match request.POST.get("do"):
        case "take":
            claims.take(scope.user, project, decision_id)
        case "beat":
            claims.beat(scope.user, project, decision_id)
        case "release":
            number = int(fence) if fence.isascii() and fence.isdigit() else None
            claims.release(scope.user, project, decision_id, number)
        case "take_over":
            _take_over(request, scope, decision_id)
        case _:
            pass  # Only how things stand is asked for.
    if request.headers.get("Accept") == "application/json":
        return JsonResponse(claim_state(scope, decision_id))
    return _back(request, scope, decision_id)


def _take_over(request: HttpRequest, scope: Scope, decision_id: UUID) -> None:
    form = TakeOverForm(request.POST)
    if not form.is_valid():
        messages.warning(request, str(form.errors["takeover_why"][0]))
        return
    why = form.cleaned_data["takeover_why"]
    if claims.take_over(scope.user, scope.project_id, decision_id, why) is None:
        messages.warning(request, _("A verdict on it is being recorded right now; look again."))


@require_POST
def leave(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """Leave a decision for now, with what was typed, and go on; or take that back and stay."""
    scope = enter(request, project, Role.REVIEWER)
    keep_draft(scope.user, project, decision_id, typed_in(request.POST))
    form = LeaveForm(request.POST)
    if not form.is_valid():
        messages.warning(request, str(next(iter(form.errors.values()))[0]))
        return _back(request, scope, decision_id)
    match form.cleaned_data["leave"]:
        case "skip":
            note_skipped(request, project, decision_id)
        case "aside":
            why = form.cleaned_data["aside_why"]
            set_aside(scope.user, project, decision_id, form.version_shown, why)
        case "snooze":
            snooze(scope.user, project, decision_id, form.version_shown, form.snoozed_until)
        case taken_back:
            _take_back(request, scope, decision_id, taken_back)
            return _back(request, scope, decision_id)
    claims.release(scope.user, project, decision_id)
    messages.success(request, left_words(scope, decision_id, form))
    bulk = back_to_bulk(scope, decision_id)
    return go(request, bulk or after(request, scope, read_filters(request), decision_id))


def _take_back(request: HttpRequest, scope: Scope, decision_id: UUID, what: str) -> None:
    match what:
        case "unskip":
            unskip(request, scope.project_id)
        case "unaside":
            take_back_aside(scope.user, scope.project_id, decision_id)
        case _:
            wake(scope.project_id, decision_id)


def _back(request: HttpRequest, scope: Scope, decision_id: UUID) -> HttpResponse:
    keep_draft(scope.user, scope.project_id, decision_id, typed_in(request.POST))
    here = decision_url(scope.project_id, decision_id, **read_filters(request).query())
    return go(request, here)


@require_POST
def draft(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """Save what is being typed. What arrives just after its verdict comes too late and is dropped."""
    scope = enter(request, project, Role.REVIEWER)
    if not just_cleared(project, decision_id):
        save_draft(scope.user, project, decision_id, typed_in(request.POST))
    return HttpResponse(status=204)
