"""What the queue page shows, from the review index and the one read that confirmed it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from graphstore.evidence import Comparison
from graphstore.records import Document
from graphstore.review_feed import QueueRow
from reviewconsole import words
from reviewconsole.access import Role, Scope
from reviewconsole.addresses import (
    bundle_url,
    document_url,
    intake_url,
    next_item_url,
    open_url,
    queue_news_url,
    queue_url,
    queue_views_url,
    task_url,
)
from reviewconsole.backlog import parked
from reviewconsole.bundle_bars import BAR_WIDTH, bar_of
from reviewconsole.claims import Holder, holders
from reviewconsole.facets import MOST, Bundle, bundles_of, chosen_document, facets_of
from reviewconsole.filters import Filters, Place
from reviewconsole.flow import continue_place, snoozes
from reviewconsole.models import Due, FlaggedDecision
from reviewconsole.queue_choices import Named, order_choices, picks_of
from reviewconsole.queue_words import danger_words, first_because, initials_of
from reviewconsole.saved_views import query_of, views_for
from reviewconsole.waiting import (
    CAP,
    Page,
    capped,
    confirmed_page,
    from_us,
    oldest_flag,
    waiting,
)

__all__ = ["cleared_today", "holder_shown", "queue_context"]

STRIP = 3
"""How many bundles stand at the top before the rest is folded."""

SHOWN_VIEWS = 12


def queue_context(
    scope: Scope, filters: Filters, after: Place | None, asked_us: int
) -> dict[str, Any]:
    """Everything `queue.html` draws. What is flagged after `asked_us` is news to this page."""
    project = scope.project_id
    facets = facets_of(project, filters)
    bundles, documents = bundles_of(project, filters)
    tasks = facets["task"]
    examples = {task: tasks.examples[task] for task, _number in tasks.counts.most_common(MOST)}
    wanted = [*(one.ref for one in bundles), *chosen_document(project, filters)]
    shown, known, found = confirmed_page(
        scope.store, project, filters, after, list(examples.values()), wanted
    )
    named = Named(_task_names(examples, known), found)
    total, more = capped(waiting(project, filters))
    return {
        "total": total,
        "total_capped": more,
        **_due(project),
        "oldest": oldest_flag(project, filters),
        "cleared_today": cleared_today(project),
        **_backlog(scope),
        "filters": filters,
        "picks": picks_of(project, filters, facets, bundles, named),
        "orders": order_choices(project, filters),
        "bundles": [] if after else _bundles(scope, filters, bundles, found),
        "bundle_count": documents,
        "strip": f":{STRIP}",
        "rest": f"{STRIP}:",
        "bar_width": BAR_WIDTH,
        **_views(scope, filters),
        **_rows(scope, filters, shown, after),
        "news_url": queue_news_url(project, **filters.query(), since=asked_us),
        "first_url": queue_url(project, **filters.query()) if after else None,
        "continue_at": None if after else _continue(scope, filters),
        "everything_url": queue_url(project, **Filters(filters.order).query()),
    }


def _backlog(scope: Scope) -> dict[str, Any]:
    """How much is parked; a link for those who may take it up."""
    number, more = capped(parked(scope.project_id))
    url = intake_url(scope.project_id) if scope.may(Role.MANAGER) else ""
    return {"backlog": number, "backlog_capped": more, "intake_url": url}


def _due(project_id: str) -> dict[str, Any]:
    """How many a worker has still to look at."""
    number, more = capped(waiting(project_id).filter(due__gt=Due.NOTHING))
    return {"due": number, "due_capped": more}


def _continue(scope: Scope, filters: Filters) -> dict[str, Any] | None:
    """Where the person left off, for whoever may judge."""
    left = continue_place(scope.user, scope.project_id, filters)
    if left is None or not scope.may(Role.REVIEWER):
        return None
    url = open_url(scope.project_id, left.decision_id, **filters.query())
    return {"item": left.item, "total": left.total, "capped": left.capped, "url": url}


def _task_names(examples: Mapping[str, UUID], known: Mapping[UUID, QueueRow]) -> dict[str, str]:
    return {
        task: known[decision_id].decision.task_name
        for task, decision_id in examples.items()
        if decision_id in known
    }


def _views(scope: Scope, filters: Filters) -> dict[str, Any]:
    """The saved views, and what stands in the form that saves one more."""
    now = query_of(filters)
    project = scope.project_id
    views = [
        {
            "name": view.name,
            "url": f"{queue_url(project)}?{view.query}" if view.query else queue_url(project),
            "active": view.query == now,
            "by": "" if view.user == scope.user else view.user.shown_name,
        }
        for view in views_for(scope)[:SHOWN_VIEWS]
    ]
    mine = Filters(claimed="mine")
    return {
        "views": views,
        "view_active": any(view["active"] for view in views),
        "mine": {"url": queue_url(project, **mine.query()), "active": now == query_of(mine)},
        "all_active": not filters.narrow,
        "view_query": now,
        "views_url": queue_views_url(project),
        "may_share": scope.may(Role.REVIEWER),
    }


def _bundles(
    scope: Scope, filters: Filters, bundles: list[Bundle], found: Mapping[str, Document]
) -> list[dict[str, Any]]:
    """What waits, by the document that it waits because of."""
    project = scope.project_id
    return [
        {
            "title": document.title or document.document_key,
            "version": document.activation_seq,
            "removed": document.removed,
            "changed_at": document.updated_at,
            "number": bundle.number,
            "capped": bundle.number >= CAP,
            "oldest": bundle.oldest,
            "bar": bar_of(bundle.comparisons),
            "compared": any(one != Comparison.NOT_COMPARED for one in bundle.comparisons),
            "url": bundle_url(project, document.document_key),
            "document_url": document_url(project, document.document_key),
            "bundle_url": bundle_url(project, document.document_key),
        }
        for bundle in bundles
        if (document := found.get(bundle.ref)) is not None
        and filters.document in {"", document.document_key}
    ]


def _rows(scope: Scope, filters: Filters, shown: Page, after: Place | None) -> dict[str, Any]:
    project = scope.project_id
    held = holders(project, [row.decision_id for row, _found in shown.rows])
    asleep = snoozes(project, {row.decision_id: row.version for row, _found in shown.rows})
    rows = [
        {
            **_row(project, filters, row, found),
            "holder": holder_shown(held.get(row.decision_id), scope),
            "snoozed": row.decision_id in asleep,
            "snoozed_until": from_us(asleep[row.decision_id].until_us)
            if row.decision_id in asleep
            else None,
        }
        for row, found in shown.rows
    ]
    first = shown.rows[0][0] if shown.rows and not after and filters.order == "stake" else None
    next_place = str(shown.after) if shown.after else None
    return {
        "rows": rows,
        "first_because": first_because(first) if first else "",
        "start_url": next_item_url(project, **filters.query()) if rows else None,
        "next_url": queue_url(project, **filters.query(after=next_place)) if next_place else None,
    }


def _row(project: str, filters: Filters, row: FlaggedDecision, found: QueueRow) -> dict[str, Any]:
    """One line. What rests on it is what the order counted, as soon as it was counted."""
    dependents = found.dependents if row.dependents is None else row.dependents
    return {
        "decision": found.decision,
        "url": open_url(project, row.decision_id, **filters.query()),
        "task_url": task_url(project, found.decision.task_name),
        "comparison": row.comparison,
        "compared": row.comparison != Comparison.NOT_COMPARED,
        "dangers": danger_words(row.dangers),
        "reason": row.reason,
        "reason_words": words.reason_words(row.reason),
        "waiting_since": from_us(row.flagged_us),
        "inferred": row.inferred,
        "dependents": min(dependents, CAP),
        "dependents_capped": dependents >= CAP,
        "open_tasks": row.open_tasks or 0,
        "documents": found.documents,
        "reaffirmed_at": found.reaffirmed_at,
    }


def holder_shown(holder: Holder | None, scope: Scope) -> dict[str, Any] | None:
    """Who is at it now."""
    if holder is None:
        return None
    own = holder.user_id == scope.user.pk
    return {
        "initials": initials_of(holder.name),
        "name": _("you") if own else holder.name,
        "own": own,
        "until": holder.until,
    }


def cleared_today(project_id: str) -> int:
    """How many were cleared since midnight of the reader, at most 1,000."""
    midnight: datetime = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    since = int(midnight.timestamp() * 1_000_000)
    cleared = FlaggedDecision.objects.filter(project_id=project_id, cleared_us__gte=since)
    return capped(cleared)[0]
