"""What operations and reads return: outcomes of writes, pages and lookups.

A refusal is a value of these, never an exception. Names and fields are those of
the reference library wherever it has the result.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal
from uuid import UUID

from graphstore.records import (
    Decision,
    Document,
    DocumentVersion,
    Event,
    Record,
    StepState,
    StepSummary,
    Task,
    TaskStatus,
)
from graphstore.refusals import WriteErrorCode


class BlockedBy(StrEnum):
    """Why one support stops a reaffirmation."""

    DOCUMENT_REMOVED = "document_removed"
    DOCUMENT_NOT_REAFFIRMED = "document_not_reaffirmed"
    EVIDENCE_OUTDATED = "evidence_outdated"
    EVIDENCE_UNREADABLE = "evidence_unreadable"
    DOCUMENT_NOT_CITED = "document_not_cited"
    EVENT_REDACTED = "event_redacted"
    EVENT_GONE = "event_gone"
    PARENT_NEEDS_REVIEW = "parent_needs_review"
    PARENT_REJECTED = "parent_rejected"
    PARENT_SUPERSEDED = "parent_superseded"
    PARENT_GONE = "parent_gone"

    @property
    def possible_later(self) -> bool:
        """Whether something can still be done so that a reaffirmation goes through."""
        return self in {
            BlockedBy.DOCUMENT_NOT_REAFFIRMED,
            BlockedBy.EVIDENCE_OUTDATED,
            BlockedBy.EVIDENCE_UNREADABLE,
            BlockedBy.DOCUMENT_NOT_CITED,
            BlockedBy.PARENT_NEEDS_REVIEW,
        }


class Blocker(Record):
    """One support that stops a reaffirmation, and why.

    `ref` is the document's, event's or decision's id, for a link to what would
    make it possible.
    """

    support_kind: Literal["document", "event", "decision"]
    ref: str
    label: str
    cause: BlockedBy


class WriteResult(Record):
    """Whether a write is in effect; a refusal is a value, never an exception.

    `blockers` comes with `cannot_revalidate`; `moved` with the code `moved` and
    names what differs from what was shown: `decision`, `documents`, `parents`,
    `dependents`. `arrived` holds ids of decisions that were flagged by this write
    although nobody had seen them when it was planned.
    """

    recorded: bool
    error: WriteErrorCode | None = None
    blockers: list[Blocker] = []
    moved: list[str] = []
    arrived: list[UUID] = []


class CreateTaskResult(WriteResult):
    task: Task | None = None


class RecordEventResult(WriteResult):
    event: Event | None = None


class RecordEventsResult(WriteResult):
    events: list[Event] = []


class RecordDecisionResult(WriteResult):
    decision: Decision | None = None
    warnings: list[str] = []
    flagged: list[UUID] = []


class RejectDecisionResult(WriteResult):
    decision: Decision | None = None
    flagged: list[UUID] = []


class ReaffirmDecisionResult(WriteResult):
    decision: Decision | None = None


class PutDocumentResult(WriteResult):
    """`flagged` counts decisions of the caller's project; `unchanged`: there was nothing to change.

    `left_to_job`: more decisions cite it than one commit flags, and a job goes on.
    """

    document: Document | None = None
    flagged: int = 0
    unchanged: bool = False
    left_to_job: bool = False


class RetentionResult(WriteResult):
    affected_decision_ids: list[str] = []
    left_to_job: bool = False


class TaskView(Record):
    """A task without any event body: read those with `list_events`."""

    task_name: str
    goal: str
    status: TaskStatus
    last_event_seq: int
    steps: Mapping[StepState, list[StepSummary]] = {}
    step_counts: Mapping[StepState, int] = {}
    steps_truncated: bool = False
    decisions: list[Decision] = []
    decision_count: int = 0
    decisions_truncated: bool = False
    review_decisions: list[Decision] = []
    task: Task


class TaskLookup(Record):
    found: bool
    view: TaskView | None = None


class TaskPage(Record):
    tasks: list[Task] = []
    next_cursor: str | None = None


class EventPage(Record):
    found: bool
    events: list[Event] = []
    truncated: bool = False
    next_after_seq: int | None = None


class DecisionLookup(Record):
    found: bool
    decision: Decision | None = None


class DecisionReviewList(Record):
    """`truncated` says that `next_cursor` gives more; `count` is capped at 1,000."""

    decisions: list[Decision] = []
    count: int = 0
    truncated: bool = False
    next_cursor: str | None = None


class DependentPage(Record):
    """Decisions that cite one, directly or through others. `depth` counts hops."""

    decisions: list[Decision] = []
    depths: Mapping[str, int] = {}
    truncated: bool = False


class DocumentPage(Record):
    documents: list[Document] = []
    next_cursor: str | None = None


class DocumentLookup(Record):
    """`text` is the current version's, None once removed."""

    found: bool
    document: Document | None = None
    text: str | None = None


class VersionPage(Record):
    found: bool
    versions: list[DocumentVersion] = []
    next_before_seq: int | None = None
