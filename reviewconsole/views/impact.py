"""What a verdict on a decision would do to others, before it is given."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from graphstore.impact import Impact
from graphstore.refusals import WriteErrorCode
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import decision_url
from reviewconsole.drafts import keep_draft, typed_in
from reviewconsole.forms import VerdictForm
from reviewconsole.impact_page import (
    context_of,
    impact_of_form,
    impact_of_retiring,
    refusal_of_impact,
)
from reviewconsole.offers import read_offers
from reviewconsole.pages import page, swaps


@require_http_methods(["GET", "HEAD", "POST"])
def show_impact(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """What retiring it does; a post: what the form does as it is filled in. Nothing is written.

    At most five reads.
    """
    scope = enter(request, project)
    if request.method != "POST":
        impact = impact_of_retiring(scope, str(decision_id))
        return _show(request, scope, decision_id, context_of(project, impact), impact)
    if not scope.may(Role.REVIEWER):
        raise PermissionDenied
    offers = read_offers(decision_id, request.POST.get("offered", "")) or []
    form = VerdictForm(request.POST, offers=offers)
    if not swaps(request):
        keep_draft(scope.user, project, decision_id, typed_in(request.POST))
    impact = impact_of_form(scope, str(decision_id), form)
    # What stands in the way of this verdict leaves what another would do to others.
    others = impact
    if impact.error is not None and form.cleaned_data.get("verdict") == "supersede":
        others = impact_of_retiring(scope, str(decision_id))
    context = context_of(project, others, None if impact.error else form)
    context["verdict"] = form.cleaned_data.get("verdict", "")
    return _show(request, scope, decision_id, context, impact)


def _show(
    request: HttpRequest,
    scope: Scope,
    decision_id: UUID,
    context: dict[str, Any],
    impact: Impact,
) -> HttpResponse:
    if impact.error == WriteErrorCode.DECISION_NOT_FOUND:
        raise Http404
    context |= {
        "impact_refusal": refusal_of_impact(impact),
        "back_url": decision_url(scope.project_id, decision_id),
    }
    if not swaps(request):
        context["decision"] = scope.traces.get_decision(decision_id).decision
    return page(request, "impact.html", context, fragment="impact")
