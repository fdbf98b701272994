"""The backlog: flagged decisions that a manager parked.

They are still flagged, found by every search and judged like any other; the queue, its
ages and its counts leave them out. Whoever begins to work on one takes it up, and so
does a flag that is set anew (`review_index`).
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from reviewconsole.models import FlaggedDecision

__all__ = ["flag_marks", "parked", "take_up_touched"]


def parked(project_id: str) -> QuerySet[FlaggedDecision]:
    """The rows of the backlog, unordered."""
    return FlaggedDecision.objects.filter(
        project_id=project_id, cleared_us__isnull=True, parked_us__isnull=False
    )


def take_up_touched(project_id: str, decision_id: UUID) -> None:
    """Put a decision back into the queue because somebody works on it; one that waits there stays."""
    parked(project_id).filter(decision_id=decision_id).update(parked_us=None)


def flag_marks(project_id: str, decision_id: UUID) -> dict[str, Any]:
    """What a decision's page says of its flag beside the graph: whose it is, and whether it is parked."""
    row = FlaggedDecision.objects.filter(
        project_id=project_id, decision_id=decision_id, cleared_us__isnull=True
    ).first()
    return {
        "flag_inferred": row is not None and row.inferred,
        "flag_parked": row is not None and row.parked_us is not None,
    }
