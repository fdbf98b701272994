"""Opening a queue in portions: what a manager keeps in it, and what waits in the backlog.

A graph that agents wrote for years brings ten thousands of flags at once. Nobody
works through that in order: a portion is what they begin with, the rest is parked. Each
step is one statement over rows of the index and leaves a line that says who did it.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from graphstore.evidence import Comparison
from reviewconsole.backlog import parked
from reviewconsole.models import (
    CauseKind,
    Claim,
    Draft,
    FlagCause,
    FlaggedDecision,
    IntakeKind,
    IntakeStep,
    User,
)
from reviewconsole.review_index import now_us
from reviewconsole.waiting import waiting

__all__ = [
    "CHANGED",
    "PORTIONS",
    "SIZES",
    "DocumentIntake",
    "Portion",
    "PortionKind",
    "by_document",
    "keep",
    "park",
    "portion_sizes",
    "take_up",
]

SIZES = (100, 500, 1_000)
"""How many a portion may hold; without one it is all of them."""

MOST_DOCUMENTS = 50

CHANGED = (
    Comparison.REMOVED,
    Comparison.DELETED,
    Comparison.REDACTED,
    Comparison.NOT_FOUND,
    Comparison.EDITED,
    Comparison.SUPERSEDED,
    Comparison.REJECTED,
)
"""What a support may have become so that it is not there any more as it was cited."""


class PortionKind(StrEnum):
    OPEN_TASKS = "open_tasks"
    RELIED_ON = "relied_on"
    CHANGED = "changed"
    NAMED = "named"
    EVERYTHING = "everything"
    DOCUMENT = "document"


PORTIONS: dict[PortionKind, tuple[Promise, Q]] = {
    PortionKind.OPEN_TASKS: (_("that open tasks rest on"), Q(open_tasks__gt=0)),
    PortionKind.RELIED_ON: (_("that other decisions rest on"), Q(dependents__gt=0)),
    PortionKind.CHANGED: (
        _("whose support changed or is gone"),
        Q(comparison__in=[one.value for one in CHANGED]),
    ),
    PortionKind.NAMED: (_("flagged since the console looks after them"), Q(inferred=False)),
    PortionKind.EVERYTHING: (_("with the most at stake"), Q()),
}
"""In words that follow “the 500”, and which rows. A document's are told by its causes."""


@dataclass(frozen=True)
class Portion:
    """Some of the flagged decisions: `size` of a kind, most at stake first; None is all of them.

    `ref` is the id of a document, for the decisions that wait because of it.
    """

    kind: PortionKind
    size: int | None = None
    ref: str = ""

    def of(self, rows: QuerySet[FlaggedDecision]) -> QuerySet[FlaggedDecision]:
        """Its part of `rows`."""
        if self.kind is PortionKind.DOCUMENT:
            caused = FlagCause.objects.filter(kind=CauseKind.DOCUMENT, ref=self.ref)
            rows = rows.filter(pk__in=caused.values("flagged"))
        else:
            rows = rows.filter(PORTIONS[self.kind][1])
        rows = rows.order_by("-stake", "flagged_us", "decision_id")
        return rows if self.size is None else rows[: self.size]


def keep(user: User, project_id: str, portion: Portion, seen_us: int) -> int:
    """Park everything that waits and is not in the portion; returns how many that are.

    What was flagged after `seen_us`, when the manager saw the numbers, stays, and so does
    what somebody works on or asked for.
    """
    with transaction.atomic():
        queue = waiting(project_id)
        kept = portion.of(queue).values("pk")
        number = portion.of(queue).count()
        moved = _park(project_id, queue.filter(flagged_us__lte=seen_us).exclude(pk__in=kept))
        _note(user, project_id, IntakeKind.KEPT, portion, moved, number)
    return moved


def park(user: User, project_id: str, portion: Portion, seen_us: int) -> int:
    """Park a portion of what waits, but for what `keep` spares too; returns how many that are."""
    with transaction.atomic():
        chosen = portion.of(waiting(project_id).filter(flagged_us__lte=seen_us)).values("pk")
        moved = _park(project_id, FlaggedDecision.objects.filter(pk__in=chosen))
        _note(user, project_id, IntakeKind.PARKED, portion, moved)
    return moved


def take_up(user: User, project_id: str, portion: Portion) -> int:
    """Put a portion of the backlog into the queue; returns how many that are."""
    with transaction.atomic():
        chosen = portion.of(parked(project_id)).values("pk")
        moved = FlaggedDecision.objects.filter(pk__in=chosen).update(parked_us=None)
        _note(user, project_id, IntakeKind.TAKEN_UP, portion, moved)
    return moved


def _park(project_id: str, rows: QuerySet[FlaggedDecision]) -> int:
    typed = Draft.objects.filter(project_id=project_id)
    held = Claim.objects.filter(project_id=project_id, until_us__gt=now_us())
    asked = FlagCause.objects.filter(kind=CauseKind.ASKED, flagged__project_id=project_id)
    untouched = (
        rows.exclude(decision_id__in=typed.values("decision_id"))
        .exclude(decision_id__in=held.values("decision_id"))
        .exclude(pk__in=asked.values("flagged"))
    )
    return untouched.update(parked_us=now_us())


def _note(
    user: User, project_id: str, kind: IntakeKind, portion: Portion, moved: int, kept: int = 0
) -> None:
    IntakeStep.objects.create(
        project_id=project_id,
        user=user,
        kind=kind,
        portion=portion.kind.value,
        ref=portion.ref,
        kept=kept,
        moved=moved,
    )


def portion_sizes(rows: QuerySet[FlaggedDecision]) -> dict[PortionKind, int]:
    """How many of `rows` are of each kind, in one look at them."""
    found = rows.aggregate(
        **{kind.value: Count("pk", filter=which) for kind, (_words, which) in PORTIONS.items()}
    )
    return {kind: found[kind.value] for kind in PORTIONS}


@dataclass(frozen=True)
class DocumentIntake:
    """What is flagged because of one document. `before_us`: since when at the latest, of inferred ones."""

    ref: str
    flagged: int
    parked: int
    inferred: int
    before_us: int | None
    changed: int
    quiet: int


def by_document(project_id: str) -> list[DocumentIntake]:
    """The 50 documents because of which most is flagged, the first ones first."""

    def decisions(which: Q | None = None) -> Count:
        return Count("flagged", distinct=True, filter=which)

    quiet = [one.value for one in Comparison if one.quiet]
    found = (
        FlagCause.objects.filter(
            kind=CauseKind.DOCUMENT,
            flagged__project_id=project_id,
            flagged__cleared_us__isnull=True,
        )
        .values("ref")
        .annotate(
            number=decisions(),
            parked=decisions(Q(flagged__parked_us__isnull=False)),
            inferred=decisions(Q(flagged__inferred=True)),
            before_us=Max("flagged__flagged_us", filter=Q(flagged__inferred=True)),
            changed=decisions(Q(flagged__comparison__in=[one.value for one in CHANGED])),
            quiet=decisions(Q(flagged__comparison__in=quiet)),
        )
        .order_by("-number", "ref")[:MOST_DOCUMENTS]
    )
    return [
        DocumentIntake(
            ref=row["ref"],
            flagged=row["number"],
            parked=row["parked"],
            inferred=row["inferred"],
            before_us=row["before_us"],
            changed=row["changed"],
            quiet=row["quiet"],
        )
        for row in found
    ]
