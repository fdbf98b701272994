"""Conversation history: tasks, their events and steps, bound to one project and one author."""

from collections.abc import Sequence
from uuid import UUID

from graphstore.arguments import checked
from graphstore.calls import Call
from graphstore.operations.create_task import create_task
from graphstore.operations.record_events import NewEvent, event_arguments, record_events
from graphstore.operations.resume_task import resume_task
from graphstore.operations.set_step import NewStep, set_step
from graphstore.queries import steps, task_view, tasks
from graphstore.records import (
    Actor,
    EventKind,
    FetchOutcome,
    StepKind,
    StepResultBasis,
    StepState,
    SupportInput,
)
from graphstore.results import (
    CreateTaskResult,
    EventLookup,
    EventPage,
    RecordEventResult,
    RecordEventsResult,
    ResumeTaskResult,
    SetStepResult,
    StepPage,
    TaskLookup,
    TaskPage,
)
from graphstore.store import GraphStore

__all__ = ["ConversationHistory"]


@checked
class ConversationHistory:
    """Tasks, events and steps of one project, written by one author.

    Each write takes an optional `request_id` (1 to 64 characters, else
    `invalid_request_id`): a repeat with the same arguments returns the first result,
    with others `request_id_reused`. Any write is refused `invalid_text` for a text that
    no engine holds (NUL, a lone surrogate), `name_too_long` for a name of a project, task,
    choice, step, document or author over 1,000 bytes, and `invalid_name` for a project
    without a name, or with one that has blanks at its ends. All methods raise `TypeError`
    for an argument of another type than they say, and `ValueError` for a word that its
    enumeration does not have, both before anything is read. A number or limit out of
    range counts as the nearest, or as one that nothing has. Seed: history and decisions.
    """

    def __init__(
        self, store: GraphStore, *, project_id: str, agent_id: str, actor: Actor | None = None
    ) -> None:
        """Bind to a project and an author; `actor` says more about who writes, for the ledger."""
        self._store = store
        self._project_id = project_id
        self._actor = actor or Actor(agent_id=agent_id)
        self._last_seqs: dict[str, tuple[str, int]] = {}

    def create_task(
        self, task_name: str, goal: str, *, request_id: str | None = None
    ) -> CreateTaskResult:
        """Create a task, or return the one of that name when its goal is the same.

        Refusals: `task_exists`, `invalid_name`, and those of every write.
        """
        arguments = {"task_name": task_name, "goal": goal}
        call = Call("create_task", self._project_id, self._actor, arguments, request_id)
        return create_task(self._store, call, task_name, goal)

    def record_event(
        self,
        task_name: str,
        kind: EventKind | str,
        *,
        role: str | None = None,
        name: str | None = None,
        payload: str,
        request_id: str | None = None,
    ) -> RecordEventResult:
        """Append one event; the stored payload is cut to 32,000 characters.

        Refusals: `task_not_found`, `name_too_long` (also of `role` and `name`), and those
        of every write. Raises `ValueError` for an unknown kind.
        """
        new = NewEvent(EventKind(kind), payload, role, name)
        call = Call(
            "record_event",
            self._project_id,
            self._actor,
            {**event_arguments(task_name, new)},
            request_id,
        )
        result = record_events(self._store, call, task_name, [new], self._last_seqs)
        event = result.events[0] if result.events else None
        return RecordEventResult(recorded=result.recorded, error=result.error, event=event)

    def record_events(
        self, task_name: str, events: Sequence[NewEvent], *, request_id: str | None = None
    ) -> RecordEventsResult:
        """Append up to 100 events in one commit, with neighbouring numbers.

        Refusals: as `record_event`, and `too_many_events`. Raises `ValueError` for an
        unknown kind.
        """
        arguments = {
            "task_name": task_name,
            "events": [event_arguments(task_name, event) for event in events],
        }
        call = Call("record_events", self._project_id, self._actor, arguments, request_id)
        return record_events(self._store, call, task_name, events, self._last_seqs)

    def set_step(
        self,
        task_name: str,
        name: str,
        state: StepState | str,
        *,
        kind: StepKind | str = StepKind.OTHER,
        result_event_seq: int | None = None,
        result_basis: StepResultBasis | str = StepResultBasis.UNKNOWN,
        supports: Sequence[SupportInput] = (),
        fetched_evidence: Sequence[FetchOutcome] = (),
        request_id: str | None = None,
    ) -> SetStepResult:
        """Create a step of a task or set it anew; `result_event_seq` is the event with its result.

        What a completed step of basis `supported` rests on is named in `supports`, 1 to 20,
        its documents with an `ok` outcome in `fetched_evidence`. See `operations.set_step`
        for the refusals. Raises `ValueError` for an unknown state, kind or basis.
        """
        new = NewStep(
            name,
            StepState(state),
            StepKind(kind),
            result_event_seq,
            StepResultBasis(result_basis),
            supports,
            fetched_evidence,
        )
        call = Call(
            "set_step",
            self._project_id,
            self._actor,
            new.arguments(task_name),
            request_id,
            new.cited(task_name),
        )
        return set_step(self._store, call, task_name, new)

    def resume_task(self, task_name: str, *, request_id: str | None = None) -> ResumeTaskResult:
        """Mark steps in progress as unknown and say what a new run has to do.

        See `operations.resume_task` for its bounds and refusals.
        """
        arguments = {"task_name": task_name}
        call = Call("resume_task", self._project_id, self._actor, arguments, request_id)
        return resume_task(self._store, call, task_name)

    def get_task(self, task_name: str) -> TaskLookup:
        """A bounded view of one task, without event bodies."""
        return task_view.get_task(self._store, self._project_id, task_name)

    def find_task(self, task_id: UUID | str) -> TaskLookup:
        """As `get_task`, by the task's id."""
        return task_view.get_task(self._store, self._project_id, task_id=task_id)

    def list_tasks(self, *, cursor: str | None = None, limit: int = 50) -> TaskPage:
        """The project's tasks, newest first, `limit` (1 to 200) at a time.

        Raises `ValueError` for a cursor that no page gave.
        """
        return tasks.list_tasks(self._store, self._project_id, cursor=cursor, limit=limit)

    def list_events(self, task_name: str, *, after_seq: int = 0, limit: int = 50) -> EventPage:
        """The task's events after number `after_seq`, `limit` (1 to 200) at a time."""
        return tasks.list_events(
            self._store, self._project_id, task_name, after_seq=after_seq, limit=limit
        )

    def fetch_event(self, task_name: str, seq: int) -> EventLookup:
        """One event of a task by its number, with its body and whether it was redacted."""
        return tasks.fetch_event(self._store, self._project_id, task_name, seq)

    def list_steps(
        self,
        task_name: str,
        state: StepState | str | None = None,
        *,
        after_name: str | None = None,
        limit: int = 50,
    ) -> StepPage:
        """A task's steps of one state, or of all, by name, `limit` (1 to 200) at a time."""
        return steps.list_steps(
            self._store,
            self._project_id,
            task_name,
            StepState(state) if state is not None else None,
            after_name=after_name,
            limit=limit,
        )
