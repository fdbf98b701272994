"""Reaffirming in bulk: what is offered, the sample that is judged singly, and the button.

A bulk begins with a sample, which its reviewer judges on the ordinary desk; meanwhile a
worker looks at the rest and keeps the fingerprint of each. One of the sample that is not
reaffirmed ends it. Nothing leaves the queue before it is judged, so a bulk that ends
gives nothing back: its decisions wait as they did.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from graphstore.desk import open_desk
from graphstore.records import VerdictKind
from reviewconsole.access import Scope
from reviewconsole.bulk_models import (
    Bulk,
    BulkItem,
    BulkWhy,
    Ending,
    ItemState,
    Stage,
    WhyNot,
)
from reviewconsole.bulk_rules import (
    FEWEST,
    MOST,
    draw_sample,
    project_limit,
    with_why_not,
)
from reviewconsole.bundles import rooted, waiting_in
from reviewconsole.models import FlaggedDecision, SetAside
from reviewconsole.review_index import now_us
from reviewconsole.waiting import from_us

__all__ = [
    "Offered",
    "Progress",
    "begin",
    "confirm",
    "end",
    "lapse",
    "next_in_sample",
    "note_verdict",
    "offered",
    "open_bulk",
    "progress",
    "settle_sample",
    "signature",
]

LAPSE_US = 12 * 60 * 60_000_000
"""A bulk that nobody touched for so long keeps its decisions from no other one."""

_LOOKED_AT = 2
"""How many of a sample one page looks for in the graph, when their verdicts were not seen here."""

_ENDINGS = {
    VerdictKind.SUPERSEDE: Ending.SUPERSEDED,
    VerdictKind.REJECT: Ending.REJECTED,
}


@dataclass(frozen=True)
class Offered:
    """What of a bundle may be judged in bulk: how many, and how many not, by the reason."""

    qualify: int
    whys: dict[WhyNot, int]
    limit: int

    @property
    def enough(self) -> bool:
        """Whether more qualify than a sample takes."""
        return self.qualify > FEWEST


@dataclass(frozen=True)
class Progress:
    """How far a bulk is. `rest` are its decisions outside the sample.

    `checked` are those of the rest of which it is known whether they are calm, `left_out`
    those that are not judged.
    """

    sample: int
    sample_judged: int
    rest: int
    checked: int
    reaffirmed: int
    left_out: int

    @property
    def ready(self) -> bool:
        """Whether all is known that the button needs."""
        return self.sample_judged == self.sample and self.checked == self.rest

    @property
    def done(self) -> int:
        return self.reaffirmed + self.left_out

    @property
    def to_judge(self) -> int:
        return self.rest - self.left_out


def offered(scope: Scope, document: str) -> Offered:
    """What of the bundle of the document with this id may be judged in bulk."""
    limit = project_limit(scope.project_id)
    rows = with_why_not(waiting_in(scope.project_id, document), scope.user.pk, limit)
    counted = rows.order_by().values_list("why_not").annotate(number=Count("pk"))
    numbers = Counter(dict(counted))
    return Offered(numbers.pop("", 0), {w: numbers[w] for w in WhyNot if numbers[w]}, limit)


def open_bulk(scope: Scope, document: str) -> Bulk | None:
    """The person's bulk of this bundle that is not over."""
    own = Bulk.objects.filter(
        project_id=scope.project_id,
        document_id=document,
        user=scope.user,
        stage__in=[Stage.SAMPLING, Stage.RUNNING],
    )
    return own.order_by("-pk").first()


def begin(scope: Scope, document: str) -> Bulk | None:
    """A bulk of all that qualifies, at most 1,000, with its sample drawn; None when too few do.

    The person's bulk of the same bundle that is not over goes on instead of another.
    """
    lapse()
    with transaction.atomic():
        known = open_bulk(scope, document)
        return known or _begin(scope, document)


def _begin(scope: Scope, document: str) -> Bulk | None:
    limit = project_limit(scope.project_id)
    rows = with_why_not(waiting_in(scope.project_id, document), scope.user.pk, limit)
    calm = list(rooted(rows.filter(why_not="")).values_list("decision_id", "dependents")[:MOST])
    if len(calm) <= FEWEST:
        return None
    now = now_us()
    bulk = Bulk(
        project_id=scope.project_id,
        document_id=document,
        user=scope.user,
        session_id=scope.actor.session_id or "",
        size=len(calm),
        limit=limit,
        started_us=now,
        touched_us=now,
    )
    sample = draw_sample(bulk.uuid, dict(calm))
    bulk.sample_size = len(sample)
    bulk.save()
    BulkItem.objects.bulk_create(
        BulkItem(bulk=bulk, ordinal=place, decision_id=one, sampled=one in sample)
        for place, (one, _) in enumerate(calm)
    )
    return bulk


def lapse() -> None:
    """End the bulks that nobody touched for half a day and that were never confirmed."""
    left = Bulk.objects.filter(stage=Stage.SAMPLING, touched_us__lt=now_us() - LAPSE_US)
    left.update(stage=Stage.ENDED, ending=Ending.LAPSED, finished_us=now_us())


def end(bulk: Bulk, ending: Ending) -> bool:
    """End a bulk before its button was pressed; False when it was pressed, or over."""
    ended = {"stage": Stage.ENDED, "ending": ending, "finished_us": now_us()}
    changed = Bulk.objects.filter(pk=bulk.pk, stage=Stage.SAMPLING).update(**ended)
    bulk.refresh_from_db()
    return bool(changed)


def progress(bulk: Bulk) -> Progress:
    """The figures of a bulk, from one look at its rows."""
    sample, rest = Q(sampled=True), Q(sampled=False)
    left_out = Q(state=ItemState.LEFT_OUT)
    reaffirmed = Q(state=ItemState.REAFFIRMED)
    return Progress(
        **BulkItem.objects.filter(bulk=bulk).aggregate(
            sample=Count("pk", filter=sample),
            sample_judged=Count("pk", filter=sample & reaffirmed),
            rest=Count("pk", filter=rest),
            checked=Count("pk", filter=rest & (left_out | ~Q(seen=""))),
            reaffirmed=Count("pk", filter=rest & reaffirmed),
            left_out=Count("pk", filter=rest & left_out),
        )
    )


def next_in_sample(bulk: Bulk) -> UUID | None:
    """The next of the sample to be judged singly, in the order of the bundle."""
    left = BulkItem.objects.filter(bulk=bulk, sampled=True, state=ItemState.WAITING)
    return left.order_by("ordinal").values_list("decision_id", flat=True).first()


def note_verdict(
    project_id: str, decision_id: UUID, kind: VerdictKind, verdict_id: str
) -> Bulk | None:
    """Have the bulk follow a verdict on one of its sample; the bulk, None when it is of none."""
    item = _sampled(project_id).filter(decision_id=decision_id).select_related("bulk").first()
    if item is None:
        return None
    _judged(item, kind, verdict_id)
    return item.bulk


def _sampled(project_id: str) -> QuerySet[BulkItem]:
    """Of the samples of the project's bulks what is still to be judged."""
    return BulkItem.objects.filter(
        bulk__project_id=project_id,
        bulk__stage=Stage.SAMPLING,
        sampled=True,
        state=ItemState.WAITING,
    )


def _judged(item: BulkItem, kind: VerdictKind, verdict_id: str) -> None:
    now = now_us()
    if kind == VerdictKind.REAFFIRM:
        own = BulkItem.objects.filter(pk=item.pk, state=ItemState.WAITING)
        own.update(state=ItemState.REAFFIRMED, verdict_id=verdict_id, done_us=now)
        Bulk.objects.filter(pk=item.bulk.pk).update(touched_us=now)
    else:
        end(item.bulk, _ENDINGS.get(kind, Ending.UNDECIDED))


def settle_sample(scope: Scope, bulk: Bulk) -> None:
    """Bring the sample level with what became of it anywhere: here, at another door, by others.

    At most two reads of the graph; what is beyond is left for the next look.
    """
    if bulk.stage != Stage.SAMPLING:
        return
    if scope.user.pk == bulk.user.pk:
        Bulk.objects.filter(pk=bulk.pk).update(touched_us=now_us())
    sample = list(BulkItem.objects.filter(bulk=bulk, sampled=True).order_by("ordinal"))
    rows = FlaggedDecision.objects.filter(
        project_id=bulk.project_id,
        decision_id__in=[item.decision_id for item in sample],
        cleared_us__isnull=True,
    )
    waits = dict(rows.values_list("decision_id", "version"))
    again = [i.pk for i in sample if i.decision_id in waits and i.state == ItemState.REAFFIRMED]
    BulkItem.objects.filter(pk__in=again).update(
        state=ItemState.WAITING, verdict_id="", done_us=None
    )
    if _any_set_aside(bulk, waits):
        end(bulk, Ending.SET_ASIDE)
    gone = [i for i in sample if i.decision_id not in waits and i.state == ItemState.WAITING]
    for item in gone[:_LOOKED_AT]:
        item.bulk = bulk
        _settle(scope, item, from_us(bulk.started_us))
    bulk.refresh_from_db()


def _any_set_aside(bulk: Bulk, waits: dict[UUID, int]) -> bool:
    """Whether the person said of one of these decisions, as it is, that they cannot judge it."""
    aside = SetAside.objects.filter(
        project_id=bulk.project_id, user=bulk.user, decision_id__in=list(waits)
    )
    return any(
        waits[one] == version for one, version in aside.values_list("decision_id", "version")
    )


def _settle(scope: Scope, item: BulkItem, since: datetime | None) -> None:
    """What became of one of the sample that no longer waits, as the graph has it."""
    desk = open_desk(scope.store, scope.project_id, item.decision_id)
    for given in desk.verdicts if desk else []:
        late = given.at is not None and since is not None and given.at >= since
        if late and given.withdrawn_at is None and given.kind != "withdraw":
            _judged(item, VerdictKind(given.kind), given.id or "")
            return
    end(item.bulk, Ending.UNDECIDED)


def signature(bulk: Bulk) -> str:
    """What the button is about to do, in a word: the decisions and what was seen of each."""
    items = BulkItem.objects.filter(bulk=bulk, sampled=False, state=ItemState.WAITING)
    listed = items.order_by("ordinal").values_list("decision_id", "seen")
    whole = "\n".join(f"{decision_id} {seen}" for decision_id, seen in listed)
    return sha256(whole.encode()).hexdigest()


def confirm(bulk: Bulk, why: str) -> bool:
    """Have a worker reaffirm the rest; False when that was asked for already, or it is over."""
    now = now_us()
    confirmed = {"stage": Stage.RUNNING, "confirmed_us": now, "touched_us": now}
    with transaction.atomic():
        if not Bulk.objects.filter(pk=bulk.pk, stage=Stage.SAMPLING).update(**confirmed):
            return False
        BulkWhy.objects.create(bulk=bulk, text=why)
    bulk.refresh_from_db()
    return True
