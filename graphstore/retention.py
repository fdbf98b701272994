"""Retention: what an admin may take out of recorded history; for one project and author."""

from uuid import UUID

from graphstore.calls import Call
from graphstore.operations.delete_task import delete_task
from graphstore.operations.redact_event import redact_event
from graphstore.records import Actor
from graphstore.results import RetentionResult
from graphstore.store import GraphStore

__all__ = ["HistoryRetention"]


class HistoryRetention:
    """Redact events and delete tasks."""

    def __init__(
        self, store: GraphStore, project_id: str, agent_id: str, *, actor: Actor | None = None
    ) -> None:
        """Bind to a project and an author."""
        self._store = store
        self._project_id = project_id
        self._actor = actor or Actor(agent_id=agent_id)

    def redact_event(
        self, event_id: UUID | str, *, request_id: str | None = None
    ) -> RetentionResult:
        """Replace an event's body by a marker; see `operations.redact_event`."""
        arguments = {"event_id": str(event_id)}
        call = Call("redact_event", self._project_id, self._actor, arguments, request_id)
        return redact_event(self._store, call, str(event_id))

    def delete_task(
        self,
        name: str,
        include_decisions: bool = True,  # noqa: FBT001, FBT002 - the library's signature
        *,
        request_id: str | None = None,
    ) -> RetentionResult:
        """Remove a task with its events and steps, and its decisions unless told otherwise.

        See `operations.delete_task`.
        """
        arguments = {"name": name, "include_decisions": include_decisions}
        call = Call("delete_task", self._project_id, self._actor, arguments, request_id)
        return delete_task(self._store, call, name, include_decisions=include_decisions)
