"""Review: what waits, and the verdicts that answer it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from graphstore.evidence import Comparison
from graphstore.records import Decision, DocumentSupportInput, Record, VerdictKind, VerdictRecord
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import (
    AskForReviewResult,
    DecisionReviewList,
    ReaffirmDecisionResult,
    RecordDecisionResult,
    RejectDecisionResult,
    VerdictPage,
    WithdrawVerdictResult,
)
from reviewconsole.access import Role, Scope, enter_as
from reviewconsole.api.answers import missing, recorded
from reviewconsole.api.callers import caller_of
from reviewconsole.api.evidence import fetched, inputs
from reviewconsole.api.schemas import (
    AskForReviewBody,
    ContinueReviewBody,
    Key,
    Limit50,
    Limit100,
    Limit200,
    Moment,
    Name,
    NumberCursor,
    QueueCursor,
    ReaffirmDecisionBody,
    RejectDecisionBody,
    RequestId,
    SupersedeDecisionBody,
    TimeCursor,
    WithdrawVerdictBody,
    Word,
)
from reviewconsole.claims import judging_as
from reviewconsole.filters import Age, Order
from reviewconsole.jobs import catch_up_later
from reviewconsole.review_index import catch_up
from reviewconsole.verdict_words import may_withdraw
from reviewconsole.waiting import Filters, Place, confirmed_page, from_us

router = Router(tags=["review"])


class Waiting(Record):
    """One decision that waits. `dependents` is at most 1,000."""

    decision: Decision
    reason: str
    flagged_at: datetime | None
    dependents: int
    documents: Sequence[str]
    comparison: Comparison = Comparison.NOT_COMPARED
    """What became of the worst of its supports."""
    dangers: Sequence[str] = ()
    """What may have changed the sense: number, unit, date, negation and so on."""


class QueuePage(Record):
    """`level` is False while the queue is still being brought up to date."""

    waiting: list[Waiting]
    level: bool
    next_cursor: str | None = None


@router.get("/queue", operation_id="list_queue", response=QueuePage)
def list_queue(
    request: HttpRequest,
    project: Name,
    order: Order = "oldest",
    reason: Annotated[Word, Field(max_length=64)] = "",
    task: UUID | None = None,
    document: Key = "",
    comparison: Comparison | None = None,
    agent: Annotated[Word, Field(max_length=200)] = "",
    age: Age | None = None,
    cursor: QueueCursor | None = None,
    limit: Limit50 = 50,
) -> QueuePage:
    """What waits for a verdict, in an order of the console's queue page and with its filters.

    `stake` is the page's own order: what most rests on comes first. `comparison` is what became
    of the worst support, `age` how long it waits at least.
    """
    scope = enter_as(caller_of(request), project)
    level = catch_up(scope.store, project, seal_later=catch_up_later)
    filters = Filters(
        order, reason, task, document, comparison or "", agent, age=age or "", viewer=None
    )
    page, *_ = confirmed_page(scope.store, project, filters, Place.read(cursor or ""))
    shown, more = page.rows[:limit], page.rows[limit:]
    after = Place.of(shown[-1][0]) if more else page.after
    rows = [
        Waiting(
            decision=found.decision,
            reason=row.reason,
            flagged_at=from_us(row.flagged_us),
            dependents=found.dependents,
            documents=found.documents,
            comparison=Comparison(row.comparison),
            dangers=[one for one in row.dangers.split(",") if one],
        )
        for row, found in shown
    ]
    return QueuePage(waiting=rows, level=level, next_cursor=str(after) if after else None)


@router.get("/review", operation_id="list_decisions_for_review", response=DecisionReviewList)
def list_decisions_for_review(
    request: HttpRequest,
    project: Name,
    task_name: Word | None = None,
    limit: Limit100 = 20,
    cursor: TimeCursor | None = None,
) -> DecisionReviewList:
    """Active decisions that need review, newest first, from the graph alone."""
    scope = enter_as(caller_of(request), project)
    return scope.traces.list_decisions_for_review(task_name, limit=limit, cursor=cursor)


class Expanded(Record):
    expanded: int


@router.post("/review/continue", operation_id="continue_decision_review", response=Expanded)
def continue_decision_review(
    request: HttpRequest, project: Name, body: ContinueReviewBody
) -> Expanded:
    """Expand at most `limit` queued decisions by one hop each."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    return Expanded(expanded=scope.traces.continue_decision_review(limit=body.limit))


@router.post(
    "/decisions/{uuid:decision_id}/reaffirm",
    operation_id="reaffirm_decision",
    response=ReaffirmDecisionResult,
)
def reaffirm_decision(
    request: HttpRequest,
    project: Name,
    decision_id: UUID,
    body: ReaffirmDecisionBody,
    request_id: RequestId = None,
) -> ReaffirmDecisionResult:
    """Confirm a decision on current passages of exactly the documents it cites."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    evidence = [DocumentSupportInput(evidence_id=one.evidence_id) for one in body.evidence]
    with judging_as(scope, decision_id) as judgement:
        result = scope.traces.reaffirm_decision(
            decision_id,
            evidence,
            fetched_evidence=fetched(scope, evidence),
            explanation=body.explanation,
            request_id=request_id,
            seen=body.seen,
            ground=body.ground,
        )
        judgement.settle(result)
    return recorded(scope, result, judged=True)


@router.post(
    "/decisions/{uuid:decision_id}/supersede",
    operation_id="supersede_decision",
    response=RecordDecisionResult,
)
def supersede_decision(
    request: HttpRequest,
    project: Name,
    decision_id: UUID,
    body: SupersedeDecisionBody,
    request_id: RequestId = None,
) -> RecordDecisionResult:
    """Record the next revision of a choice and retire this one."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    supports = inputs(body.supports)
    with judging_as(scope, decision_id) as judgement:
        result = scope.traces.supersede_decision(
            decision_id,
            body.conclusion,
            body.rationale,
            explanation=body.explanation,
            supports=supports,
            fetched_evidence=fetched(scope, supports),
            assumptions=body.assumptions,
            open_questions=body.open_questions,
            request_id=request_id,
            seen=body.seen,
            ground=body.ground,
        )
        judgement.settle(result)
    return recorded(scope, result, judged=True)


@router.post(
    "/decisions/{uuid:decision_id}/reject",
    operation_id="reject_decision",
    response=RejectDecisionResult,
)
def reject_decision(
    request: HttpRequest,
    project: Name,
    decision_id: UUID,
    body: RejectDecisionBody,
    request_id: RequestId = None,
) -> RejectDecisionResult:
    """Retire a decision without a replacement."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    with judging_as(scope, decision_id) as judgement:
        result = scope.traces.reject_decision(
            decision_id, body.reason, request_id=request_id, seen=body.seen, ground=body.ground
        )
        judgement.settle(result)
    return recorded(scope, result, judged=True)


@router.post(
    "/decisions/{uuid:decision_id}/ask",
    operation_id="ask_for_review",
    response=AskForReviewResult,
)
def ask_for_review(
    request: HttpRequest,
    project: Name,
    decision_id: UUID,
    body: AskForReviewBody,
    request_id: RequestId = None,
) -> AskForReviewResult:
    """Flag an active decision because somebody should look again."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    result = scope.traces.ask_for_review(
        decision_id, body.reason, request_id=request_id, seen=body.seen
    )
    return recorded(scope, result, judged=True)


@router.get("/verdicts", operation_id="list_verdicts", response=VerdictPage)
def list_verdicts(
    request: HttpRequest,
    project: Name,
    agent_id: Word | None = None,
    since: Moment | None = None,
    decision_id: UUID | None = None,
    task_id: UUID | None = None,
    by: Word | None = None,
    kind: VerdictKind | None = None,
    cursor: NumberCursor | None = None,
    limit: Limit200 = 50,
) -> VerdictPage:
    """What became of decisions, newest first: those of `agent_id`, or of everybody."""
    return enter_as(caller_of(request), project).traces.list_verdicts(
        agent_id,
        since,
        decision_id=decision_id,
        task_id=task_id,
        by=by,
        kind=kind,
        cursor=cursor,
        limit=limit,
    )


@router.get("/verdicts/{uuid:verdict_id}", operation_id="get_verdict", response=VerdictRecord)
def get_verdict(request: HttpRequest, project: Name, verdict_id: UUID) -> VerdictRecord:
    """One verdict."""
    return _verdict(enter_as(caller_of(request), project), verdict_id)


def _verdict(scope: Scope, verdict_id: UUID) -> VerdictRecord:
    found = scope.traces.get_verdict(str(verdict_id))
    return found if found is not None else missing(Code.VERDICT_NOT_FOUND)


@router.get(
    "/verdicts/{uuid:verdict_id}/withdrawal-plan",
    operation_id="plan_withdrawal",
    response=WithdrawVerdictResult,
)
def plan_withdrawal(request: HttpRequest, project: Name, verdict_id: UUID) -> WithdrawVerdictResult:
    """What withdraw_verdict would do, or in `error` why it would not. Nothing is written."""
    scope = enter_as(caller_of(request), project)
    return scope.traces.plan_withdrawal(_verdict(scope, verdict_id).id)


@router.post(
    "/verdicts/{uuid:verdict_id}/withdraw",
    operation_id="withdraw_verdict",
    response=WithdrawVerdictResult,
)
def withdraw_verdict(
    request: HttpRequest,
    project: Name,
    verdict_id: UUID,
    body: WithdrawVerdictBody,
    request_id: RequestId = None,
) -> WithdrawVerdictResult:
    """Take a verdict back. Reviewers take back their own, managers anybody's."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    verdict = _verdict(scope, verdict_id)
    if not may_withdraw(scope, verdict):
        raise PermissionDenied
    result = scope.traces.withdraw_verdict(verdict.id, body.explanation, request_id=request_id)
    return recorded(scope, result, judged=True)
