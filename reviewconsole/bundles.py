"""Bundles: the decisions that wait because of one document, whatever else they wait for.

A decision with two causes stands in both bundles and is counted once in the queue. What
was cleared keeps its causes in the index, so that a bundle can say how far it is.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from django.db.models import Max, Min, Q, QuerySet
from django.db.models.functions import Coalesce

from graphstore.ids import named_id
from reviewconsole.models import WAITS, CauseKind, ComparedSupport, FlagCause, FlaggedDecision
from reviewconsole.waiting import CAP

__all__ = [
    "Bundle",
    "BundlePlace",
    "Cause",
    "causes_of",
    "document_id",
    "documents_among",
    "look_at",
    "rooted",
    "waiting_in",
]


@dataclass(frozen=True)
class Cause:
    """One cause of a flag, as the index keeps it."""

    kind: str
    ref: str
    number: int | None


@dataclass(frozen=True)
class Bundle:
    """How far a bundle is. Numbers count to 1,000.

    `cited` is the oldest version that decisions which wait cite, as far as they were
    compared; `newest` the newest activation because of which they wait.
    """

    waiting: int
    done: int
    parked: int
    cited: int | None
    newest: int | None

    @property
    def total(self) -> int:
        return self.waiting + self.done

    @property
    def percent(self) -> int:
        """How much is done, rounded down: 100 says that nothing waits."""
        return 100 * self.done // self.total if self.total else 100


@dataclass(frozen=True)
class BundlePlace:
    """Where a decision stands in its bundle: after this, the next page begins."""

    dependents: int
    flagged_us: int
    decision_id: UUID

    @classmethod
    def of(cls, row: FlaggedDecision) -> Self:
        return cls(row.dependents or 0, row.flagged_us, row.decision_id)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The place that `text` writes, None when it writes none."""
        numbers, _, ident = text.rpartition(".")
        first, _, second = numbers.partition(".")
        try:
            return cls(_number(first), _number(second), UUID(hex=ident))
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.dependents}.{self.flagged_us}.{self.decision_id.hex}"


def _number(text: str) -> int:
    """A number as an address writes it: digits, and no more than a database's integer holds."""
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise ValueError(text)
    return int(text)


def document_id(document_key: str) -> str:
    """Under which id the index knows the document."""
    return named_id("Document", document_key)


def waiting_in(project_id: str, document: str) -> QuerySet[FlaggedDecision]:
    """The rows that wait because of the document with this id, unordered."""
    return _caused(project_id, document).filter(WAITS)


def rooted(
    rows: QuerySet[FlaggedDecision], after: BundlePlace | None = None
) -> QuerySet[FlaggedDecision]:
    """The rows with those first on which most rest, hence a decision before what rests on it.

    Of what is not counted yet nobody knows, so it comes last, the oldest flag first.
    """
    if after is not None:
        us, ident = after.flagged_us, after.decision_id
        rows = rows.filter(
            Q(known__lt=after.dependents)
            | Q(known=after.dependents, flagged_us__gt=us)
            | Q(known=after.dependents, flagged_us=us, decision_id__gt=ident)
        )
    return rows.order_by("-known", "flagged_us", "decision_id")


def _caused(project_id: str, document: str) -> QuerySet[FlaggedDecision]:
    caused = FlagCause.objects.filter(kind=CauseKind.DOCUMENT, ref=document)
    known = Coalesce("dependents", 0)
    rows = FlaggedDecision.objects.filter(project_id=project_id, pk__in=caused.values("flagged_id"))
    return rows.annotate(known=known)


def look_at(project_id: str, document: str) -> Bundle:
    """How far the bundle of the document with this id is."""
    flagged = FlaggedDecision.objects.filter(project_id=project_id)
    caused = FlagCause.objects.filter(kind=CauseKind.DOCUMENT, ref=document)
    open_causes = caused.filter(flagged__in=flagged.filter(cleared_us__isnull=True))
    span = open_causes.aggregate(first=Min("number"), last=Max("number"))
    since = caused.filter(number__gte=span["first"] or _newest(caused, flagged))
    compared = ComparedSupport.objects.filter(
        kind=CauseKind.DOCUMENT, ref=document, flagged__in=waiting_in(project_id, document)
    )
    cleared = flagged.filter(cleared_us__isnull=False, pk__in=since.values("flagged_id"))
    parked = flagged.filter(
        cleared_us__isnull=True, parked_us__isnull=False, pk__in=caused.values("flagged_id")
    )
    return Bundle(
        waiting=_capped(waiting_in(project_id, document)),
        done=_capped(cleared),
        parked=_capped(parked),
        cited=compared.aggregate(first=Min("cited_seq"))["first"],
        newest=span["last"],
    )


def _newest(caused: QuerySet[FlagCause], flagged: QuerySet[FlaggedDecision]) -> int:
    """The activation that the last of a bundle in which nothing waits was about."""
    own = caused.filter(flagged__in=flagged)
    return own.aggregate(last=Max("number"))["last"] or 0


def _capped(rows: QuerySet[FlaggedDecision]) -> int:
    return min(rows.order_by().values("pk")[: CAP + 1].count(), CAP)


def causes_of(rows: Iterable[FlaggedDecision]) -> dict[int, list[Cause]]:
    """The causes of each of these rows, by its key, in one query."""
    found: dict[int, list[Cause]] = defaultdict(list)
    causes = FlagCause.objects.filter(flagged__in=[row.pk for row in rows]).order_by("pk")
    for key, kind, ref, number in causes.values_list("flagged", "kind", "ref", "number"):
        found[key].append(Cause(kind, ref, number))
    return found


def documents_among(causes: Iterable[Sequence[Cause]]) -> list[str]:
    """The ids of the documents among causes, each once."""
    named = (one.ref for several in causes for one in several if one.kind == CauseKind.DOCUMENT)
    return list(dict.fromkeys(named))
