"""What one decision rests on and what rests on it, drawn and listed."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from reviewconsole.access import enter
from reviewconsole.addresses import decision_url, task_url
from reviewconsole.lineage_drawing import MOST_NODES
from reviewconsole.lineage_page import context_of
from reviewconsole.pages import page


@require_safe
def show_lineage(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """At most sixty nodes around the decision; two reads."""
    scope = enter(request, project)
    ident = str(decision_id)
    lineage = scope.traces.get_lineage(ident, limit=MOST_NODES)
    here = next((node for node in lineage.nodes if node.id == ident), None) if lineage else None
    if lineage is None or here is None:
        raise Http404
    context = context_of(project, ident, lineage) | {
        "decision": here.decision,
        "decision_url": decision_url(project, decision_id),
        "task_url": task_url(project, here.decision.task_name) if here.decision else None,
    }
    return page(request, "lineage.html", context)
