"""One task: goal, steps, decisions, and its log by pages."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.records import DecisionStatus
from graphstore.results import TaskView
from reviewconsole import words
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import (
    conflict_url,
    decision_url,
    decisions_url,
    delete_task_url,
    queue_url,
    redact_event_url,
    steps_url,
    task_url,
    tasks_url,
)
from reviewconsole.log_page import around, asked_time, url_at
from reviewconsole.pages import go, page
from reviewconsole.steps import cited_decisions, new_run, step_groups
from reviewconsole.task_log import Place, read_log
from reviewconsole.waiting import Filters, capped, waiting


@require_safe
def show_task(request: HttpRequest, project: str, task_name: str) -> HttpResponse:
    """The task with one page of its log."""
    scope = enter(request, project)
    view = scope.history.get_task(task_name).view
    if view is None:
        return go(request, task_url(project, _name_of(scope, task_name)))
    place = Place.read(request.GET)
    if not place.after and (at := asked_time(request.GET.get("at", ""))):
        return go(request, url_at(scope, view, place, at))
    steps = [step for state in view.steps.values() for step in state]
    log = read_log(scope, view, place, cited_decisions(steps))
    if scope.may(Role.ADMIN):
        _offer_redaction(project, task_name, log.items)
    context = {
        "view": view,
        "tasks_url": tasks_url(project),
        "log": log,
        "events": log.items,
        "show_choices": _show_choices(project, task_name, place),
        **around(scope, view, place, log),
        "step_groups": step_groups(project, view, log.named),
        "steps_url": steps_url(project, task_name),
        "new_run": new_run(view),
        "delete_url": delete_task_url(project, task_name) if scope.may(Role.ADMIN) else None,
        **_decisions(project, view),
    }
    return page(request, "task.html", context, fragment="log")


def _offer_redaction(project: str, task_name: str, items: Iterable[dict[str, Any]]) -> None:
    """A link at each event that still has its text, for who may take it out."""
    for item in items:
        parts: tuple[dict[str, Any] | None, ...] = (item, item.get("answer"))
        for part in parts:
            if part and part["event"] and part["event"].redacted_at is None:
                event = part["event"]
                part["redact_url"] = redact_event_url(project, task_name, event.seq)


def _name_of(scope: Scope, text: str) -> str:
    """The name of the task with this id, since a link may carry either."""
    try:
        found = scope.history.find_task(UUID(text)).view
    except ValueError:
        found = None
    if found is None:
        raise Http404
    return found.task_name


def _show_choices(project: str, task_name: str, place: Place) -> list[dict[str, Any]]:
    return [
        {
            "value": value,
            "label": label,
            "url": task_url(project, task_name, **replace(place, show=value).filters()),
            "active": place.show == value,
        }
        for value, label in words.SHOWN.items()
    ]


def _decisions(project: str, view: TaskView) -> dict[str, Any]:
    """What was decided in the task: how much of each status, the newest, and its conflicts."""
    name, counts = view.task_name, view.decision_counts
    waits, more = capped(waiting(project, Filters(task=view.task.id)))
    retired = (DecisionStatus.SUPERSEDED, DecisionStatus.REJECTED)
    return {
        "decisions": [
            {"decision": decision, "url": decision_url(project, decision.id)}
            for decision in view.decisions
        ],
        "waits": {
            "count": waits,
            "capped": more,
            "url": queue_url(project, task=str(view.task.id)),
        },
        "active": {
            "count": counts[DecisionStatus.ACTIVE],
            "url": decisions_url(project, task=name, status="active"),
        },
        "retired": [
            {
                "label": words.STATUSES[status],
                "count": counts[status],
                "url": decisions_url(project, task=name, status=status.value),
            }
            for status in retired
            if counts[status]
        ],
        "conflicts": [
            {"key": group.choice_key, "url": conflict_url(project, group.choice_key)}
            for group in view.conflicts
        ],
    }
