"""Decisions: recording, reading, finding them."""

from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from graphstore.desk import Desk, open_desk
from graphstore.records import DecisionStatus, Record, ReviewState
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import (
    DecisionHit,
    DecisionLookup,
    DecisionPage,
    DependentPage,
    Lineage,
    RecordDecisionResult,
    SupportHistoryPage,
)
from reviewconsole.access import Role, enter_as
from reviewconsole.api.answers import missing, recorded
from reviewconsole.api.callers import caller_of
from reviewconsole.api.evidence import fetched, inputs
from reviewconsole.api.schemas import (
    Limit60,
    Limit100,
    Limit500,
    Name,
    RecordDecisionBody,
    RequestId,
    TimeCursor,
    Word,
)

router = Router(tags=["decisions"])


@router.post(
    "/tasks/{segment:task_name}/decisions",
    operation_id="record_decision",
    response=RecordDecisionResult,
)
def record_decision(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    body: RecordDecisionBody,
    request_id: RequestId = None,
) -> RecordDecisionResult:
    """Record the first decision of a choice, citing 1 to 20 supports."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    supports = inputs(body.supports)
    result = scope.traces.record_decision(
        task_name,
        body.choice_key,
        body.conclusion,
        body.rationale,
        supports=supports,
        fetched_evidence=fetched(scope, supports),
        assumptions=body.assumptions,
        open_questions=body.open_questions,
        request_id=request_id,
    )
    return recorded(scope, result, judged=bool(result.warnings))


@router.get(
    "/tasks/{segment:task_name}/decisions", operation_id="list_decisions", response=DecisionPage
)
def list_decisions(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    include_history: bool = True,  # noqa: FBT001, FBT002 - a parameter of the query
    limit: Limit100 = 20,
    cursor: TimeCursor | None = None,
) -> DecisionPage:
    """A task's decisions, newest first."""
    scope = enter_as(caller_of(request), project)
    found = scope.traces.list_decisions(task_name, include_history, limit, cursor=cursor)
    return found.page if found.found else missing(Code.TASK_NOT_FOUND)


@router.get("/decisions", operation_id="browse_decisions", response=DecisionPage)
def browse_decisions(
    request: HttpRequest,
    project: Name,
    words: Word = "",
    choice_key: Word = "",
    author: Word = "",
    status: DecisionStatus | Literal[""] = "",
    review_state: ReviewState | Literal[""] = "",
    task_name: Word = "",
    cursor: TimeCursor | None = None,
    limit: Limit100 = 50,
) -> DecisionPage:
    """The project's decisions that are all that is asked, newest first."""
    return enter_as(caller_of(request), project).traces.browse_decisions(
        words=words,
        choice_key=choice_key,
        author=author,
        status=status,
        review_state=review_state,
        task_name=task_name,
        cursor=cursor,
        limit=limit,
    )


class DecisionHits(Record):
    """Best first."""

    hits: list[DecisionHit]


@router.get("/decision-search", operation_id="search_decisions", response=DecisionHits)
def search_decisions(
    request: HttpRequest,
    project: Name,
    query: Word,
    task_name: Word | None = None,
    limit: Limit100 = 20,
) -> DecisionHits:
    """Active decisions that have the words, best first."""
    scope = enter_as(caller_of(request), project)
    hits = scope.traces.search_decisions(query, task_name=task_name, limit=limit)
    return DecisionHits(hits=hits)


@router.get("/decisions/{uuid:decision_id}", operation_id="get_decision", response=DecisionLookup)
def get_decision(request: HttpRequest, project: Name, decision_id: UUID) -> DecisionLookup:
    """A decision with its current supports."""
    found = enter_as(caller_of(request), project).traces.get_decision(decision_id)
    return found if found.found else missing(Code.DECISION_NOT_FOUND)


@router.get("/decisions/{uuid:decision_id}/desk", operation_id="open_desk", response=Desk)
def open_decision(request: HttpRequest, project: Name, decision_id: UUID) -> Desk:
    """All that a verdict on the decision needs to see, and `seen` to send with the verdict."""
    scope = enter_as(caller_of(request), project)
    desk = open_desk(scope.store, project, decision_id)
    return desk if desk is not None else missing(Code.DECISION_NOT_FOUND)


@router.get(
    "/decisions/{uuid:decision_id}/dependents",
    operation_id="list_dependents",
    response=DependentPage,
)
def list_dependents(
    request: HttpRequest, project: Name, decision_id: UUID, limit: Limit500 = 100
) -> DependentPage:
    """Active decisions that cite this one, directly or through others, nearest first."""
    scope = enter_as(caller_of(request), project)
    return scope.traces.list_dependents(decision_id, limit=limit)


class SupportHistoryAnswer(SupportHistoryPage):
    next_cursor: str | None = None


@router.get(
    "/decisions/{uuid:decision_id}/supports",
    operation_id="list_support_history",
    response=SupportHistoryAnswer,
)
def list_support_history(
    request: HttpRequest,
    project: Name,
    decision_id: UUID,
    after_ordinal: Annotated[int, Field(ge=-1, le=2**31)] = -1,
    cursor: Annotated[int | None, Field(ge=-1, le=2**31)] = None,
    limit: Limit100 = 20,
) -> SupportHistoryAnswer:
    """Its supports by ordinal, archived ones included; `cursor` is `after_ordinal`."""
    scope = enter_as(caller_of(request), project)
    start = after_ordinal if cursor is None else cursor
    page = scope.traces.list_support_history(decision_id, after_ordinal=start, limit=limit)
    after = page.next_after_ordinal
    return SupportHistoryAnswer(**dict(page), next_cursor=None if after is None else str(after))


@router.get("/decisions/{uuid:decision_id}/lineage", operation_id="get_lineage", response=Lineage)
def get_lineage(
    request: HttpRequest, project: Name, decision_id: UUID, limit: Limit60 = 60
) -> Lineage:
    """What the decision rests on and what rests on it."""
    found = enter_as(caller_of(request), project).traces.get_lineage(decision_id, limit=limit)
    return found if found is not None else missing(Code.DECISION_NOT_FOUND)
