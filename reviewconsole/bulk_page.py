"""What the page of a bulk draws, in each of its stages."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from graphstore.review_feed import cause_documents, queue_rows
from reviewconsole.access import Role, Scope
from reviewconsole.addresses import (
    bulk_url,
    bundle_url,
    decision_url,
    open_url,
    queue_url,
    verdict_url,
)
from reviewconsole.bulk_models import Bulk, BulkItem, ItemState, Stage
from reviewconsole.bulk_words import ending_words, why_not_label, why_not_words
from reviewconsole.bulks import next_in_sample, progress, signature
from reviewconsole.models import FlaggedDecision
from reviewconsole.note_form import NoteForm
from reviewconsole.waiting import from_us

__all__ = ["bulk_context", "may_end", "may_go_on"]

PAGE = 50
SHOWN = ("", "reaffirmed", "left_out", "sample")


def may_go_on(scope: Scope, bulk: Bulk) -> bool:
    """Whether this person presses the button: it is whoever judged the sample."""
    return scope.user.pk == bulk.user.pk and scope.may(Role.REVIEWER)


def may_end(scope: Scope, bulk: Bulk) -> bool:
    """Whoever began it ends it, and so does a manager."""
    own = scope.user.pk == bulk.user.pk and scope.may(Role.REVIEWER)
    return bulk.stage == Stage.SAMPLING and (own or scope.may(Role.MANAGER))


def bulk_context(
    scope: Scope, bulk: Bulk, form: NoteForm, shown: str = "", after: str = ""
) -> dict[str, Any]:
    """Everything that `bulk.html` draws, besides the refusal: two reads."""
    project = scope.project_id
    shown = shown if shown in SHOWN else ""
    figures = progress(bulk)
    items = _items(bulk, shown, int(after) if after.isascii() and after.isdigit() else -1)
    page, more = items[:PAGE], len(items) > PAGE
    following = next_in_sample(bulk) if bulk.stage == Stage.SAMPLING else None
    own = may_go_on(scope, bulk)
    return {
        "bulk": bulk,
        "mine": scope.user.pk == bulk.user.pk,
        "by": bulk.user.agent_id,
        "started_at": from_us(bulk.started_us),
        "finished_at": from_us(bulk.finished_us),
        "figures": figures,
        "percent": 100 * figures.done // figures.rest if figures.rest else 100,
        "ending": ending_words(bulk),
        "left_whys": _left_whys(bulk),
        "tasks": _tasks(bulk) if own and figures.ready else 0,
        "others": bulk.size - 1,
        "moves": bulk.stage == Stage.RUNNING or _is_looked_at(bulk, figures.checked, figures.rest),
        "judge_url": open_url(project, following) if following and own else None,
        "ready": own and bulk.stage == Stage.SAMPLING and figures.ready,
        "form": form,
        "signature": signature(bulk) if bulk.stage == Stage.SAMPLING else "",
        "may_end": may_end(scope, bulk),
        "choices": _choices(project, bulk, figures, shown),
        "rows": _rows(scope, bulk, page),
        **_around(scope, bulk),
        "here": bulk_url(project, bulk.uuid, show=shown, after=after),
        "next_url": bulk_url(project, bulk.uuid, show=shown, after=page[-1].ordinal)
        if more
        else None,
        "first_url": bulk_url(project, bulk.uuid, show=shown) if after else None,
        "post_url": bulk_url(project, bulk.uuid),
        "refusal": None,
    }


def _is_looked_at(bulk: Bulk, checked: int, rest: int) -> bool:
    return bulk.stage == Stage.SAMPLING and checked < rest


def _items(bulk: Bulk, shown: str, after: int) -> list[BulkItem]:
    items = BulkItem.objects.filter(bulk=bulk, ordinal__gt=after)
    if shown == "sample":
        items = items.filter(sampled=True)
    elif shown:
        items = items.filter(sampled=False, state=shown)
    elif bulk.stage == Stage.SAMPLING:
        items = items.filter(sampled=True)
    return list(items.order_by("ordinal")[: PAGE + 1])


def _left_whys(bulk: Bulk) -> list[dict[str, Any]]:
    """How many are left out for which reason."""
    left: QuerySet[BulkItem] = BulkItem.objects.filter(bulk=bulk, state=ItemState.LEFT_OUT)
    counted = left.order_by().values_list("why_not").annotate(number=Count("pk"))
    return [
        {"number": number, "words": why_not_words(why, bulk.limit)}
        for why, number in sorted(counted, key=lambda pair: -pair[1])
    ]


def _tasks(bulk: Bulk) -> int:
    """In how many tasks the decisions stand that the button judges."""
    items = BulkItem.objects.filter(bulk=bulk, sampled=False, state=ItemState.WAITING)
    rows = FlaggedDecision.objects.filter(
        project_id=bulk.project_id, decision_id__in=items.values("decision_id")
    )
    return rows.order_by().values("task_id").distinct().count()


def _choices(project: str, bulk: Bulk, figures: Any, shown: str) -> list[dict[str, Any]]:
    """What the list may show, once there are results."""
    if bulk.stage == Stage.SAMPLING:
        return []
    listed = [
        ("", _("All"), figures.sample + figures.rest),
        ("sample", _("Judged singly"), figures.sample),
        ("reaffirmed", _("Reaffirmed in bulk"), figures.reaffirmed),
        ("left_out", _("Left out"), figures.left_out),
    ]
    return [
        {
            "label": label,
            "count": number,
            "url": bulk_url(project, bulk.uuid, show=value),
            "active": value == shown,
        }
        for value, label, number in listed
        if number or not value
    ]


def _rows(scope: Scope, bulk: Bulk, items: Sequence[BulkItem]) -> list[dict[str, Any]]:
    """Each decision with what became of it, and the address of that."""
    ids = [item.decision_id for item in items]
    known = {
        row.decision.id: row.decision
        for row in queue_rows(scope.store, scope.project_id, ids, clear=True)
    }
    return [
        {
            "decision": known.get(item.decision_id),
            "url": decision_url(scope.project_id, item.decision_id),
            "sampled": item.sampled,
            "state": item.state,
            "words": _result_words(bulk, item),
            "label": why_not_label(item.why_not) if item.why_not else "",
            "verdict_url": verdict_url(scope.project_id, item.verdict_id)
            if item.verdict_id
            else None,
        }
        for item in items
    ]


def _result_words(bulk: Bulk, item: BulkItem) -> str:
    if item.why_not:
        return why_not_words(item.why_not, bulk.limit)
    if item.state == ItemState.REAFFIRMED:
        return _("Judged singly.") if item.sampled else _("Reaffirmed in bulk.")
    return _("It waits in the queue.") if not bulk.open else ""


def _around(scope: Scope, bulk: Bulk) -> dict[str, Any]:
    """Where the bulk belongs: its document and the bundle of it."""
    project = scope.project_id
    found = cause_documents(scope.store, project, [bulk.document_id])
    known = found.get(bulk.document_id)
    return {
        "title": (known.title or known.document_key) if known else "",
        "bundle_url": bundle_url(project, known.document_key) if known else None,
        "queue_url": queue_url(project),
    }
