"""How a reviewer goes through what waits: next, back, skip, set aside, snooze, and go on later.

Who is offered what is settled by the claim, not by the look that comes before it: of
two reviewers who see the same next decision only one gets it, the other gets the one
after.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from reviewconsole.bulk_models import BulkItem, ItemState, Stage
from reviewconsole.claims import LEASE_MINUTES, held_by_others, release, sweep_claims, take
from reviewconsole.drafts import sweep_drafts
from reviewconsole.flow_models import ReviewerPlace, SetAside, Snooze
from reviewconsole.models import FlaggedDecision, User
from reviewconsole.review_index import now_us
from reviewconsole.waiting import CAP, Filters, Place, capped, in_order, waiting

__all__ = [
    "Continue",
    "awake",
    "continue_place",
    "left_out",
    "next_item",
    "note_place",
    "note_verdict",
    "offered",
    "plain_next",
    "position",
    "previous_item",
    "set_aside",
    "set_aside_by",
    "snooze",
    "snoozes",
    "sweep_flow",
    "take_back_aside",
    "wake",
]

_AT_ONCE = 25
"""How many are looked at in one query for one that can be taken."""

_ROUNDS = 8
_KEPT_DAYS = 90


def awake(rows: QuerySet[FlaggedDecision]) -> QuerySet[FlaggedDecision]:
    """Without what is snoozed. A snooze ends with its time, and with any change of the decision."""
    return rows.exclude(Exists(_asleep()))


def _asleep() -> QuerySet[Snooze]:
    return Snooze.objects.filter(
        Q(until_us__isnull=True) | Q(until_us__gt=now_us()),
        project_id=OuterRef("project_id"),
        decision_id=OuterRef("decision_id"),
        version=OuterRef("version"),
    )


def offered(
    rows: QuerySet[FlaggedDecision], user: User, project_id: str, skipped: Collection[UUID] = ()
) -> QuerySet[FlaggedDecision]:
    """Of some waiting decisions those that may come next for a person."""
    here = {"project_id": OuterRef("project_id"), "decision_id": OuterRef("decision_id")}
    held = held_by_others(user, project_id).filter(**here)
    aside = SetAside.objects.filter(**here, user=user, version=OuterRef("version"))
    rows = awake(rows).exclude(Exists(held)).exclude(Exists(aside))
    return rows.exclude(Exists(_in_others_bulk(user))).exclude(decision_id__in=skipped)


def _in_others_bulk(user: User) -> QuerySet[BulkItem]:
    """What somebody else is about to judge in bulk, as long as a claim would hold."""
    items = BulkItem.objects.filter(
        bulk__project_id=OuterRef("project_id"),
        bulk__stage__in=[Stage.SAMPLING, Stage.RUNNING],
        bulk__touched_us__gt=now_us() - LEASE_MINUTES * 60_000_000,
        decision_id=OuterRef("decision_id"),
        state=ItemState.WAITING,
    )
    return items.exclude(bulk__user=user)


def next_item(
    user: User,
    project_id: str,
    filters: Filters,
    here: UUID | None = None,
    skipped: Collection[UUID] = (),
) -> UUID | None:
    """The next decision after `here` in the queue's order, held by the person now; None if none.

    From the front when `here` was the last. What others hold, what is snoozed, what the
    person set aside or skipped is left out, and `here` itself.
    """
    place = _place(project_id, here)
    left_out = {*skipped, *([here] if here else [])}
    for _ in range(_ROUNDS):
        found = _candidates(user, project_id, filters, place, left_out)
        for decision_id in found:
            if take(user, project_id, decision_id) is None:
                continue
            if waiting(project_id, filters).filter(decision_id=decision_id).exists():
                return decision_id
            # Judged by others between the look and the claim.
            release(user, project_id, decision_id)
        if not found:
            return None
    return None


def _candidates(
    user: User, project_id: str, filters: Filters, place: Place | None, left_out: Collection[UUID]
) -> list[UUID]:
    """The first that may be taken from the place on, or else from the front."""
    for start in [place, None] if place else [None]:
        rows = offered(in_order(project_id, filters, start), user, project_id, left_out)
        if found := list(rows.values_list("decision_id", flat=True)[:_AT_ONCE]):
            return found
    return []


def plain_next(project_id: str, filters: Filters, here: UUID | None) -> UUID | None:
    """What stands after a decision in the queue, whoever holds it, for who only reads."""
    for start in [_place(project_id, here), None]:
        rows = in_order(project_id, filters, start).exclude(decision_id=here)
        if found := rows.values_list("decision_id", flat=True).first():
            return found
    return None


@dataclass(frozen=True)
class LeftOut:
    """How many wait and are not offered to a person, by why; each at most 1,000."""

    held: int
    snoozed: int
    aside: int
    skipped: int

    @property
    def any(self) -> bool:
        return bool(self.held or self.snoozed or self.aside or self.skipped)


def left_out(
    user: User, project_id: str, filters: Filters, skipped: Collection[UUID] = ()
) -> LeftOut:
    """Why what waits is not offered to a person. One decision may be left out for two reasons."""
    rows = waiting(project_id, filters)
    here = {"project_id": OuterRef("project_id"), "decision_id": OuterRef("decision_id")}
    held = rows.filter(Exists(held_by_others(user, project_id).filter(**here)))
    aside = SetAside.objects.filter(**here, user=user, version=OuterRef("version"))
    return LeftOut(
        held=capped(held)[0],
        snoozed=capped(rows.filter(Exists(_asleep())))[0],
        aside=capped(rows.filter(Exists(aside)))[0],
        skipped=capped(rows.filter(decision_id__in=skipped))[0],
    )


def previous_item(project_id: str, filters: Filters, here: UUID) -> UUID | None:
    """What stands before a decision in the queue, whoever holds it: one may look back at it."""
    place = _place(project_id, here)
    if place is None:
        return None
    rows = in_order(project_id, filters, place, backwards=True).exclude(decision_id=here)
    return rows.values_list("decision_id", flat=True).first()


def _place(project_id: str, decision_id: UUID | None) -> Place | None:
    row = _row(project_id, decision_id)
    return Place.of(row) if row else None


def _row(project_id: str, decision_id: UUID | None) -> FlaggedDecision | None:
    if decision_id is None:
        return None
    return FlaggedDecision.objects.filter(project_id=project_id, decision_id=decision_id).first()


# What a person cannot judge.


def set_aside(user: User, project_id: str, decision_id: UUID, version: int, why: str) -> None:
    """A person says that they cannot judge this, and why. Others are still offered it."""
    SetAside.objects.update_or_create(
        user=user,
        project_id=project_id,
        decision_id=decision_id,
        defaults={"version": version, "why": why},
    )


def take_back_aside(user: User, project_id: str, decision_id: UUID) -> None:
    SetAside.objects.filter(user=user, project_id=project_id, decision_id=decision_id).delete()


def set_aside_by(project_id: str, versions: Mapping[UUID, int]) -> dict[UUID, list[SetAside]]:
    """Who could not judge which of these decisions as they are now, and why; newest first."""
    found: dict[UUID, list[SetAside]] = {}
    rows = SetAside.objects.filter(project_id=project_id, decision_id__in=list(versions))
    for row in rows.select_related("user").order_by("-at"):
        if row.version == versions[row.decision_id]:
            found.setdefault(row.decision_id, []).append(row)
    return found


# What everybody leaves for later.


def snooze(
    user: User, project_id: str, decision_id: UUID, version: int, until: datetime | None
) -> None:
    """Offer a decision to nobody until a time, or its next change."""
    Snooze.objects.update_or_create(
        project_id=project_id,
        decision_id=decision_id,
        defaults={
            "user": user,
            "version": version,
            "until_us": int(until.timestamp() * 1_000_000) if until else None,
        },
    )


def wake(project_id: str, decision_id: UUID) -> None:
    """End a snooze before its time."""
    Snooze.objects.filter(project_id=project_id, decision_id=decision_id).delete()


def snoozes(project_id: str, versions: Mapping[UUID, int]) -> dict[UUID, Snooze]:
    """Which of these decisions, of these versions, are snoozed at this moment."""
    rows = Snooze.objects.filter(
        Q(until_us__isnull=True) | Q(until_us__gt=now_us()),
        project_id=project_id,
        decision_id__in=list(versions),
    ).select_related("user")
    return {row.decision_id: row for row in rows if row.version == versions[row.decision_id]}


# Where a person is.


@dataclass(frozen=True)
class Continue:
    """Where somebody left off: the decision, the filters, and which of how many it is."""

    decision_id: UUID
    query: dict[str, Any]
    item: int
    total: int
    capped: bool


def note_place(user: User, project_id: str, filters: Filters, decision_id: UUID) -> None:
    """Keep where a person is; with other filters they begin to count anew."""
    query = _query(filters)
    rows = ReviewerPlace.objects.filter(user=user, project_id=project_id)
    now = timezone.now()
    if not rows.filter(filters=query).update(decision_id=decision_id, at=now):
        ReviewerPlace.objects.update_or_create(
            user=user,
            project_id=project_id,
            defaults={"decision_id": decision_id, "filters": query, "judged": 0},
        )


def note_verdict(user: User, project_id: str) -> None:
    """One more is done of those that a person goes through."""
    row = ReviewerPlace.objects.filter(user=user, project_id=project_id).first()
    if row is not None:
        row.judged += 1
        row.save(update_fields=["judged", "at"])


def position(user: User, project_id: str, filters: Filters, here: UUID) -> Continue | None:
    """Which of how many a decision is, in the order in which a person goes through them.

    Counts what the person judged since they began, so that the number goes up while the
    queue shrinks. None when the decision does not wait.
    """
    row = _row(project_id, here)
    if row is None or row.cleared_us is not None:
        return None
    kept = ReviewerPlace.objects.filter(user=user, project_id=project_id).first()
    judged = kept.judged if kept and kept.filters == _query(filters) else 0
    before, _ = capped(in_order(project_id, filters, Place.of(row), backwards=True))
    waits, more = capped(waiting(project_id, filters))
    total = min(judged + waits, CAP)
    return Continue(here, _query(filters), min(judged + before + 1, total), total, more)


def continue_place(user: User, project_id: str, filters: Filters) -> Continue | None:
    """Where the person left off with these filters, if that decision or one after it waits."""
    kept = ReviewerPlace.objects.filter(user=user, project_id=project_id).first()
    if kept is None or kept.filters != _query(filters):
        return None
    at = position(user, project_id, filters, kept.decision_id)
    if at is not None:
        return at
    place = _place(project_id, kept.decision_id)
    if place is None:
        return None
    after = in_order(project_id, filters, place).values_list("decision_id", flat=True).first()
    return position(user, project_id, filters, after) if after else None


def _query(filters: Filters) -> dict[str, Any]:
    return {name: value for name, value in filters.query().items() if value not in (None, "")}


def sweep_flow() -> None:
    """Drop what is over: old drafts, ended claims and snoozes, places nobody came back to."""
    sweep_drafts()
    sweep_claims()
    Snooze.objects.filter(until_us__lt=now_us()).delete()
    long_ago = timezone.now() - timedelta(days=_KEPT_DAYS)
    for rows in (ReviewerPlace, SetAside):
        rows.objects.filter(at__lt=long_ago).delete()
