"""Claims: who is at which decision, so that two people do not judge one at the same time.

A claim keeps colleagues out of each other's way. What makes two verdicts on one flag
impossible is the graph's own guard, whatever happens to claims (`RULES.md` 6). Every
change here is one conditional statement, so that of two who want the same decision
exactly one gets it, in SQLite and in PostgreSQL.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from graphstore.results import ReaffirmDecisionResult, RecordDecisionResult, RejectDecisionResult
from reviewconsole.access import Scope
from reviewconsole.backlog import take_up_touched
from reviewconsole.flow_models import Claim, ClaimState
from reviewconsole.models import User
from reviewconsole.review_index import note_judged, now_us

__all__ = [
    "LEASE_MINUTES",
    "WARN_SECONDS",
    "Claimed",
    "Holder",
    "Judgement",
    "Taken",
    "beat",
    "fence_of",
    "held_by_others",
    "holder_of",
    "holders",
    "judging",
    "judging_as",
    "release",
    "sweep_claims",
    "take",
    "take_over",
]

LEASE_MINUTES = 15
WARN_SECONDS = 120
"""How long before its end a page asks whether the claim is still wanted."""

_LEASE_US = LEASE_MINUTES * 60_000_000
_JUDGING_US = 60_000_000
_TRIES = 5
_KEPT_US = 24 * 60 * 60_000_000


class Claimed(Exception):
    """Somebody else holds the decision; on its way from a verdict to its refusal."""

    def __init__(self, holder: "Holder") -> None:
        super().__init__("claimed")
        self.holder = holder


@dataclass(frozen=True)
class Holder:
    """Who holds a decision, since when and until when; `why` if they took it from somebody."""

    user_id: int
    agent_id: str
    name: str
    since: datetime
    until: datetime
    judging: bool = False
    why: str = ""


@dataclass(frozen=True)
class Taken:
    """A claim of one's own: its number, and until when it is held."""

    fence: int
    until: datetime


def take(user: User, project_id: str, decision_id: UUID) -> Taken | None:
    """Hold a decision for 15 minutes from now; None when somebody else holds it.

    Whoever holds it already holds it anew, under a higher number.
    """
    return _hold(user, project_id, decision_id, _free_or_of(user))


def take_over(user: User, project_id: str, decision_id: UUID, why: str) -> Taken | None:
    """Hold a decision although somebody else does; None while that one's verdict is being written."""
    now = now_us()
    taken = Q(state=ClaimState.HELD) | Q(until_us__lte=now) | Q(user=user)
    return _hold(user, project_id, decision_id, taken, why)


def _hold(
    user: User, project_id: str, decision_id: UUID, condition: Q, why: str = ""
) -> Taken | None:
    """One conditional update, or the first row; tried again when a first row was there already."""
    for _ in range(_TRIES):
        now = now_us()
        rows = _rows(project_id, decision_id)
        changed = rows.filter(condition).update(
            user=user,
            fence=F("fence") + 1,
            state=ClaimState.HELD,
            since_us=now,
            until_us=now + _LEASE_US,
            why=why,
        )
        if changed:
            take_up_touched(project_id, decision_id)
            mine = rows.filter(user=user).first()
            return Taken(mine.fence, _time(mine.until_us)) if mine else None
        if rows.exists():
            return None
        if _first(user, project_id, decision_id, now, why):
            take_up_touched(project_id, decision_id)
            return Taken(now, _time(now + _LEASE_US))
    return None


def _first(user: User, project_id: str, decision_id: UUID, now: int, why: str) -> bool:
    """The first claim on a decision. Its number is the time: higher than any that was swept."""
    try:
        with transaction.atomic():
            Claim.objects.create(
                project_id=project_id,
                decision_id=decision_id,
                user=user,
                fence=now,
                since_us=now,
                until_us=now + _LEASE_US,
                why=why,
            )
    except IntegrityError:
        return False
    return True


def beat(user: User, project_id: str, decision_id: UUID) -> Taken | None:
    """Hold on for another 15 minutes, under the same number; None when it is not one's own now.

    A claim that has ended and that nobody took since goes on: the page was only asleep.
    """
    now = now_us()
    own = _rows(project_id, decision_id).filter(user=user, state=ClaimState.HELD)
    if own.filter(until_us__gt=0).update(until_us=now + _LEASE_US):
        mine = own.first()
        return Taken(mine.fence, _time(mine.until_us)) if mine else None
    return None


def release(user: User, project_id: str, decision_id: UUID, fence: int | None = None) -> None:
    """Let go. With `fence` only what was taken under that number.

    So a page that is left behind does not release what another page of the same person
    holds now.
    """
    own = _rows(project_id, decision_id).filter(user=user, state=ClaimState.HELD)
    if fence is not None:
        own = own.filter(fence=fence)
    own.update(until_us=0, why="")


@contextmanager
def judging(user: User, project_id: str, decision_id: UUID) -> Iterator["Judgement"]:
    """Around a person's verdict: nobody takes the decision over while it is being written.

    `settle` takes the answer: with a recorded verdict the claim is released; otherwise it is
    as before: held for another 15 minutes if it was held. When an error comes instead of
    an answer, nobody knows whether the verdict arrived: the claim stays as it is, and
    lapses after a minute.

    Raises `Claimed` when somebody else holds the decision. What nobody holds is free to
    be judged, and held for as long as that takes.
    """
    before = _move_to_judging(user, project_id, decision_id)
    judgement = Judgement(project_id, decision_id)
    yield judgement
    now = now_us()
    own = _rows(project_id, decision_id).filter(user=user, state=ClaimState.JUDGING)
    until = now + _LEASE_US if before and not judgement.given else 0
    own.update(state=ClaimState.HELD, until_us=until, why="")


@contextmanager
def judging_as(scope: Scope, decision_id: UUID) -> Iterator["Judgement"]:
    """Around a verdict of whoever calls: a person's as `judging` does.

    A program has no claims: it may judge what nobody holds, its own maker included.
    Raises `Claimed` otherwise.
    """
    if scope.actor.agent_id == scope.user.agent_id:
        with judging(scope.user, scope.project_id, decision_id) as judgement:
            yield judgement
        return
    holder = holder_of(scope.project_id, decision_id)
    if holder is not None:
        raise Claimed(holder)
    yield Judgement(scope.project_id, decision_id)


Verdict = ReaffirmDecisionResult | RecordDecisionResult | RejectDecisionResult


@dataclass
class Judgement:
    """A verdict on its way. `given` is whether it was recorded."""

    project_id: str
    decision_id: UUID
    given: bool = False

    def settle(self, result: Verdict) -> None:
        """Take note of the answer: what was recorded waits no more, before it is free again.

        Otherwise the next reviewer could be offered it between the two.
        """
        self.given = result.error is None
        if self.given:
            active = result.decision if isinstance(result, ReaffirmDecisionResult) else None
            note_judged(self.project_id, self.decision_id, active.version if active else None)


def _move_to_judging(user: User, project_id: str, decision_id: UUID) -> bool:
    """From held to judging in one statement; what nobody holds is taken first.

    Returns whether the person held it before.
    """
    for turn in range(_TRIES):
        now = now_us()
        own = _rows(project_id, decision_id).filter(user=user, until_us__gt=now)
        if own.update(state=ClaimState.JUDGING, until_us=now + _JUDGING_US):
            return turn == 0
        if take(user, project_id, decision_id) is None:
            holder = holder_of(project_id, decision_id)
            if holder is not None and holder.user_id != user.pk:
                raise Claimed(holder)
    return False


def holders(project_id: str, decision_ids: Iterable[UUID]) -> dict[UUID, Holder]:
    """Who holds which of these decisions at this moment, in one query."""
    rows = Claim.objects.filter(
        project_id=project_id, decision_id__in=list(decision_ids), until_us__gt=now_us()
    ).select_related("user")
    return {row.decision_id: _holder(row) for row in rows}


def fence_of(user: User, project_id: str, decision_id: UUID) -> int | None:
    """The number under which a person holds a decision now."""
    own = _rows(project_id, decision_id).filter(user=user, until_us__gt=now_us())
    return own.values_list("fence", flat=True).first()


def holder_of(project_id: str, decision_id: UUID) -> Holder | None:
    return holders(project_id, [decision_id]).get(decision_id)


def held_by_others(user: User, project_id: str) -> QuerySet[Claim]:
    """What others hold in a project, for lists that leave it out."""
    return Claim.objects.filter(project_id=project_id, until_us__gt=now_us()).exclude(user=user)


def sweep_claims() -> None:
    """Drop what ended a day ago."""
    Claim.objects.filter(until_us__lt=now_us() - _KEPT_US).delete()


def _rows(project_id: str, decision_id: UUID) -> QuerySet[Claim]:
    return Claim.objects.filter(project_id=project_id, decision_id=decision_id)


def _free_or_of(user: User) -> Q:
    return Q(until_us__lte=now_us()) | Q(user=user, state=ClaimState.HELD)


def _holder(row: Claim) -> Holder:
    user = row.user
    return Holder(
        user_id=user.pk,
        agent_id=user.agent_id,
        name=user.shown_name,
        since=_time(row.since_us),
        until=_time(row.until_us),
        judging=row.state == ClaimState.JUDGING,
        why=row.why,
    )


def _time(us: int) -> datetime:
    return datetime.fromtimestamp(us / 1_000_000, UTC)
