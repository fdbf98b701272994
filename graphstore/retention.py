"""Retention: what an admin may take out of recorded history; for one project and author."""

from uuid import UUID

from graphstore import running
from graphstore.arguments import checked
from graphstore.calls import Call
from graphstore.erasures import (
    DeletionPlan,
    JobResult,
    Receipt,
    ReceiptPage,
    RedactionPlan,
    RetentionJob,
)
from graphstore.operations.control_job import Control, control_job
from graphstore.operations.delete_task import Deletion, delete_task
from graphstore.operations.deletion_job import Bounds
from graphstore.operations.redact_event import redact_event
from graphstore.queries import jobs, retention
from graphstore.records import Actor, Decision
from graphstore.results import RetentionResult
from graphstore.store import GraphStore

__all__ = ["Bounds", "HistoryRetention"]


@checked
class HistoryRetention:
    """Redact events and delete tasks; say first what that does, and afterwards what it did.

    What is too much for one commit goes on in a job. A console's worker runs it; a
    program without one calls `finish_jobs`. The engine's own log is rewritten by a job,
    too, after each erasure.

    What every write is refused for, and what every method raises, is as in
    `ConversationHistory`: `invalid_request_id`, `request_id_reused`, `invalid_text`,
    `name_too_long`, `invalid_name`.
    """

    def __init__(
        self,
        store: GraphStore,
        project_id: str,
        agent_id: str,
        *,
        actor: Actor | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        """Bind to a project and an author; `bounds` says how much one commit may take."""
        self._store = store
        self._project_id = project_id
        self._actor = actor or Actor(agent_id=agent_id)
        self._bounds = bounds or Bounds()

    def plan_redaction(self, event_id: UUID | str) -> RedactionPlan:
        """What `redact_event` would do now; nothing is written. See `queries.retention`."""
        return retention.plan_redaction(self._store, self._redaction(event_id), str(event_id))

    def redact_event(
        self, event_id: UUID | str, *, request_id: str | None = None, seen: str | None = None
    ) -> RetentionResult:
        """Replace an event's body by a marker; see `operations.redact_event`."""
        call = self._redaction(event_id, request_id)
        return redact_event(self._store, call, str(event_id), seen=seen)

    def plan_deletion(
        self,
        name: str,
        include_decisions: bool = True,  # noqa: FBT001, FBT002 - as the deletion itself
    ) -> DeletionPlan:
        """What `delete_task` would do now; nothing is written. See `queries.retention`."""
        deletion = Deletion(name, include_decisions, self._bounds)
        return retention.plan_deletion(self._store, self._deletion(deletion), deletion)

    def delete_task(
        self,
        name: str,
        include_decisions: bool = True,  # noqa: FBT001, FBT002 - the library's signature
        *,
        request_id: str | None = None,
        seen: str | None = None,
    ) -> RetentionResult:
        """Remove a task with its events and steps, and its decisions unless told otherwise.

        See `operations.delete_task`. Of a large task it returns at once with a `job_id`,
        the task hidden; asked again with its request id it says how the job ended.
        """
        deletion = Deletion(name, include_decisions, self._bounds)
        call = self._deletion(deletion, request_id)
        result = delete_task(self._store, call, deletion, seen=seen)
        if result.job_id is None:
            return result
        job = self.get_job(result.job_id)
        if job is None or job.state != "done":
            return result
        done = {"left_to_job": False, "affected_decision_ids": job.flagged}
        return result.model_copy(update=done)

    def get_job(self, job_id: UUID | str) -> RetentionJob | None:
        """A job of the project, with how far it is."""
        return jobs.get_job(self._store, self._project_id, str(job_id))

    def list_jobs(self) -> list[RetentionJob]:
        """The project's jobs that are open or paused, oldest first, at most 50."""
        return jobs.list_jobs(self._store, self._project_id)

    def pause_job(self, job_id: UUID | str) -> JobResult:
        """Hold a deletion after the commit that runs now; see `operations.control_job`."""
        return self._control(job_id, Control.PAUSE)

    def resume_job(self, job_id: UUID | str) -> JobResult:
        """Let a deletion that is held go on; see `operations.control_job`."""
        return self._control(job_id, Control.RESUME)

    def cancel_job(self, job_id: UUID | str) -> JobResult:
        """Call a deletion off before anything is gone; see `operations.control_job`."""
        return self._control(job_id, Control.CANCEL)

    def finish_jobs(self) -> None:
        """Run the project's open jobs to their end, in bounded commits.

        For programs without a console, whose worker does it otherwise.
        """
        running.finish_jobs(self._store, self._project_id, self._actor)

    def get_receipt(self, entry_id: UUID | str) -> Receipt | None:
        """What one redaction or deletion did, from its ledger entry."""
        return retention.get_receipt(self._store, self._project_id, str(entry_id))

    def flagged_by(self, receipt: Receipt) -> list[Decision]:
        """The decisions that an erasure flagged, as they stand now, at most 200."""
        flagged = receipt.job.flagged if receipt.job else receipt.flagged
        return retention.decisions_of(self._store, self._project_id, flagged)

    def list_receipts(self, *, cursor: str | None = None, limit: int = 50) -> ReceiptPage:
        """Redactions and deletions, newest first, `limit` (1 to 200) at a time.

        Raises `ValueError` for a cursor that no page gave.
        """
        return retention.list_receipts(
            self._store, self._project_id, cursor=cursor, limit=max(1, min(limit, 200))
        )

    def _redaction(self, event_id: UUID | str, request_id: str | None = None) -> Call:
        arguments = {"event_id": str(event_id)}
        return Call("redact_event", self._project_id, self._actor, arguments, request_id)

    def _deletion(self, deletion: Deletion, request_id: str | None = None) -> Call:
        arguments = {"name": deletion.name, "include_decisions": deletion.whole}
        return Call("delete_task", self._project_id, self._actor, arguments, request_id)

    def _control(self, job_id: UUID | str, control: Control) -> JobResult:
        call = Call(f"{control}_job", self._project_id, self._actor, {"job_id": str(job_id)})
        return control_job(self._store, call, str(job_id), control)
