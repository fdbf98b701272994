"""Which decisions may be reaffirmed in bulk, why others may not, and how a sample is drawn.

The rule stands here twice, for rows of the index and for the page of one decision: what
is offered is found in the index, what is judged is looked at again in the graph.
"""

from collections.abc import Mapping
from hashlib import sha256
from math import ceil, log, sqrt
from uuid import UUID

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from graphstore.desk import Desk
from graphstore.evidence import Comparison
from graphstore.records import DecisionStatus, ReviewState
from reviewconsole.bulk_models import (
    HIGHEST_LIMIT,
    LIMIT,
    BulkItem,
    ItemState,
    ProjectSettings,
    Stage,
    WhyNot,
)
from reviewconsole.desk_page import impact_of
from reviewconsole.models import CauseKind, Claim, Due, FlagCause, FlaggedDecision, SetAside, Snooze
from reviewconsole.review_index import now_us

__all__ = [
    "FEWEST",
    "MOST",
    "draw_sample",
    "not_calm",
    "project_limit",
    "sample_size",
    "with_why_not",
]

FEWEST = 5
"""A sample is never smaller; a bulk that is no larger than its sample would be none."""
MOST = 1_000
"""Decisions of one bulk. What else qualifies waits for the next."""

_QUIET = [comparison.value for comparison in Comparison if comparison.quiet]


def project_limit(project_id: str) -> int:
    """From how many dependents on a decision of the project is never judged in bulk."""
    settled = ProjectSettings.objects.filter(project_id=project_id)
    limit = settled.values_list("bulk_limit", flat=True).first()
    return LIMIT if limit is None else min(limit, HIGHEST_LIMIT)


def with_why_not(
    rows: QuerySet[FlaggedDecision], user_id: int, limit: int
) -> QuerySet[FlaggedDecision]:
    """The rows, each with `why_not`: a `WhyNot`, or nothing for those that qualify.

    What several reasons keep out is told the first of them in the order below.
    """
    own = {"project_id": OuterRef("project_id"), "decision_id": OuterRef("decision_id")}
    same = {**own, "version": OuterRef("version")}
    now = now_us()
    in_bulk = BulkItem.objects.filter(
        bulk__project_id=OuterRef("project_id"),
        decision_id=OuterRef("decision_id"),
        bulk__stage__in=[Stage.SAMPLING, Stage.RUNNING],
        state=ItemState.WAITING,
    )
    claimed = Claim.objects.filter(**own, until_us__gt=now).exclude(user=user_id)
    aside = SetAside.objects.filter(**same)
    asleep = Snooze.objects.filter(Q(until_us__isnull=True) | Q(until_us__gt=now), **same)
    compared = Q(due=Due.NOTHING, compared_version=F("version"), dependents__isnull=False)
    whys: list[tuple[Q | Exists, WhyNot]] = [
        (~compared, WhyNot.NOT_COMPARED),
        (Q(cause_number__gt=1), WhyNot.OTHER_CAUSES),
        (~Q(dangers=""), WhyNot.DANGER),
        (~Q(comparison__in=_QUIET) | Q(calm=False), WhyNot.CHANGED),
        (Q(dependents__gte=limit), WhyNot.RELIED_ON),
        (Exists(in_bulk), WhyNot.IN_BULK),
        (Exists(claimed), WhyNot.CLAIMED),
        (Exists(aside), WhyNot.SET_ASIDE),
        (Exists(asleep), WhyNot.SNOOZED),
    ]
    causes = FlagCause.objects.filter(flagged=OuterRef("pk")).order_by().values("flagged")
    number = Subquery(causes.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    return rows.annotate(cause_number=number).annotate(
        why_not=Case(
            *[When(condition, then=Value(why.value)) for condition, why in whys],
            default=Value(""),
            output_field=CharField(),
        )
    )


def not_calm(desk: Desk, limit: int) -> WhyNot | None:
    """Why the decision on this page is not to be judged in bulk, None when nothing is against it."""
    decision = desk.decision
    flagged = decision.review_state == ReviewState.NEEDS_REVIEW
    if decision.status != DecisionStatus.ACTIVE or not flagged:
        return WhyNot.JUDGED
    if len(decision.causes) != 1 or decision.causes[0].startswith(f"{CauseKind.ASKED}:"):
        return WhyNot.OTHER_CAUSES
    if any(shown.dangers for shown in desk.supports):
        return WhyNot.DANGER
    if not desk.supports or not all(shown.comparison.quiet for shown in desk.supports):
        return WhyNot.CHANGED
    impact = impact_of(desk)
    if impact.capped or impact.total >= limit:
        return WhyNot.RELIED_ON
    return None


def sample_size(number: int) -> int:
    """How many of so many decisions are judged singly first: their square root, at least 5."""
    return min(number, max(FEWEST, ceil(sqrt(number))))


def draw_sample(seed: UUID, weights: Mapping[UUID, int]) -> set[UUID]:
    """The sample of a bulk: the same for the same seed and decisions, in whatever order they come.

    A decision on which two others rest is as likely as two on which none does: `weights`
    are the numbers of dependents, each counted one more, so that all may be drawn.
    """
    drawn = sorted(weights, key=lambda one: (_lot(seed, one, weights[one]), one))
    return set(drawn[: sample_size(len(weights))])


def _lot(seed: UUID, decision_id: UUID, dependents: int) -> float:
    """An exponential lot with the weight as its rate; the smallest ones are the sample."""
    number = int.from_bytes(sha256(seed.bytes + decision_id.bytes).digest()[:7])
    return -log((number + 1) / (2**56 + 1)) / (dependents + 1)
