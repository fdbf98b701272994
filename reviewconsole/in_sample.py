"""A decision of a sample on its desk: what is said there, and where one goes on from it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict

from graphstore.records import VerdictKind
from reviewconsole.access import Scope
from reviewconsole.addresses import bulk_url, open_url
from reviewconsole.bulk_models import Bulk, BulkItem, ItemState, Stage
from reviewconsole.bulks import next_in_sample, note_verdict, progress

__all__ = ["after_verdict", "back_to_bulk", "sample_context", "with_verdict"]

SAMPLE = "sample"
"""What the main button of a desk in a sample sends as `then`."""


def sample_context(scope: Scope, decision_id: UUID) -> Mapping[str, Any]:
    """`sample` of the desk: which of how many this is, None when it is in no sample of the person's."""
    bulk = _own_bulk(scope, decision_id)
    if bulk is None:
        return {"sample": None}
    figures = progress(bulk)
    return {
        "sample": {
            "number": figures.sample_judged + 1,
            "of": figures.sample,
            "rest": figures.rest,
            "url": bulk_url(scope.project_id, bulk.uuid),
        }
    }


def back_to_bulk(scope: Scope, decision_id: UUID) -> str | None:
    """The bulk of whose sample this decision is, to go on from when it is left; None for others."""
    bulk = _own_bulk(scope, decision_id)
    return bulk_url(scope.project_id, bulk.uuid) if bulk else None


def _own_bulk(scope: Scope, decision_id: UUID) -> Bulk | None:
    items = BulkItem.objects.filter(
        bulk__project_id=scope.project_id,
        bulk__user=scope.user,
        bulk__stage=Stage.SAMPLING,
        decision_id=decision_id,
        sampled=True,
        state=ItemState.WAITING,
    )
    item = items.select_related("bulk").first()
    return item.bulk if item else None


def with_verdict(sent: QueryDict) -> QueryDict:
    """What was sent, with the verdict that the main button names on a page of a sample.

    There the button reads “Reaffirm” as long as no verdict is chosen, so that one key
    judges what still holds. A verdict that was chosen stands.
    """
    if sent.get("then") != SAMPLE or sent.get("verdict"):
        return sent
    named = sent.copy()
    named["verdict"] = VerdictKind.REAFFIRM.value
    return named


def after_verdict(
    scope: Scope, decision_id: UUID, verdict: str, verdict_id: str | None
) -> str | None:
    """Where to go on after a verdict on one of a sample: its next, or its bulk; None for others."""
    bulk = note_verdict(scope.project_id, decision_id, VerdictKind(verdict), verdict_id or "")
    if bulk is None or bulk.user.pk != scope.user.pk:
        return None
    following = next_in_sample(bulk) if bulk.stage == Stage.SAMPLING else None
    if following is None:
        return bulk_url(scope.project_id, bulk.uuid)
    return open_url(scope.project_id, following)
