"""Carries a bulk out in slices: first looks at its decisions, then, once asked to, judges them.

Each decision is looked at again right before its verdict, which is refused if its page
is another by then. Its request id derives from the bulk and the decision, so whatever
dies in between, none is judged twice. A bulk that a worker left lying is taken up by the
next one.
"""

from enum import Enum
from uuid import uuid5

from graphstore.desk import Desk, open_desk
from graphstore.erasures import receipt_id
from graphstore.evidence import COMPARISON_VERSION
from graphstore.faults import Contended
from graphstore.records import Actor, DocumentSupportInput, Exhibit
from graphstore.refusals import WriteErrorCode
from graphstore.results import ReaffirmDecisionResult
from graphstore.store import GraphStore
from reviewconsole import review_index
from reviewconsole.access import Caller, Role, Scope
from reviewconsole.bulk_models import Bulk, BulkItem, BulkWhy, Ending, ItemState, Stage, WhyNot
from reviewconsole.bulk_rules import not_calm
from reviewconsole.claims import Claimed, judging, release
from reviewconsole.desk_page import impact_of
from reviewconsole.drafts import drop_draft
from reviewconsole.exhibits import support_of
from reviewconsole.offers import WHOLE, offers_of
from reviewconsole.review_index import note_judged, now_us
from reviewconsole.waiting import from_us

__all__ = ["Left", "advance", "unfinished"]

SLICE = 10
LEASE_US = 60_000_000


class Left(Enum):
    """What a slice left: nothing, more of it, or what has to wait until flags have travelled."""

    NOTHING = 0
    MORE = 1
    LATER = 2


def unfinished() -> list[int]:
    """The bulks of which a worker would find something to do."""
    unseen = BulkItem.objects.filter(
        bulk__stage=Stage.SAMPLING, sampled=False, state=ItemState.WAITING, seen=""
    )
    running = Bulk.objects.filter(stage=Stage.RUNNING).values_list("pk", flat=True)
    return [*running, *unseen.values_list("bulk", flat=True).distinct()]


def advance(store: GraphStore, bulk_id: int) -> Left:
    """One slice of a bulk. Raises a `StoreFault` when the graph does not answer; nothing is lost."""
    now = now_us()
    free = Bulk.objects.filter(
        pk=bulk_id, lease_until_us__lt=now, stage__in=[Stage.SAMPLING, Stage.RUNNING]
    )
    if not free.update(lease_until_us=now + LEASE_US):
        return Left.NOTHING
    try:
        bulk = Bulk.objects.select_related("user").get(pk=bulk_id)
        scope = _scope(bulk)
        if scope is None:
            return _stop(bulk, Ending.FORBIDDEN)
        review_index.catch_up(store, bulk.project_id, slow=True)
        return _look(scope, bulk) if bulk.stage == Stage.SAMPLING else _carry_out(scope, bulk)
    finally:
        Bulk.objects.filter(pk=bulk_id).update(lease_until_us=0)


def _scope(bulk: Bulk) -> Scope | None:
    """The project as the person may use it now: a role may have been taken away since."""
    role = Caller(bulk.user).role_in(bulk.project_id) if bulk.user.is_active else None
    if role is None or role < Role.REVIEWER:
        return None
    actor = Actor(
        agent_id=bulk.user.agent_id,
        principal=bulk.user.agent_id,
        session_id=bulk.session_id or None,
        door="form",
    )
    return Scope(bulk.project_id, role, bulk.user, actor)


def _stop(bulk: Bulk, ending: Ending) -> Left:
    """End it where it stands. What was judged stays judged, the rest waits as it did."""
    BulkWhy.objects.filter(bulk=bulk).delete()
    Bulk.objects.filter(pk=bulk.pk).update(stage=Stage.ENDED, ending=ending, finished_us=now_us())
    return Left.NOTHING


def _look(scope: Scope, bulk: Bulk) -> Left:
    """Find out which of the next decisions are calm, and keep what their pages say."""
    items = _next(bulk, seen="")
    moved = [_looked_at(scope, bulk, item) for item in items]
    return _left(moved, more=len(items) == SLICE)


def _looked_at(scope: Scope, bulk: Bulk, item: BulkItem) -> bool:
    desk = open_desk(scope.store, scope.project_id, item.decision_id)
    why = not_calm(desk, bulk.limit) if desk else WhyNot.JUDGED
    if why is None and desk is not None:
        BulkItem.objects.filter(pk=item.pk, state=ItemState.WAITING).update(seen=desk.seen)
        return True
    if why == WhyNot.CHANGED and desk is not None and desk.flags_travelling:
        return False
    _leave_out(item, why or WhyNot.JUDGED)
    return True


def _carry_out(scope: Scope, bulk: Bulk) -> Left:
    """Judge the next decisions; after the last of them the why is kept nowhere but with them."""
    why = BulkWhy.objects.filter(bulk=bulk).values_list("text", flat=True).first()
    items = _next(bulk)
    if items and why is None:
        return _stop(bulk, Ending.WITHOUT_WHY)
    moved = [_judge(scope, bulk, item, why or "") for item in items]
    if items:
        return _left(moved, more=True)
    review_index.catch_up(scope.store, bulk.project_id)
    BulkWhy.objects.filter(bulk=bulk).delete()
    Bulk.objects.filter(pk=bulk.pk, stage=Stage.RUNNING).update(
        stage=Stage.DONE, finished_us=now_us()
    )
    return Left.NOTHING


def _next(bulk: Bulk, **which: str) -> list[BulkItem]:
    items = BulkItem.objects.filter(bulk=bulk, sampled=False, state=ItemState.WAITING, **which)
    return list(items.order_by("ordinal")[:SLICE])


def _left(moved: list[bool], *, more: bool) -> Left:
    if not moved or all(moved):
        return Left.MORE if more else Left.NOTHING
    return Left.LATER


def _judge(scope: Scope, bulk: Bulk, item: BulkItem, why: str) -> bool:
    """Reaffirm one decision, or leave it out and say why; False when it has to wait a little."""
    desk = open_desk(scope.store, scope.project_id, item.decision_id)
    if desk is None:
        return _leave_out(item, WhyNot.JUDGED)
    request_id = str(uuid5(bulk.uuid, item.decision_id.hex))
    ours = receipt_id(scope.project_id, request_id)
    if any(given.id == ours for given in desk.verdicts):
        return _reaffirmed(scope, item, ours, desk.decision.version)
    against = not_calm(desk, bulk.limit)
    if against == WhyNot.CHANGED and desk.flags_travelling:
        return False
    if against is not None:
        return _leave_out(item, against)
    try:
        result = _reaffirm(scope, bulk, item, desk, why, request_id)
    except Claimed:
        return _leave_out(item, WhyNot.CLAIMED)
    except Contended:
        return _leave_out(item, WhyNot.BUSY)
    if result.decision is None or result.verdict_id is None:
        return _leave_out(item, _refused(result))
    return _reaffirmed(scope, item, result.verdict_id, result.decision.version)


def _reaffirm(
    scope: Scope, bulk: Bulk, item: BulkItem, desk: Desk, why: str, request_id: str
) -> ReaffirmDecisionResult:
    """The verdict, bound to what was seen of the page before the button was pressed."""
    passages = [offer.proposed for offer in offers_of(desk) if offer.kind == "document"]
    evidence = [DocumentSupportInput(evidence_id=one) for one in dict.fromkeys(passages)]
    ids = [one.evidence_id for one in evidence]
    fetched = scope.documents.fetch_evidence(ids, max_chars=WHOLE) if ids else []
    with judging(scope.user, scope.project_id, item.decision_id) as judgement:
        result = scope.traces.reaffirm_decision(
            str(item.decision_id),
            evidence,
            fetched_evidence=fetched,
            explanation=why,
            request_id=request_id,
            seen=item.seen,
            exhibit=_exhibit(bulk, desk),
        )
        judgement.settle(result)
    if not result.recorded:
        release(scope.user, scope.project_id, item.decision_id)
    return result


def _exhibit(bulk: Bulk, desk: Desk) -> Exhibit:
    """What was known of the decision when the button was pressed. Its page was not opened."""
    impact = impact_of(desk)
    return Exhibit(
        causes=desk.decision.causes,
        supports=[support_of(shown, "", opened=False) for shown in desk.supports],
        algorithm=COMPARISON_VERSION,
        dependents=impact.direct,
        transitive=impact.through_others,
        tasks=impact.tasks,
        in_bulk=bulk.size,
        in_bulk_opened=bulk.sample_size,
        decided_at=from_us(bulk.confirmed_us),
    )


def _refused(result: ReaffirmDecisionResult) -> WhyNot:
    match result.error:
        case WriteErrorCode.MOVED:
            return WhyNot.MOVED
        case WriteErrorCode.DECISION_NOT_ACTIVE | WriteErrorCode.DECISION_NOT_FOUND:
            return WhyNot.JUDGED
        case _:
            return WhyNot.REFUSED


def _reaffirmed(scope: Scope, item: BulkItem, verdict_id: str, version: int) -> bool:
    _done(item, ItemState.REAFFIRMED, verdict_id=verdict_id)
    note_judged(scope.project_id, item.decision_id, version)
    drop_draft(scope.user, scope.project_id, item.decision_id)
    return True


def _leave_out(item: BulkItem, why: WhyNot) -> bool:
    _done(item, ItemState.LEFT_OUT, why_not=why)
    return True


def _done(item: BulkItem, state: ItemState, **more: str) -> None:
    waiting = BulkItem.objects.filter(pk=item.pk, state=ItemState.WAITING)
    waiting.update(state=state, done_us=now_us(), **more)
