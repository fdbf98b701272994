"""The queue: what waits, in order, filtered by the address."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reviewconsole import words
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import document_url, next_item_url, open_url, queue_url, task_url
from reviewconsole.flow import continue_place
from reviewconsole.jobs import catch_up_later
from reviewconsole.models import FlaggedDecision
from reviewconsole.pages import page
from reviewconsole.review_index import catch_up
from reviewconsole.waiting import (
    CAP,
    Filters,
    Page,
    Place,
    busiest_tasks,
    by_reason,
    capped,
    confirmed_page,
    from_us,
    oldest_flag,
    waiting,
)

__all__ = ["read_filters", "show_queue"]

LONGEST_KEY = 1_000


@require_safe
def show_queue(request: HttpRequest, project: str) -> HttpResponse:
    """One page of what waits, level with the graph as of now."""
    scope = enter(request, project)
    filters = read_filters(request)
    level = catch_up(scope.store, project, seal_later=catch_up_later)
    if not level:
        catch_up_later(project)
    tasks = busiest_tasks(project)
    after = Place.read(request.GET.get("after", ""))
    shown, known = confirmed_page(scope.store, project, filters, after, list(tasks.values()))
    names = {
        task_id: known[decision_id].decision.task_name
        for task_id, decision_id in tasks.items()
        if decision_id in known
    }
    context = {
        **_head(scope, filters, names),
        **_rows(scope, filters, shown),
        "document": _document(scope, filters),
        "first_url": queue_url(project, **filters.query()) if after else None,
        "continue_at": None if after else _continue(scope, filters),
        "catching_up": not level,
    }
    return page(request, "queue.html", context, fragment="rows")


def _continue(scope: Scope, filters: Filters) -> dict[str, Any] | None:
    """Where the person left off, for whoever may judge."""
    left = continue_place(scope.user, scope.project_id, filters)
    if left is None or not scope.may(Role.REVIEWER):
        return None
    url = open_url(scope.project_id, left.decision_id, **filters.query())
    return {"item": left.item, "total": left.total, "capped": left.capped, "url": url}


def _document(scope: Scope, filters: Filters) -> dict[str, str] | None:
    """The document that the queue is narrowed to, by its title where the project may read it."""
    if not filters.document:
        return None
    found = scope.documents.get_document(filters.document).document
    return {
        "title": (found and found.title) or filters.document,
        "key": filters.document,
        "url": document_url(scope.project_id, filters.document) if found else "",
        "all_url": queue_url(scope.project_id, **filters.query(document=None)),
    }


def read_filters(request: HttpRequest) -> Filters:
    """The filters that the address names; what is not understood filters nothing."""
    try:
        task = UUID(request.GET.get("task", ""))
    except ValueError:
        task = None
    order = "newest" if request.GET.get("order") == "newest" else "oldest"
    reason, document = request.GET.get("reason", "")[:64], request.GET.get("document", "")
    return Filters(order, reason, task, document[:LONGEST_KEY])


def _rows(scope: Scope, filters: Filters, shown: Page) -> dict[str, Any]:
    project = scope.project_id
    rows = [
        {
            "decision": found.decision,
            "url": open_url(project, row.decision_id, **filters.query()),
            "task_url": task_url(project, found.decision.task_name),
            "reason": row.reason,
            "reason_words": words.reason_words(row.reason),
            "waiting_since": from_us(row.flagged_us),
            "dependents": min(found.dependents, CAP),
            "dependents_capped": found.dependents >= CAP,
            "documents": found.documents,
        }
        for row, found in shown.rows
    ]
    after = str(shown.after) if shown.after else None
    return {
        "rows": rows,
        "start_url": next_item_url(project, **filters.query()) if rows else None,
        "next_url": queue_url(project, **filters.query(after=after)) if after else None,
    }


def _head(scope: Scope, filters: Filters, task_names: dict[UUID, str]) -> dict[str, Any]:
    project = scope.project_id
    total, more = capped(waiting(project, filters))
    return {
        "total": total,
        "total_capped": more,
        "oldest": oldest_flag(project, filters),
        "cleared_today": _cleared_today(project),
        "order": filters.order,
        "reason": filters.reason,
        "task": str(filters.task or ""),
        "reason_choices": _reason_choices(project, filters),
        "order_choices": _order_choices(project, filters),
        "task_choices": _task_choices(filters, task_names),
        "everything_url": queue_url(project, **Filters(filters.order).query()),
    }


def _reason_choices(project: str, filters: Filters) -> list[dict[str, Any]]:
    counts = by_reason(project, filters)
    reasons = [reason for reason in words.REASON_LABELS if counts[reason]]
    others = sorted(set(counts) - set(words.REASON_LABELS))
    listed = [("", "Everything", sum(counts.values()))]
    listed += [(reason, words.reason_label(reason), counts[reason]) for reason in reasons + others]
    return [
        {
            "value": str(value),
            "label": label,
            "url": queue_url(project, **filters.query(reason=str(value))),
            "active": filters.reason == value,
            "count": count,
            "capped": listed[0][2] >= CAP,
        }
        for value, label, count in listed
    ]


def _order_choices(project: str, filters: Filters) -> list[dict[str, Any]]:
    return [
        {
            "value": value,
            "label": label,
            "url": queue_url(project, **filters.query(order=value)),
            "active": filters.order == value,
            "count": None,
        }
        for value, label in (("oldest", "Oldest first"), ("newest", "Newest first"))
    ]


def _task_choices(filters: Filters, names: dict[UUID, str]) -> list[dict[str, str]]:
    choices = [
        {"value": str(task_id), "label": name or "a deleted task"}
        for task_id, name in names.items()
    ]
    if filters.task and filters.task not in names:
        choices.append({"value": str(filters.task), "label": "this task"})
    return sorted(choices, key=lambda choice: choice["label"].casefold())


def _cleared_today(project: str) -> int:
    midnight: datetime = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    since = int(midnight.timestamp() * 1_000_000)
    cleared = FlaggedDecision.objects.filter(project_id=project, cleared_us__gte=since)
    return capped(cleared)[0]
