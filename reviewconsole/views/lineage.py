"""What one decision rests on and what rests on it: drawn, listed, and as files to take along."""

from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from graphstore.lineages import MAX_OPENED, open_lineage
from graphstore.results import Lineage
from reviewconsole.access import Scope, enter
from reviewconsole.addresses import decision_url, lineage_url, task_url
from reviewconsole.lineage_export import drawable, table
from reviewconsole.lineage_page import context_of
from reviewconsole.pages import page


@require_safe
def show_lineage(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """Sixty nodes around the decision, more where opened, as of a day; at most five reads."""
    scope = enter(request, project)
    context = _context(request, scope, decision_id)
    decision = context["decision"] or scope.traces.get_decision(decision_id).decision
    context |= {
        "decision": decision,
        "decision_url": decision_url(project, decision_id),
        "lineage_url": lineage_url(project, decision_id),
        "task_url": task_url(project, decision.task_name) if decision else None,
        "today": timezone.localdate().isoformat(),
    }
    return page(request, "lineage.html", context)


@require_safe
def export_svg(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """The drawing by itself, as the page shows it."""
    context = _context(request, enter(request, project), decision_id)
    answer = render(
        request, "lineage.svg", drawable(context), content_type="image/svg+xml; charset=utf-8"
    )
    return _file(answer, decision_id, "svg")


@require_safe
def export_csv(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """The list, for a spreadsheet."""
    context = _context(request, enter(request, project), decision_id)
    answer = HttpResponse(table(context["nodes"]), content_type="text/csv; charset=utf-8")
    return _file(answer, decision_id, "csv")


def _file(answer: HttpResponse, decision_id: UUID, ending: str) -> HttpResponse:
    name = f"lineage-{str(decision_id)[:8]}.{ending}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _context(request: HttpRequest, scope: Scope, decision_id: UUID) -> dict[str, Any]:
    """What was asked for, drawn. `decision` is None when it was not recorded by then."""
    ident, day = str(decision_id), _day(request.GET.get("as_of", ""))
    opened = _ids(request.GET.getlist("opened"))
    found = open_lineage(scope.store, scope.project_id, ident, opened=opened, at=_end_of(day))
    if found is None:
        raise Http404
    here = next((node for node in found.nodes if node.id == ident), None)
    as_of = day.isoformat() if day else ""
    drawn = found if here else Lineage()
    context = context_of(scope.project_id, ident, drawn, opened=opened, as_of=as_of)
    return context | {"as_of": as_of, "as_of_day": day, "decision": here and here.decision}


def _ids(given: list[str]) -> list[str]:
    """The nodes to open; what is no id opens nothing."""
    ids: dict[str, None] = {}
    for one in given[:MAX_OPENED]:
        try:
            ids[str(UUID(one))] = None
        except ValueError:
            continue
    return list(ids)


def _day(text: str) -> date | None:
    """A day of the reader's calendar; what is none, or lies ahead, is now."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day <= timezone.localdate() else None


def _end_of(day: date | None) -> datetime | None:
    if day is None or day.year < 2:
        return None
    return timezone.make_aware(datetime.combine(day, time.max))
