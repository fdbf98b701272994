"""Tasks, events and steps."""

from uuid import UUID

from django.http import HttpRequest
from ninja import Router
from ninja.params.functions import Query

from graphstore.records import StepState
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import (
    CreateTaskResult,
    EventLookup,
    EventPage,
    Moments,
    RecordEventResult,
    RecordEventsResult,
    ResumeTaskResult,
    SetStepResult,
    StepPage,
    TaskLookup,
    TaskPage,
)
from reviewconsole.access import Role, enter_as
from reviewconsole.api.answers import missing, recorded
from reviewconsole.api.callers import caller_of
from reviewconsole.api.evidence import fetched, inputs
from reviewconsole.api.schemas import (
    After,
    CreateTaskBody,
    Limit200,
    Moment,
    Name,
    RecordEventBody,
    RecordEventsBody,
    RequestId,
    Seq,
    SetStepBody,
    TimeCursor,
    Word,
)

router = Router(tags=["tasks"])


@router.post("/tasks", operation_id="create_task", response=CreateTaskResult)
def create_task(
    request: HttpRequest, project: Name, body: CreateTaskBody, request_id: RequestId = None
) -> CreateTaskResult:
    """Create a task, or return the one of that name when its goal is the same."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    result = scope.history.create_task(body.task_name, body.goal, request_id=request_id)
    return recorded(scope, result)


@router.get("/tasks", operation_id="list_tasks", response=TaskPage)
def list_tasks(
    request: HttpRequest, project: Name, cursor: TimeCursor | None = None, limit: Limit200 = 50
) -> TaskPage:
    """The project's tasks, newest first."""
    scope = enter_as(caller_of(request), project)
    return scope.history.list_tasks(cursor=cursor, limit=limit)


@router.get("/tasks/{segment:task_name}", operation_id="get_task", response=TaskLookup)
def get_task(request: HttpRequest, project: Name, task_name: Name) -> TaskLookup:
    """A bounded view of one task, without event bodies."""
    found = enter_as(caller_of(request), project).history.get_task(task_name)
    return found if found.found else missing(Code.TASK_NOT_FOUND)


@router.get("/tasks-by-id/{uuid:task_id}", operation_id="find_task", response=TaskLookup)
def find_task(request: HttpRequest, project: Name, task_id: UUID) -> TaskLookup:
    """As get_task, by the task's id."""
    found = enter_as(caller_of(request), project).history.find_task(task_id)
    return found if found.found else missing(Code.TASK_NOT_FOUND)


@router.get("/tasks-by-id/{uuid:task_id}/moments", operation_id="list_moments", response=Moments)
def list_moments(
    request: HttpRequest,
    project: Name,
    task_id: UUID,
    after: Moment | None = None,
    until: Moment | None = None,
    also: list[UUID] = Query([], max_length=200),  # noqa: B008 - how the framework reads a list
    limit: Limit200 = 200,
) -> Moments:
    """A task's decisions and verdicts after `after` up to `until`, oldest first."""
    scope = enter_as(caller_of(request), project)
    return scope.traces.list_moments(task_id, after, until, also=also, limit=limit)


@router.post(
    "/tasks/{segment:task_name}/resume", operation_id="resume_task", response=ResumeTaskResult
)
def resume_task(
    request: HttpRequest, project: Name, task_name: Name, request_id: RequestId = None
) -> ResumeTaskResult:
    """Mark steps in progress as unknown and say what a new run has to do."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    return recorded(scope, scope.history.resume_task(task_name, request_id=request_id))


@router.post(
    "/tasks/{segment:task_name}/events", operation_id="record_event", response=RecordEventResult
)
def record_event(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    body: RecordEventBody,
    request_id: RequestId = None,
) -> RecordEventResult:
    """Append one event; the stored payload is cut to 32,000 characters."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    result = scope.history.record_event(task_name, **body.event()._asdict(), request_id=request_id)
    return recorded(scope, result)


@router.post(
    "/tasks/{segment:task_name}/event-batches",
    operation_id="record_events",
    response=RecordEventsResult,
)
def record_events(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    body: RecordEventsBody,
    request_id: RequestId = None,
) -> RecordEventsResult:
    """Append up to 100 events in one commit, with neighbouring numbers."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    events = [one.event() for one in body.events]
    return recorded(scope, scope.history.record_events(task_name, events, request_id=request_id))


class EventPageAnswer(EventPage):
    next_cursor: str | None = None


@router.get(
    "/tasks/{segment:task_name}/events", operation_id="list_events", response=EventPageAnswer
)
def list_events(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    after_seq: After = 0,
    cursor: After | None = None,
    limit: Limit200 = 50,
) -> EventPageAnswer:
    """The task's events after number `after_seq`; `cursor` is another name for it."""
    scope = enter_as(caller_of(request), project)
    start = after_seq if cursor is None else cursor
    page = scope.history.list_events(task_name, after_seq=start, limit=limit)
    return _cursor(page) if page.found else missing(Code.TASK_NOT_FOUND)


def _cursor(page: EventPage) -> EventPageAnswer:
    after = page.next_after_seq
    return EventPageAnswer(**dict(page), next_cursor=None if after is None else str(after))


@router.get(
    "/tasks/{segment:task_name}/events/{int:seq}", operation_id="fetch_event", response=EventLookup
)
def fetch_event(request: HttpRequest, project: Name, task_name: Name, seq: Seq) -> EventLookup:
    """One event of a task by its number, with its body and whether it was redacted."""
    found = enter_as(caller_of(request), project).history.fetch_event(task_name, seq)
    return found if found.found else missing(Code.EVENT_NOT_FOUND)


@router.put(
    "/tasks/{segment:task_name}/steps/{segment:name}",
    operation_id="set_step",
    response=SetStepResult,
)
def set_step(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    name: Name,
    body: SetStepBody,
    request_id: RequestId = None,
) -> SetStepResult:
    """Create a step of a task or set it anew; `result_event_seq` is the event with its result."""
    scope = enter_as(caller_of(request), project, Role.REVIEWER)
    supports = inputs(body.supports)
    result = scope.history.set_step(
        task_name,
        name,
        body.state,
        kind=body.kind,
        result_event_seq=body.result_event_seq,
        result_basis=body.result_basis,
        supports=supports,
        fetched_evidence=fetched(scope, supports),
        request_id=request_id,
    )
    return recorded(scope, result)


class StepPageAnswer(StepPage):
    next_cursor: str | None = None


@router.get("/tasks/{segment:task_name}/steps", operation_id="list_steps", response=StepPageAnswer)
def list_steps(
    request: HttpRequest,
    project: Name,
    task_name: Name,
    state: StepState | None = None,
    after_name: Word | None = None,
    cursor: Word | None = None,
    limit: Limit200 = 50,
) -> StepPageAnswer:
    """A task's steps by name after `after_name`; `cursor` is another name for it."""
    scope = enter_as(caller_of(request), project)
    start = after_name if cursor is None else cursor
    page = scope.history.list_steps(task_name, state, after_name=start, limit=limit)
    answer = StepPageAnswer(**dict(page), next_cursor=page.next_after_name)
    return answer if page.found else missing(Code.TASK_NOT_FOUND)
