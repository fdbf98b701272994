"""The neighbours of a decision in the queue, how far one has come, and what comes next."""

from collections import Counter
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from graphstore.evidence import Comparison
from graphstore.records import Document
from graphstore.review_feed import QueueRow, queue_page
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import next_item_url, open_url
from reviewconsole.bundle_bars import BAR_WIDTH, bar_of
from reviewconsole.bundles import document_id, look_at
from reviewconsole.claims import holders
from reviewconsole.facets import chosen_document
from reviewconsole.filters import Filters, Place
from reviewconsole.flow import position
from reviewconsole.models import FlaggedDecision
from reviewconsole.queue_page import holder_shown
from reviewconsole.queue_words import ORDER_LABELS, filter_words
from reviewconsole.waiting import CAP, capped, in_order, waiting

__all__ = ["next_url", "rail_context"]

BEFORE, AFTER = 3, 8


def rail_context(scope: Scope, filters: Filters, decision_id: UUID) -> dict[str, Any]:
    """What stands beside a decision: at most twelve around it in the queue's order.

    One read of the graph brings their texts, and the title of the document that the list
    is narrowed to.
    """
    project = scope.project_id
    rows = _around(project, filters, decision_id)
    chosen = chosen_document(project, filters)
    lines, documents = queue_page(scope.store, project, [row.decision_id for row in rows], chosen)
    found = {line.decision.id: line for line in lines}
    held = holders(project, found)
    return {
        "rail": [
            _item(scope, filters, row, found[row.decision_id], row.decision_id == decision_id)
            | {"holder": holder_shown(held.get(row.decision_id), scope)}
            for row in rows
            if row.decision_id in found
        ],
        "rail_title": _title(filters, documents.get(chosen[0]) if chosen else None),
        "rail_progress": _progress(scope, filters, decision_id),
    }


def next_url(project_id: str, filters: Filters, decision_id: UUID) -> str:
    """Where the decision after this one is found, once somebody asks for it."""
    return next_item_url(project_id, decision_id, **filters.query())


def _item(
    scope: Scope,
    filters: Filters,
    row: FlaggedDecision,
    found: QueueRow,
    here: bool,  # noqa: FBT001
) -> dict[str, Any]:
    dependents = found.dependents if row.dependents is None else row.dependents
    return {
        "decision_id": row.decision_id,
        "url": open_url(scope.project_id, row.decision_id, **filters.query()),
        "conclusion": found.decision.conclusion,
        "comparison": row.comparison,
        "compared": row.comparison != Comparison.NOT_COMPARED,
        "reason_words": words.reason_words(row.reason),
        "dependents": min(dependents, CAP),
        "here": here,
        "done_words": "",
    }


def _title(filters: Filters, document: Document | None) -> str:
    """What the list is narrowed to, or else its order."""
    if not filters.narrow:
        return str(ORDER_LABELS[filters.order])
    if document is not None and document.title:
        return document.title
    return " · ".join(filter_words(filters)[:-1])


def _progress(scope: Scope, filters: Filters, decision_id: UUID) -> dict[str, Any] | None:
    """How many are left of what the person goes through, and how many of it they judged.

    The bar shows what became of the first 1,000.
    """
    left, more = capped(waiting(scope.project_id, filters))
    if not left:
        return None
    done, whose = _done(scope, filters, decision_id, left)
    rows = in_order(scope.project_id, filters)[:CAP]
    comparisons = Counter(rows.values_list("comparison", flat=True))
    return {
        "left": left,
        "capped": more,
        "done": done,
        "done_words": whose,
        "bar": bar_of(comparisons, done, whose),
        "width": BAR_WIDTH,
    }


def _done(scope: Scope, filters: Filters, decision_id: UUID, left: int) -> tuple[int, str]:
    """How many of it are judged: of a bundle by anybody, else by the person since they began."""
    if filters.document and filters == Filters(order=filters.order, document=filters.document):
        bundle = look_at(scope.project_id, document_id(filters.document))
        return bundle.done, _("done")
    at = position(scope.user, scope.project_id, filters, decision_id)
    return max(0, at.total - left) if at else 0, _("judged by you")


def _around(project_id: str, filters: Filters, decision_id: UUID) -> list[FlaggedDecision]:
    row = _row(project_id, decision_id)
    if row is None:
        return list(in_order(project_id, filters)[: BEFORE + 1 + AFTER])
    here = Place.of(row)
    before = list(in_order(project_id, filters, here, backwards=True)[:BEFORE])
    own = [row] if row.cleared_us is None else []
    return before[::-1] + own + list(in_order(project_id, filters, here)[:AFTER])


def _row(project_id: str, decision_id: UUID) -> FlaggedDecision | None:
    return FlaggedDecision.objects.filter(project_id=project_id, decision_id=decision_id).first()
