"""Finds out in the background what rests on flagged decisions and what became of their supports.

A row says itself what is still due, so a worker that dies leaves nothing undone, and a
slice done twice gives the same. What rests on decisions is counted first, 200 a read;
then supports are compared, 50 a read, most at stake first, what is parked last. Each row
is written only as it was read: one that was flagged anew meanwhile stays due. Values,
versions and numbers are stored, never a text. No graph call is made inside an SQL
transaction.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from graphstore.comparing import MAX_COMPARED, SupportCompared, compare_supports
from graphstore.dangers import Danger, in_order
from graphstore.evidence import COMPARISON_VERSION, Comparison
from graphstore.faults import CorruptRecord
from graphstore.stakes import MAX_DECISIONS, Stake, stakes
from graphstore.store import GraphStore
from reviewconsole.comparing_again import look_again
from reviewconsole.models import (
    ComparedSupport,
    ComparingMark,
    Due,
    FlagCause,
    FlaggedDecision,
    IndexMark,
)
from reviewconsole.review_index import now_us
from reviewconsole.staking import counted, is_calm, stake_of

__all__ = ["Progress", "progress", "projects_wanting", "run", "wanted"]

LEASE_US = 30_000_000
LOOK_AGAIN_US = 60_000_000

_NOT_PARKED_FIRST = F("parked_us").asc(nulls_first=True)


_UNREADABLE = (CorruptRecord, ValueError, KeyError, TypeError)
_FAILED: dict[str, object] = {
    "due": Due.NOTHING,
    "comparison": Comparison.FAILED.value,
    "worst": Comparison.FAILED.rank,
    "dangers": "",
    "calm": False,
}
"""What a row says whose decision cannot be read. It is no evidence of anything."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """How many flagged decisions a project has, and how far the worker is with them.

    `parked` ones are among them. Of `counted` it is known what rests on them, of
    `compared` also what became of their supports.
    """

    flagged: int
    parked: int
    counted: int
    compared: int

    @property
    def percent(self) -> int:
        """How much is compared, rounded down: 100 says that nothing is left."""
        return 100 * self.compared // self.flagged if self.flagged else 100


def progress(project_id: str) -> Progress:
    """The figures of one project, from one look at its flagged rows."""
    flagged = FlaggedDecision.objects.filter(project_id=project_id, cleared_us__isnull=True)
    return Progress(
        **flagged.aggregate(
            flagged=Count("pk"),
            parked=Count("pk", filter=Q(parked_us__isnull=False)),
            counted=Count("pk", filter=Q(due__lt=Due.STAKE)),
            compared=Count("pk", filter=Q(due=Due.NOTHING)),
        )
    )


def wanted(project_id: str) -> bool:
    """Whether a worker would find something to do: rows that are due, or sources to look at again."""
    return bool(_wanting(IndexMark.objects.filter(project_id=project_id)))


def projects_wanting() -> list[str]:
    """The projects in which a worker would find something to do."""
    return _wanting(IndexMark.objects.all())


def _wanting(marks: QuerySet[IndexMark]) -> list[str]:
    flagged = FlaggedDecision.objects.filter(
        project_id=OuterRef("project_id"), cleared_us__isnull=True
    )
    looked = ComparingMark.objects.filter(
        project_id=OuterRef("project_id"), looked_us__gt=now_us() - LOOK_AGAIN_US
    )
    due = Exists(flagged.filter(due__gt=Due.NOTHING))
    found = marks.filter(due | (Exists(flagged) & ~Exists(looked)))
    return list(found.values_list("project_id", flat=True))


def run(store: GraphStore, project_id: str, until: float) -> bool:
    """Do slices until nothing is due or the clock says `until`; returns whether more is left.

    False also when another worker is at it, which is not waited for. Raises a
    `StoreFault` when the graph does not answer; what was found before stays.
    """
    holder = uuid4()
    if not _leased(project_id, holder):
        return False
    try:
        mark = ComparingMark.objects.get(project_id=project_id)
        if mark.looked_us < now_us() - LOOK_AGAIN_US:
            look_again(store, mark)
        while _one_slice(store, project_id):
            if time.monotonic() > until:
                return True
            if not _held(project_id, holder):
                return False
        return False
    finally:
        ComparingMark.objects.filter(project_id=project_id, lease_holder=holder).update(
            lease_until_us=0
        )


def _leased(project_id: str, holder: UUID) -> bool:
    now = now_us()
    free = ComparingMark.objects.filter(project_id=project_id, lease_until_us__lt=now)
    lease = {"lease_holder": holder, "lease_until_us": now + LEASE_US}
    if free.update(**lease):
        return True
    ComparingMark.objects.get_or_create(project_id=project_id)
    return bool(free.update(**lease))


def _held(project_id: str, holder: UUID) -> bool:
    own = ComparingMark.objects.filter(project_id=project_id, lease_holder=holder)
    return bool(own.update(lease_until_us=now_us() + LEASE_US))


def _one_slice(store: GraphStore, project_id: str) -> bool:
    """Count what rests on the next decisions, or compare the next; False when nothing is due."""
    return _count_stakes(store, project_id) or _compare(store, project_id)


def _next(project_id: str, due: Due, number: int) -> list[FlaggedDecision]:
    """The rows of which that is due, most at stake first, what is parked after all others."""
    rows = FlaggedDecision.objects.filter(project_id=project_id, cleared_us__isnull=True, due=due)
    return list(rows.order_by(_NOT_PARKED_FIRST, "-stake", "flagged_us")[:number])


def _count_stakes(store: GraphStore, project_id: str) -> bool:
    rows = _next(project_id, Due.STAKE, MAX_DECISIONS)
    if not rows:
        return False
    found, unreadable = _read(partial(stakes, store, project_id), rows)
    with transaction.atomic():
        for row in rows:
            values = _counted(row, found.get(row.decision_id))
            _as_read(row).update(**(_FAILED if row.decision_id in unreadable else values))
    return True


def _read[T](
    read: Callable[[list[UUID]], dict[UUID, T]], rows: Sequence[FlaggedDecision]
) -> tuple[dict[UUID, T], set[UUID]]:
    """What `read` gives for these rows, and those for which it gives nothing.

    Records that cannot be read must not keep the others from being compared: then each
    is read alone.
    """
    ids = [row.decision_id for row in rows]
    try:
        return read(ids), set()
    except _UNREADABLE:
        pass
    found: dict[UUID, T] = {}
    unreadable: set[UUID] = set()
    for one in ids:
        try:
            found |= read([one])
        except _UNREADABLE as fault:
            logger.warning("A flagged decision cannot be read: %s", type(fault).__name__)
            unreadable.add(one)
    return found, unreadable


def _counted(row: FlaggedDecision, stake: Stake | None) -> dict[str, object]:
    """What the row holds once counted. Of a decision that is gone nothing is due: its flag goes, too."""
    if stake is None:
        return {"due": Due.NOTHING}
    return counted(stake, row.worst) | {"due": Due.COMPARISON}


def _as_read(row: FlaggedDecision) -> QuerySet[FlaggedDecision]:
    """The row, unless it was brought to another state or compared since it was read."""
    return FlaggedDecision.objects.filter(
        pk=row.pk, applied=row.applied, due=row.due, compared_us=row.compared_us
    )


def _compare(store: GraphStore, project_id: str) -> bool:
    rows = _next(project_id, Due.COMPARISON, MAX_COMPARED)
    if not rows:
        return False
    found, unreadable = _read(partial(compare_supports, store, project_id), rows)
    with transaction.atomic():
        causes = _causes_of(row.pk for row in rows)
        for row in rows:
            if row.decision_id in unreadable:
                _as_read(row).update(**_FAILED, compared_us=now_us())
        kept = [row for row in rows if _stored(row, found.get(row.decision_id), causes[row.pk])]
        ComparedSupport.objects.filter(flagged__in=[row.pk for row in kept]).delete()
        ComparedSupport.objects.bulk_create(
            _support(row, one) for row in kept for one in found.get(row.decision_id, ())
        )
    return True


def _causes_of(keys: Iterable[int]) -> dict[int, list[str]]:
    """The kinds of the causes of each row."""
    kinds: dict[int, list[str]] = defaultdict(list)
    causes = FlagCause.objects.filter(flagged__in=list(keys))
    for key, kind in causes.values_list("flagged", "kind"):
        kinds[key].append(kind)
    return kinds


def _stored(
    row: FlaggedDecision, supports: Sequence[SupportCompared] | None, causes: Sequence[str]
) -> bool:
    """Write what was found, unless the row is not as it was read; returns whether it was written."""
    if not supports:
        return bool(_as_read(row).update(due=Due.NOTHING, compared_us=now_us()))
    worst = min((one.comparison for one in supports), key=lambda comparison: comparison.rank)
    dangers = _codes(danger for one in supports for danger in one.dangers)
    return bool(
        _as_read(row).update(
            due=Due.NOTHING,
            comparison=worst.value,
            worst=worst.rank,
            dangers=dangers,
            supports=len(supports),
            stake=stake_of(row.dependents, row.open_tasks, worst.rank),
            calm=is_calm(worst.value, dangers, causes),
            compared_version=row.version,
            compared_us=now_us(),
            algorithm=COMPARISON_VERSION,
        )
    )


def _codes(dangers: Iterable[Danger]) -> str:
    """Codes as one column holds them."""
    return ",".join(danger.value for danger in in_order(dangers))


def _support(row: FlaggedDecision, one: SupportCompared) -> ComparedSupport:
    return ComparedSupport(
        flagged=row,
        ordinal=one.ordinal,
        kind=one.kind,
        ref=str(one.ref),
        comparison=one.comparison.value,
        dangers=_codes(one.dangers),
        cited_seq=one.cited_seq,
        current_seq=one.current_seq,
    )
