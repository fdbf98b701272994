"""Retention: what admins take out of recorded history."""

from uuid import UUID

from django.http import HttpRequest
from ninja import Router

from graphstore.results import RetentionResult
from reviewconsole.access import Role, enter_as
from reviewconsole.api.answers import recorded
from reviewconsole.api.callers import caller_of
from reviewconsole.api.schemas import Name, RequestId
from reviewconsole.api.tasks import router as tasks

router = Router(tags=["retention"])


@router.post(
    "/events/{uuid:event_id}/redact", operation_id="redact_event", response=RetentionResult
)
def redact_event(
    request: HttpRequest, project: Name, event_id: UUID, request_id: RequestId = None
) -> RetentionResult:
    """Replace an event's body by a marker, everywhere. For admins."""
    scope = enter_as(caller_of(request), project, Role.ADMIN)
    result = scope.retention.redact_event(event_id, request_id=request_id)
    return recorded(scope, result, judged=True)


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
    request_id: RequestId = None,
) -> RetentionResult:
    """Remove a task with its events and steps, and its decisions unless told otherwise."""
    scope = enter_as(caller_of(request), project, Role.ADMIN)
    result = scope.retention.delete_task(task_name, include_decisions, request_id=request_id)
    return recorded(scope, result, judged=True)
