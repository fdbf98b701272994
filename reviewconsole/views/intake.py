"""Intake: what an existing graph brought, opened in portions. For managers and admins."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import intake_url
from reviewconsole.intake import SIZES, Portion, PortionKind, keep, park, take_up
from reviewconsole.intake_page import figures, intake_context, moved_words
from reviewconsole.models import IntakeKind
from reviewconsole.pages import go, page, swaps

__all__ = ["show_intake"]

MOST_PAGES = 500


@require_http_methods(["GET", "HEAD", "POST"])
def show_intake(request: HttpRequest, project: str) -> HttpResponse:
    """What is flagged, how far it is compared, and what of it the queue shows."""
    scope = enter(request, project, Role.MANAGER)
    if request.method == "POST":
        return _moved(request, scope)
    if swaps(request):
        return page(request, "intake.html", figures(project), fragment="progress")
    number = request.GET.get("page", "")
    number = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
    return page(request, "intake.html", intake_context(scope, min(number, MOST_PAGES)))


def _moved(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Do the step that was asked for and say how many decisions it moved."""
    sent, project = request.POST, scope.project_id
    portion = _portion(sent.get("portion", ""), sent.get("size", ""), sent.get("ref", ""))
    seen, then = sent.get("seen", ""), sent.get("then", "")
    seen_us = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 19 else None
    if portion is None or then not in {"keep", "park", "take_up"} or seen_us is None:
        context = intake_context(scope, 0) | {
            "error": _("Choose which decisions first."),
            "then": then,
        }
        return page(request, "intake.html", context, status=422)
    if then == "keep":
        said = moved_words(IntakeKind.KEPT, keep(scope.user, project, portion, seen_us))
    elif then == "park":
        said = moved_words(IntakeKind.PARKED, park(scope.user, project, portion, seen_us))
    else:
        said = moved_words(IntakeKind.TAKEN_UP, take_up(scope.user, project, portion))
    messages.success(request, said)
    return go(request, intake_url(project))


def _portion(kind: str, size: str, ref: str) -> Portion | None:
    """The portion that a form names, None when it names none."""
    sizes = {str(number): number for number in SIZES} | {"all": None}
    if kind not in set(PortionKind) or size not in sizes:
        return None
    if (kind == PortionKind.DOCUMENT) != bool(ref):
        return None
    return Portion(PortionKind(kind), sizes[size], ref[:80])
