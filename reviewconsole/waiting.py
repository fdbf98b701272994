"""What waits for a verdict, read from the review index and confirmed by the graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import F, IntegerField, OuterRef, Q, QuerySet, Subquery

from graphstore.ids import named_id
from graphstore.records import Document
from graphstore.review_feed import QueueRow, queue_page
from graphstore.store import GraphStore
from reviewconsole.filters import AGES, Filters, Order, Place
from reviewconsole.flow_models import Claim
from reviewconsole.models import WAITS, CauseKind, FlagCause, FlaggedDecision, IndexMark
from reviewconsole.review_index import drop_unconfirmed, now_us

__all__ = [
    "CAP",
    "Filters",
    "Page",
    "Place",
    "Wait",
    "by_project",
    "by_task",
    "capped",
    "confirmed_page",
    "from_us",
    "in_order",
    "just_cleared",
    "narrowed",
    "oldest_flag",
    "waiting",
]

CAP = 1_000
"""Counts stop here: a page costs what it shows, not what the project holds."""

PAGE = 50
REFILLS = 2


@dataclass(frozen=True)
class Page:
    """Confirmed rows in order. `after` is the place where the next page begins."""

    rows: list[tuple[FlaggedDecision, QueueRow]]
    after: Place | None


def waiting(project_id: str, filters: Filters | None = None) -> QuerySet[FlaggedDecision]:
    """The rows that wait, unordered; what was parked in the backlog does not."""
    rows = FlaggedDecision.objects.filter(WAITS, project_id=project_id)
    return narrowed(project_id, rows, filters) if filters else rows


def narrowed(
    project_id: str, rows: QuerySet[FlaggedDecision], filters: Filters
) -> QuerySet[FlaggedDecision]:
    """Those of some rows of a project that the filters ask for."""
    exact = {
        "reason": filters.reason,
        "comparison": filters.comparison,
        "author": filters.agent,
        "task_id": filters.task,
    }
    rows = rows.filter(**{name: value for name, value in exact.items() if value})
    if filters.age:
        rows = rows.filter(flagged_us__lte=now_us() - AGES[filters.age])
    if filters.document:
        ref = named_id("Document", filters.document)
        caused = FlagCause.objects.filter(kind=CauseKind.DOCUMENT, ref=ref)
        rows = rows.filter(pk__in=caused.values("flagged_id"))
    if filters.claimed:
        held = Claim.objects.filter(project_id=project_id, until_us__gt=now_us())
        mine = held.filter(user=filters.viewer)
        others = held.exclude(user=filters.viewer)
        rows = {
            "mine": rows.filter(decision_id__in=mine.values("decision_id")),
            "others": rows.filter(decision_id__in=others.values("decision_id")),
            "free": rows.exclude(decision_id__in=held.values("decision_id")),
        }[filters.claimed]
    return rows


def in_order(
    project_id: str, filters: Filters, after: Place | None = None, *, backwards: bool = False
) -> QuerySet[FlaggedDecision]:
    """The rows that wait, from `after` on in the queue's order, or against it."""
    keys = _KEYS[filters.order]
    if filters.age and keys[0][0] != "flagged_us":
        # Compared as a sum, so that no database takes the index by time and sorts what is in it.
        rows = waiting(project_id, replace(filters, age=""))
        rows = rows.alias(waits_since=F("flagged_us") + 0)
        rows = rows.filter(waits_since__lte=now_us() - AGES[filters.age])
    else:
        rows = waiting(project_id, filters)
    if after is not None:
        rows = rows.filter(_beyond(keys, after, backwards=backwards))
    signs = [("", "-")[descending != backwards] for _, descending in keys]
    return rows.order_by(*(f"{sign}{name}" for sign, (name, _) in zip(signs, keys, strict=True)))


_KEYS: Mapping[Order, list[tuple[str, bool]]] = {
    "stake": [("stake", True), ("flagged_us", False), ("decision_id", False)],
    "oldest": [("flagged_us", False), ("decision_id", False)],
    "newest": [("flagged_us", True), ("decision_id", True)],
    "task": [("task_id", False), ("flagged_us", False), ("decision_id", False)],
}
"""What each order goes by, and which of it the highest comes first of. Indexes serve all."""


def _beyond(keys: Sequence[tuple[str, bool]], after: Place, *, backwards: bool) -> Q:
    """What comes after a place. The first condition is the range that an index serves.

    It would follow from the rest; databases do not see that.
    """
    beyond = Q()
    for name, descending in reversed(keys):
        side = "lt" if descending != backwards else "gt"
        value = getattr(after, name)
        closer = Q(**{f"{name}__{side}": value})
        beyond = closer | (Q(**{name: value}) & beyond) if beyond else closer
    name, descending = keys[0]
    side = "lte" if descending != backwards else "gte"
    return Q(**{f"{name}__{side}": getattr(after, name)}) & beyond


def confirmed_page(
    store: GraphStore,
    project_id: str,
    filters: Filters,
    after: Place | None,
    also: Sequence[UUID] = (),
    documents: Sequence[str] = (),
) -> tuple[Page, dict[UUID, QueueRow], dict[str, Document]]:
    """One page of the queue, each row confirmed by the graph in the read of its texts.

    Rows that the graph does not confirm are dropped and the page is filled up, at
    most twice. `also` names decisions that the page wants the texts of besides, and
    `documents` ids of documents; the second and third value hold them, as far as
    they are confirmed.
    """
    kept: list[tuple[FlaggedDecision, QueueRow]] = []
    known: dict[UUID, QueueRow] = {}
    named: dict[str, Document] = {}
    place, more = after, True
    for turn in range(1 + REFILLS):
        wanted = PAGE - len(kept)
        rows = list(in_order(project_id, filters, place)[: wanted + 1])
        more, rows = len(rows) > wanted, rows[:wanted]
        asked = dict.fromkeys([*(row.decision_id for row in rows), *(() if turn else also)])
        answer, titles = queue_page(store, project_id, list(asked), () if turn else documents)
        known |= {found.decision.id: found for found in answer}
        named |= titles
        kept += [(row, known[row.decision_id]) for row in rows if row.decision_id in known]
        drop_unconfirmed(row for row in rows if row.decision_id not in known)
        place = Place.of(rows[-1]) if rows else place
        if not more or len(kept) == PAGE:
            break
    return Page(kept, place if more else None), known, named


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
