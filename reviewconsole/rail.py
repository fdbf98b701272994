"""The neighbours of a decision in the queue, and what comes next."""

from typing import Any
from uuid import UUID

from graphstore.review_feed import queue_rows
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import next_item_url, open_url
from reviewconsole.models import FlaggedDecision
from reviewconsole.waiting import CAP, Filters, Place, in_order

__all__ = ["next_url", "rail"]

BEFORE, AFTER = 3, 8


def rail(scope: Scope, filters: Filters, decision_id: UUID) -> list[dict[str, Any]]:
    """At most twelve decisions around this one, in the queue's order, texts included."""
    rows = _around(scope.project_id, filters, decision_id)
    if not rows:
        return []
    found = {
        line.decision.id: line
        for line in queue_rows(scope.store, scope.project_id, [row.decision_id for row in rows])
    }
    return [
        {
            "decision_id": row.decision_id,
            "url": open_url(scope.project_id, row.decision_id, **filters.query()),
            "conclusion": found[row.decision_id].decision.conclusion,
            "reason_words": words.reason_words(row.reason),
            "dependents": min(found[row.decision_id].dependents, CAP),
            "here": row.decision_id == decision_id,
            "done_words": "",
        }
        for row in rows
        if row.decision_id in found
    ]


def next_url(project_id: str, filters: Filters, decision_id: UUID) -> str:
    """Where the decision after this one is found, once somebody asks for it."""
    return next_item_url(project_id, decision_id, **filters.query())


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
