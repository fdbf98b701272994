"""Retention: what admins take out of recorded history, and the jobs that carry on what is large."""

from typing import Annotated
from uuid import UUID

from django.http import Http404, HttpRequest
from ninja import Router
from pydantic import Field

from graphstore.erasures import (
    DeletionPlan,
    JobResult,
    Receipt,
    ReceiptPage,
    RedactionPlan,
    RetentionJob,
)
from graphstore.records import Decision, Record
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import RetentionResult
from reviewconsole.access import Role, Scope, enter_as
from reviewconsole.api.answers import missing, recorded
from reviewconsole.api.callers import caller_of
from reviewconsole.api.schemas import SHORT, Limit200, Name, NumberCursor, RequestId, Word
from reviewconsole.api.tasks import router as tasks
from reviewconsole.erasing import follow_up
from reviewconsole.jobs import run_jobs

router = Router(tags=["retention"])

Seen = Annotated[Word, Field(max_length=SHORT)]
"""What a plan gave: when things differ by now, the erasure is refused as `moved`."""


def _admin(request: HttpRequest, project: str) -> Scope:
    return enter_as(caller_of(request), project, Role.ADMIN)


@router.get(
    "/events/{uuid:event_id}/redaction-plan",
    operation_id="plan_redaction",
    response=RedactionPlan,
)
def plan_redaction(request: HttpRequest, project: Name, event_id: UUID) -> RedactionPlan:
    """What redact_event would do now, and who repeats the body elsewhere. For admins."""
    plan = _admin(request, project).retention.plan_redaction(event_id)
    return plan if plan.event is not None else missing(Code.EVENT_NOT_FOUND)


@router.post(
    "/events/{uuid:event_id}/redact", operation_id="redact_event", response=RetentionResult
)
def redact_event(
    request: HttpRequest,
    project: Name,
    event_id: UUID,
    seen: Seen | None = None,
    request_id: RequestId = None,
) -> RetentionResult:
    """Replace an event's body by a marker, everywhere. For admins."""
    scope = _admin(request, project)
    event = scope.retention.plan_redaction(event_id).event
    result = scope.retention.redact_event(event_id, request_id=request_id, seen=seen)
    # Drafts that repeat the body go with it, as from the console's own page.
    follow_up(scope, result, event.payload if event and event.redacted_at is None else "")
    return recorded(scope, result)


@tasks.get(
    "/tasks/{segment:task_name}/deletion-plan",
    operation_id="plan_deletion",
    response=DeletionPlan,
    tags=["retention"],
)
def plan_deletion(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    include_decisions: bool = True,  # noqa: FBT001, FBT002 - a parameter of the query
) -> DeletionPlan:
    """What delete_task would do now, and who repeats its texts elsewhere. For admins."""
    plan = _admin(request, project).retention.plan_deletion(task_name, include_decisions)
    return plan if plan.task is not None else missing(Code.TASK_NOT_FOUND)


@tasks.delete(
    "/tasks/{segment:task_name}",
    operation_id="delete_task",
    response=RetentionResult,
    tags=["retention"],
)
def delete_task(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    include_decisions: bool = True,  # noqa: FBT001, FBT002 - a parameter of the query
    seen: Seen | None = None,
    request_id: RequestId = None,
) -> RetentionResult:
    """Remove a task with its events and steps, and its decisions unless told otherwise."""
    scope = _admin(request, project)
    result = scope.retention.delete_task(
        task_name, include_decisions, request_id=request_id, seen=seen
    )
    follow_up(scope, result)
    return recorded(scope, result)


class JobList(Record):
    """Oldest first, at most 50."""

    jobs: list[RetentionJob]


@router.get("/jobs", operation_id="list_jobs", response=JobList)
def list_jobs(request: HttpRequest, project: Name) -> JobList:
    """The project's jobs that are open or paused. For admins."""
    return JobList(jobs=_admin(request, project).retention.list_jobs())


@router.get("/jobs/{uuid:job_id}", operation_id="get_job", response=RetentionJob)
def get_job(request: HttpRequest, project: Name, job_id: UUID) -> RetentionJob:
    """A job, with how far it is. For admins."""
    found = _admin(request, project).retention.get_job(job_id)
    return found if found is not None else missing(Code.JOB_NOT_FOUND)


@router.post("/jobs/{uuid:job_id}/pause", operation_id="pause_job", response=JobResult)
def pause_job(request: HttpRequest, project: Name, job_id: UUID) -> JobResult:
    """Hold a deletion after the commit that runs now. For admins."""
    scope = _admin(request, project)
    return recorded(scope, scope.retention.pause_job(job_id))


@router.post("/jobs/{uuid:job_id}/resume", operation_id="resume_job", response=JobResult)
def resume_job(request: HttpRequest, project: Name, job_id: UUID) -> JobResult:
    """Let a deletion that is held go on. For admins."""
    scope = _admin(request, project)
    result = recorded(scope, scope.retention.resume_job(job_id))
    run_jobs(project)
    return result


@router.post("/jobs/{uuid:job_id}/cancel", operation_id="cancel_job", response=JobResult)
def cancel_job(request: HttpRequest, project: Name, job_id: UUID) -> JobResult:
    """Call a deletion off before anything is gone. For admins."""
    scope = _admin(request, project)
    return recorded(scope, scope.retention.cancel_job(job_id))


@router.get("/receipts", operation_id="list_receipts", response=ReceiptPage)
def list_receipts(
    request: HttpRequest, project: Name, cursor: NumberCursor | None = None, limit: Limit200 = 50
) -> ReceiptPage:
    """Redactions and deletions, newest first. For admins."""
    return _admin(request, project).retention.list_receipts(cursor=cursor, limit=limit)


@router.get("/receipts/{uuid:entry_id}", operation_id="get_receipt", response=Receipt)
def get_receipt(request: HttpRequest, project: Name, entry_id: UUID) -> Receipt:
    """What one redaction or deletion did, from its ledger entry. For admins."""
    return _receipt(_admin(request, project), entry_id)


def _receipt(scope: Scope, entry_id: UUID) -> Receipt:
    found = scope.retention.get_receipt(entry_id)
    if found is None:
        raise Http404
    return found


class FlaggedDecisions(Record):
    """At most 200."""

    decisions: list[Decision]


@router.get(
    "/receipts/{uuid:entry_id}/flagged", operation_id="flagged_by", response=FlaggedDecisions
)
def flagged_by(request: HttpRequest, project: Name, entry_id: UUID) -> FlaggedDecisions:
    """The decisions that an erasure flagged, as they stand now. For admins."""
    scope = _admin(request, project)
    return FlaggedDecisions(decisions=scope.retention.flagged_by(_receipt(scope, entry_id)))
