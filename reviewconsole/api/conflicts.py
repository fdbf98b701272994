"""Conflicts: choices that tasks decided differently."""

from django.http import HttpRequest
from ninja import Router

from graphstore.records import Record
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import ConflictGroup, ConflictList
from reviewconsole.access import enter_as
from reviewconsole.api.answers import missing
from reviewconsole.api.callers import caller_of
from reviewconsole.api.schemas import Limit50, Name, Word

router = Router(tags=["conflicts"])


@router.get("/conflicts", operation_id="list_conflicts", response=ConflictList)
def list_conflicts(
    request: HttpRequest, project: Name, cursor: Word | None = None, limit: Limit50 = 50
) -> ConflictList:
    """Choices that active decisions of different tasks decided differently, by key."""
    scope = enter_as(caller_of(request), project)
    return scope.traces.list_conflicts(cursor=cursor, limit=limit)


@router.get("/conflicts/{segment:choice_key}", operation_id="get_conflict", response=ConflictGroup)
def get_conflict(request: HttpRequest, project: Name, choice_key: Name) -> ConflictGroup:
    """The active decisions of a choice, at most 200, in conflict or not."""
    found = enter_as(caller_of(request), project).traces.get_conflict(choice_key)
    return found if found is not None else missing(Code.DECISION_NOT_FOUND)


class ConflictCount(Record):
    """At most 1,000."""

    count: int


@router.get("/conflict-count", operation_id="count_conflicts", response=ConflictCount)
def count_conflicts(request: HttpRequest, project: Name) -> ConflictCount:
    """How many choices are counted as conflicts."""
    scope = enter_as(caller_of(request), project)
    return ConflictCount(count=scope.traces.count_conflicts())
