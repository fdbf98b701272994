"""The backlog: flagged decisions that a manager parked.

They are still flagged, found by every search and judged like any other; the queue, its
ages and its counts leave them out. Whoever begins to work on one takes it up, and so
does a flag that is set anew (`review_index`).
"""

from uuid import UUID

from django.db.models import QuerySet

from reviewconsole.models import FlaggedDecision

__all__ = ["parked", "take_up_touched"]


def parked(project_id: str) -> QuerySet[FlaggedDecision]:
    """The rows of the backlog, unordered."""
    return FlaggedDecision.objects.filter(
        project_id=project_id, cleared_us__isnull=True, parked_us__isnull=False
    )


def take_up_touched(project_id: str, decision_id: UUID) -> None:
    """Put a decision back into the queue because somebody works on it; one that waits there stays."""
    parked(project_id).filter(decision_id=decision_id).update(parked_us=None)
