"""What waits for a verdict, read from the review index and confirmed by the graph."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, Self
from uuid import UUID

from django.db.models import IntegerField, OuterRef, Q, QuerySet, Subquery

from graphstore.ids import named_id
from graphstore.review_feed import QueueRow, queue_rows
from graphstore.store import GraphStore
from reviewconsole.models import WAITS, CauseKind, FlagCause, FlaggedDecision, IndexMark
from reviewconsole.review_index import drop_unconfirmed, now_us

__all__ = [
    "CAP",
    "Filters",
    "Page",
    "Place",
    "Wait",
    "busiest_tasks",
    "by_project",
    "by_reason",
    "by_task",
    "capped",
    "confirmed_page",
    "from_us",
    "just_cleared",
    "oldest_flag",
    "waiting",
]

CAP = 1_000
"""Counts stop here: a page costs what it shows, not what the project holds."""

PAGE = 50
REFILLS = 2

Order = Literal["newest", "oldest"]


@dataclass(frozen=True)
class Filters:
    """Which waiting decisions, in which order. As text: the query of the address."""

    order: Order = "oldest"
    reason: str = ""
    task: UUID | None = None
    document: str = ""
    """The key of a document because of which they wait, directly or through others."""

    def query(self, **changes: str | None) -> dict[str, str | None]:
        """The parameters that say so in an address; what is usual is left out."""
        own = {
            "order": "" if self.order == "oldest" else self.order,
            "reason": self.reason,
            "task": str(self.task) if self.task else "",
            "document": self.document,
        }
        return {**own, **changes}


@dataclass(frozen=True)
class Place:
    """Where a decision stands in the queue: after this, the next page begins."""

    flagged_us: int
    decision_id: UUID

    @classmethod
    def of(cls, row: FlaggedDecision) -> Self:
        return cls(row.flagged_us, row.decision_id)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The place that `text` writes, None when it writes none."""
        us, _, ident = text.partition(".")
        if not us.isascii() or not us.isdigit() or len(us) > 18:
            return None
        try:
            return cls(int(us), UUID(hex=ident))
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.flagged_us}.{self.decision_id.hex}"


@dataclass(frozen=True)
class Page:
    """Confirmed rows in order. `after` is the place where the next page begins."""

    rows: list[tuple[FlaggedDecision, QueueRow]]
    after: Place | None


def waiting(project_id: str, filters: Filters | None = None) -> QuerySet[FlaggedDecision]:
    """The rows that wait, unordered; what was parked in the backlog does not."""
    rows = FlaggedDecision.objects.filter(WAITS, project_id=project_id)
    if filters and filters.reason:
        rows = rows.filter(reason=filters.reason)
    if filters and filters.task:
        rows = rows.filter(task_id=filters.task)
    if filters and filters.document:
        ref = named_id("Document", filters.document)
        caused = FlagCause.objects.filter(kind=CauseKind.DOCUMENT, ref=ref)
        rows = rows.filter(pk__in=caused.values("flagged_id"))
    return rows


def in_order(
    project_id: str, filters: Filters, after: Place | None = None, *, backwards: bool = False
) -> QuerySet[FlaggedDecision]:
    """The rows that wait, from `after` on in the queue's order, or against it."""
    rows = waiting(project_id, filters)
    ascending = (filters.order == "oldest") != backwards
    if after is not None:
        us, ident = after.flagged_us, after.decision_id
        # Two conditions where one would do: the first is the range that the index
        # serves, the second breaks ties within one microsecond.
        if ascending:
            rows = rows.filter(flagged_us__gte=us).filter(
                Q(flagged_us__gt=us) | Q(decision_id__gt=ident)
            )
        else:
            rows = rows.filter(flagged_us__lte=us).filter(
                Q(flagged_us__lt=us) | Q(decision_id__lt=ident)
            )
    sign = "" if ascending else "-"
    return rows.order_by(f"{sign}flagged_us", f"{sign}decision_id")


def confirmed_page(
    store: GraphStore,
    project_id: str,
    filters: Filters,
    after: Place | None,
    also: list[UUID] | None = None,
) -> tuple[Page, dict[UUID, QueueRow]]:
    """One page of the queue, each row confirmed by the graph in the read of its texts.

    Rows that the graph does not confirm are dropped and the page is filled up, at
    most twice. `also` names decisions that the page wants the texts of besides;
    the second value holds them, as far as they are confirmed.
    """
    kept: list[tuple[FlaggedDecision, QueueRow]] = []
    known: dict[UUID, QueueRow] = {}
    place, more = after, True
    for turn in range(1 + REFILLS):
        wanted = PAGE - len(kept)
        rows = list(in_order(project_id, filters, place)[: wanted + 1])
        more, rows = len(rows) > wanted, rows[:wanted]
        asked = [row.decision_id for row in rows] + ((also or []) if turn == 0 else [])
        if asked:
            answer = queue_rows(store, project_id, list(dict.fromkeys(asked)))
            known |= {found.decision.id: found for found in answer}
        kept += [(row, known[row.decision_id]) for row in rows if row.decision_id in known]
        drop_unconfirmed(row for row in rows if row.decision_id not in known)
        place = Place.of(rows[-1]) if rows else place
        if not more or len(kept) == PAGE:
            break
    return Page(kept, place if more else None), known


def capped(rows: QuerySet[FlaggedDecision]) -> tuple[int, bool]:
    """How many, at most 1,000, and whether there are more."""
    number = rows.order_by()[: CAP + 1].count()
    return min(number, CAP), number > CAP


class _Count(Subquery):
    """How many rows a query gives. Cut the query: then no more than that are looked at."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"

    def __init__(self, rows: QuerySet[FlaggedDecision]) -> None:
        super().__init__(rows.order_by().values("pk")[: CAP + 1], output_field=IntegerField())


@dataclass(frozen=True)
class Wait:
    """How many wait, at most 1,000, whether there are more, and since when the first does."""

    number: int = 0
    more: bool = False
    oldest: datetime | None = None


def by_project(project_ids: Sequence[str]) -> dict[str, Wait]:
    """What waits in each project, in one query; a project that nobody opened yet is missing."""
    rows = FlaggedDecision.objects.filter(WAITS, project_id=OuterRef("project_id"))
    oldest = Subquery(rows.order_by("flagged_us").values("flagged_us")[:1])
    marks = IndexMark.objects.filter(project_id__in=project_ids)
    found = marks.annotate(number=_Count(rows), oldest=oldest)
    return {
        project_id: Wait(min(number, CAP), number > CAP, from_us(us))
        for project_id, number, us in found.values_list("project_id", "number", "oldest")
    }


def by_task(project_id: str, task_ids: Sequence[UUID]) -> dict[UUID, Wait]:
    """How many wait in each task, in one query; nothing where nobody opened the queue yet."""
    counts = {
        f"n{place}": _Count(waiting(project_id, Filters(task=task_id)))
        for place, task_id in enumerate(task_ids)
    }
    found = IndexMark.objects.filter(project_id=project_id).annotate(**counts)
    numbers = found.values_list(*counts).first() if counts else None
    return {
        task_id: Wait(min(number, CAP), number > CAP)
        for task_id, number in zip(task_ids, numbers or (), strict=False)
    }


def by_reason(project_id: str, filters: Filters | None = None) -> Counter[str]:
    """How many of the oldest 1,000 wait for each reason, within what else `filters` ask for."""
    within = replace(filters or Filters(), reason="")
    rows = waiting(project_id, within).order_by("flagged_us", "decision_id")[:CAP]
    return Counter(rows.values_list("reason", flat=True))


def busiest_tasks(project_id: str, most: int = 20) -> dict[UUID, UUID]:
    """The tasks with the most of the oldest 1,000, each with one of its decisions.

    The index holds no names: whoever shows them reads them from that decision.
    """
    rows = waiting(project_id).order_by("flagged_us", "decision_id")[:CAP]
    counts: Counter[UUID] = Counter()
    examples: dict[UUID, UUID] = {}
    for task_id, decision_id in rows.values_list("task_id", "decision_id"):
        counts[task_id] += 1
        examples.setdefault(task_id, decision_id)
    return {task_id: examples[task_id] for task_id, _ in counts.most_common(most)}


def just_cleared(project_id: str, decision_id: UUID, seconds: int = 60) -> bool:
    """Whether a verdict on it was given so many seconds ago at most."""
    since = now_us() - seconds * 1_000_000
    rows = FlaggedDecision.objects.filter(project_id=project_id, decision_id=decision_id)
    return rows.filter(cleared_us__gte=since).exists()


def oldest_flag(project_id: str, filters: Filters | None = None) -> datetime | None:
    rows = waiting(project_id, filters).order_by("flagged_us")
    return from_us(rows.values_list("flagged_us", flat=True).first())


def from_us(us: int | None) -> datetime | None:
    """Microseconds since 1970 as a time."""
    return None if us is None else datetime.fromtimestamp(us / 1_000_000, UTC)
