"""Keeps the review index level with the graph.

The index is rows of ids, times and numbers in the console's own database, fed from
the graph by one consumer per project. Nothing is lost when a process dies at any
point: what was committed in the graph stays open there until its rows are stored
here, and storing them twice changes nothing. No graph call is ever made inside an
SQL transaction.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import batched
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, QuerySet

from graphstore.evidence import Comparison
from graphstore.records import Actor, FlagState
from graphstore.review_feed import FeedBatch, close, take
from graphstore.store import GraphStore
from reviewconsole import ledger_mirror
from reviewconsole.models import CauseKind, Due, FlagCause, FlaggedDecision, IndexMark
from reviewconsole.staking import is_calm, make_due
from reviewconsole.text_stores import erase

__all__ = ["CONSOLE", "catch_up", "drop_unconfirmed", "note_judged", "now_us", "rebuild"]

CONSOLE = Actor(agent_id="review-console", door="job")
"""Who moves flags on to dependents when nobody in particular asked for it."""

BATCH = 200
ROWS_AT_ONCE = 500
"""Also what keeps one statement within the parameters that SQLite takes."""

LEASE_US = 15_000_000

BROUGHT = [
    "task_id",
    "reason",
    "version",
    "flagged_us",
    "cleared_us",
    "applied",
    "inferred",
    "parked_us",
    "due",
    "comparison",
    "worst",
    "dangers",
    "calm",
    "compared_version",
    "compared_us",
]
"""What `apply_states` may set in a row that is there."""


class Cause(NamedTuple):
    """What started a flag, as a row of its own keeps it."""

    kind: str
    ref: str
    number: int | None


def now_us() -> int:
    return time.time_ns() // 1_000


def catch_up(
    store: GraphStore,
    project_id: str,
    *,
    closing: bool = True,
    seal_later: Callable[[str], None] | None = None,
    slow: bool = False,
) -> bool:
    """Take at most 200 changes of flags from the graph into the index, and do a step of a job.

    `slow` is for workers, which may wait for jobs that no page should wait for.

    Without `closing` the ledger entries taken stay open for the next look, which finds
    them again: whoever waits for an answer need not wait for that write too. With
    `seal_later` they are only closed here, and it is told of the project whose entries
    wait for their seal.

    Returns whether the index is level now; False means that more is left, or that
    another process is at it, which is not waited for. Raises a `StoreFault` when
    the graph does not answer; the index then stays as it was.
    """
    holder = uuid4()
    mark = _take_lease(project_id, holder)
    if mark is None:
        return False
    with _released(project_id, holder):
        batch = take(
            store,
            project_id,
            after_epoch=mark.epoch,
            since=mark.looked_at,
            limit=BATCH,
            actor=CONSOLE,
            slow=slow,
        )
        if not _stored(project_id, holder, batch):
            return False
        if seal_later and batch.entry_ids:
            close(store, batch.entry_ids)
            seal_later(project_id)
        elif closing or batch.more:
            ledger_mirror.seal(store, project_id, batch.entry_ids)
    return not batch.more


def rebuild(store: GraphStore, project_id: str) -> bool:
    """Make the rows of one project anew from the graph alone.

    Returns False when another process holds the project's lease. Raises a
    `StoreFault` when the graph does not answer; rows are then as they were.
    """
    holder = uuid4()
    if _take_lease(project_id, holder) is None:
        return False
    with _released(project_id, holder):
        known = list(FlaggedDecision.objects.filter(project_id=project_id, cleared_us__isnull=True))
        batch = take(store, project_id, after_epoch=None, limit=BATCH, actor=CONSOLE)
        FlaggedDecision.objects.filter(project_id=project_id).update(version=-1)
        if not _stored(project_id, holder, batch):
            return False
        flagged = {state.decision_id for state in batch.states if state.flagged}
        drop_unconfirmed(row for row in known if row.decision_id not in flagged)
        ledger_mirror.seal(store, project_id, batch.entry_ids)
    return True


def _take_lease(project_id: str, holder: UUID) -> IndexMark | None:
    """The project's mark, if nobody else holds its lease.

    Read after the lease was taken: what an earlier holder stored is in it.
    """
    now = now_us()
    marks = IndexMark.objects.filter(project_id=project_id)
    free = marks.filter(lease_until_us__lt=now)
    lease = {"lease_holder": holder, "lease_until_us": now + LEASE_US}
    if not free.update(**lease):
        IndexMark.objects.get_or_create(project_id=project_id)
        if not free.update(**lease):
            return None
    return marks.get()


@contextmanager
def _released(project_id: str, holder: UUID) -> Iterator[None]:
    try:
        yield
    finally:
        IndexMark.objects.filter(project_id=project_id, lease_holder=holder).update(
            lease_until_us=0
        )


def _stored(project_id: str, holder: UUID, batch: FeedBatch) -> bool:
    """Store the batch, then what was read before it, as long as the lease holds.

    A holder that slept past its lease must not write over its successor's rows. The
    mark comes last: whoever dies in between leaves work that is done again.
    """
    for states in batched(batch.states, ROWS_AT_ONCE):
        with transaction.atomic():
            if not _held(project_id, holder).update(lease_until_us=now_us() + LEASE_US):
                return False
            apply_states(project_id, states)
    erase(project_id, decisions=batch.deleted)
    return bool(
        _held(project_id, holder).update(
            epoch=batch.epoch, lock=batch.lock, looked_at=batch.looked_at
        )
    )


def _held(project_id: str, holder: UUID) -> QuerySet[IndexMark]:
    return IndexMark.objects.filter(
        project_id=project_id, lease_holder=holder, lease_until_us__gt=now_us()
    )


def apply_states(project_id: str, states: Iterable[FlagState]) -> None:
    """Bring the rows of these decisions to their states; older versions change nothing.

    A version that is equal counts as newer: the reference library sets flags
    without raising it, and whoever calls holds the lease, so reads are in order.
    """
    newest = {state.decision_id: state for state in states}
    rows = {
        row.decision_id: row
        for row in FlaggedDecision.objects.filter(
            project_id=project_id, decision_id__in=newest.keys()
        )
    }
    known = _known_causes(row.pk for row in rows.values())
    waited = {row.pk for row in rows.values() if row.cleared_us is None}
    fresh: list[FlaggedDecision] = []
    changed: list[FlaggedDecision] = []
    for decision_id, state in newest.items():
        row = rows.get(decision_id)
        if row is None:
            if state.flagged:
                fresh.append(_new_row(project_id, state))
        elif state.version >= row.version:
            _bring(row, state, known[row.pk])
            changed.append(row)
    FlaggedDecision.objects.bulk_create(fresh)
    FlaggedDecision.objects.bulk_update(changed, BROUGHT)
    turned = [row for row in changed if (row.pk in waited) != (row.cleared_us is None)]
    _compare_again(project_id, [row.decision_id for row in fresh + turned])
    # What was cleared keeps its causes: a bundle counts it as done.
    waiting = [row.pk for row in changed if row.cleared_us is None]
    FlagCause.objects.filter(flagged__in=waiting).delete()
    FlagCause.objects.bulk_create(
        FlagCause(flagged=row, kind=cause.kind, ref=cause.ref, number=cause.number)
        for row in fresh + changed
        if row.cleared_us is None
        for cause in _read_causes(newest[row.decision_id].causes)
    )


def _compare_again(project_id: str, decision_ids: Iterable[UUID]) -> None:
    """Have what rests on these compared again: as supports they are not what they were."""
    make_due(project_id, "decision", map(str, decision_ids))


def _reason(state: FlagState) -> str:
    """The flag's reason. Of one that somebody asked for the graph has none; its cause tells."""
    asked = any(cause.startswith(f"{CauseKind.ASKED}:") for cause in state.causes)
    return (state.reason or (CauseKind.ASKED.value if asked else ""))[:64]


def _new_row(project_id: str, state: FlagState) -> FlaggedDecision:
    return FlaggedDecision(
        project_id=project_id,
        decision_id=state.decision_id,
        task_id=state.task_id,
        reason=_reason(state),
        version=state.version,
        flagged_us=state.flagged_us or now_us(),
        created_us=state.created_us,
        inferred=state.inferred,
    )


def _known_causes(keys: Iterable[int]) -> dict[int, set[Cause]]:
    """The causes that stand beside rows, in the form in which states name them."""
    known: dict[int, set[Cause]] = defaultdict(set)
    found = FlagCause.objects.filter(flagged__in=list(keys))
    for key, *cause in found.values_list("flagged", "kind", "ref", "number"):
        known[key].add(Cause(*cause))
    return known


def _bring(row: FlaggedDecision, state: FlagState, known: set[Cause]) -> None:
    """A flag that waited already keeps its place, unless the graph dates it otherwise.

    What a worker found about it holds only as long as nothing changed, and a flag that
    was set anew comes out of the backlog. One of another writer that is merely looked at
    more closely, so that it gets a date and causes, is what it was and stays where it is.
    """
    waited = row.cleared_us is None
    causes = set(_read_causes(state.causes))
    moved = not waited or row.version != state.version or bool(known and causes != known)
    row.task_id = state.task_id
    row.version = state.version
    row.applied += 1
    if state.flagged:
        anew = not waited or bool(known and causes - known)
        row.reason = _reason(state)
        row.flagged_us = state.flagged_us or (row.flagged_us if waited else now_us())
        row.cleared_us = None
        row.inferred = state.inferred
        row.parked_us = None if anew else row.parked_us
        if moved:
            forget_comparison(row)
        row.calm = is_calm(row.comparison, row.dangers, [cause.kind for cause in causes])
    elif waited:
        row.cleared_us = now_us()


def forget_comparison(row: FlaggedDecision) -> None:
    """Say of a row that its supports were not compared: they are not what they were."""
    row.due = Due.STAKE
    row.comparison, row.worst = Comparison.NOT_COMPARED.value, Comparison.NOT_COMPARED.rank
    row.dangers = ""
    row.compared_version = row.compared_us = None


def _read_causes(causes: Iterable[str]) -> Iterator[Cause]:
    """What `document:<id>:<activation>`, `event:<id>`, `decision:<id>` and the like name, once each."""
    for cause in dict.fromkeys(causes):
        kind, _, rest = cause.partition(":")
        if kind not in CauseKind.values:
            continue
        ref, _, number = rest.rpartition(":") if kind == CauseKind.DOCUMENT else (rest, "", "")
        numbered = bool(ref) and number.isdigit()
        yield Cause(kind, (ref or rest)[:80], int(number) if numbered else None)


def note_judged(project_id: str, decision_id: UUID, version: int | None) -> None:
    """Clear the row of a decision that was just judged here.

    The feed would say the same a moment later; this way the next page never offers
    what the person has just finished. `version` is what a reaffirmation left: a row
    of that version or a newer one was flagged again since and stays. None is for
    decisions that are no longer active, which nothing flags again: their verdict was
    one change, so what another consumer read before it is older than the row.
    """
    rows = FlaggedDecision.objects.filter(
        project_id=project_id, decision_id=decision_id, cleared_us__isnull=True
    )
    cleared = {"cleared_us": now_us(), "applied": F("applied") + 1}
    if version is None:
        rows.update(**cleared, version=F("version") + 1)
    else:
        rows.filter(version__lt=version).update(**cleared, version=version)
    _compare_again(project_id, [decision_id])


def drop_unconfirmed(rows: Iterable[FlaggedDecision]) -> None:
    """Clear rows that the graph did not confirm, unless they were set again since."""
    for row in rows:
        FlaggedDecision.objects.filter(pk=row.pk, applied=row.applied).update(
            cleared_us=now_us(), applied=F("applied") + 1
        )
