"""What operations and reads return: outcomes of writes, pages and lookups.

A refusal is a value of these, never an exception. Names and fields are those of
the reference library wherever it has the result.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from graphstore.records import (
    Decision,
    DecisionStatus,
    Document,
    DocumentVersion,
    Event,
    Record,
    Step,
    StepState,
    StepSummary,
    Support,
    Task,
    TaskStatus,
    VerdictRecord,
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


class BuiltUpon(Record):
    """What stands on a verdict and keeps it from being taken back.

    `what`: `judged` (the decision, or one that it had flagged, was judged since),
    `recorded` (a decision was recorded on it since), `flagged` (it was flagged again).
    """

    decision_id: UUID
    label: str
    what: Literal["judged", "recorded", "flagged"]


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
    verdict_id: str | None = None
    """Of a supersession."""


class SetStepResult(WriteResult):
    step: Step | None = None


class ResumeTaskResult(WriteResult):
    """What a new run has to do.

    `to_do` is not completed; `recheck` is completed, but its result may not be used
    again. `marked_unknown` names the steps that were in progress. `truncated` says that
    the task has more than 1,000 steps of a kind, and `list_steps` gives the rest.
    """

    task: Task | None = None
    to_do: list[StepSummary] = []
    recheck: list[StepSummary] = []
    marked_unknown: list[str] = []
    truncated: bool = False


class AskForReviewResult(WriteResult):
    """`flagged` are the dependents flagged with it."""

    decision: Decision | None = None
    verdict_id: str | None = None
    flagged: list[UUID] = []


class WithdrawVerdictResult(WriteResult):
    """`lifted` lost their flags with the verdict, `kept` keep one for another cause.

    `built` comes with `built_upon`.
    """

    decision: Decision | None = None
    verdict_id: str | None = None
    lifted: list[UUID] = []
    kept: list[UUID] = []
    built: list[BuiltUpon] = []


class RejectDecisionResult(WriteResult):
    decision: Decision | None = None
    flagged: list[UUID] = []
    verdict_id: str | None = None


class ReaffirmDecisionResult(WriteResult):
    decision: Decision | None = None
    verdict_id: str | None = None


class PutDocumentResult(WriteResult):
    """`flagged` counts decisions of the caller's project; `unchanged`: there was nothing to change.

    `left_to_job`: more decisions cite it than one commit flags, and a job goes on.
    """

    document: Document | None = None
    flagged: int = 0
    unchanged: bool = False
    left_to_job: bool = False


class RetentionResult(WriteResult):
    """`left_to_job`: what is large goes on in the job `job_id` after the first commit."""

    affected_decision_ids: list[str] = []
    left_to_job: bool = False
    job_id: str | None = None


class ConflictGroup(Record):
    """One choice that active decisions of different tasks decided differently.

    `tasks` and `sides` count the tasks and the different conclusions, among the
    decisions shown; `truncated` says that there are more decisions.
    """

    choice_key: str
    decisions: list[Decision] = []
    truncated: bool = False

    @property
    def tasks(self) -> int:
        return len({d.task_id for d in self.decisions})

    @property
    def sides(self) -> int:
        return len({d.conclusion for d in self.decisions})


class ConflictList(Record):
    groups: list[ConflictGroup] = []
    truncated: bool = False
    next_cursor: str | None = None


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
    decision_counts: Mapping[DecisionStatus, int] = {}
    decisions_truncated: bool = False
    review_decisions: list[Decision] = []
    conflicts: list[ConflictGroup] = []
    conflicts_truncated: bool = False
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


class EventLookup(Record):
    found: bool
    event: Event | None = None


class StepPage(Record):
    """`found` is False when the project has no such task."""

    found: bool = True
    steps: list[StepSummary] = []
    truncated: bool = False
    next_after_name: str | None = None


class DecisionPage(Record):
    """Newest first; `count` is capped at 1,000."""

    decisions: list[Decision] = []
    count: int = 0
    truncated: bool = False
    next_cursor: str | None = None


class DecisionPageLookup(Record):
    found: bool
    page: DecisionPage = DecisionPage()


class DecisionHit(Record):
    """A decision that a search found: a precedent, never a claim that it applies."""

    decision: Decision
    task_goal: str
    marker: Literal["precedent"] = "precedent"


class SupportHistoryPage(Record):
    """Supports of one decision, archived ones included, by ordinal."""

    supports: list[Support] = []
    truncated: bool = False
    next_after_ordinal: int | None = None


class VerdictPage(Record):
    """Newest first."""

    verdicts: list[VerdictRecord] = []
    next_cursor: str | None = None


class Moments(Record):
    """What was decided and judged in a task in a span of time, oldest first.

    `others` are decisions that the verdicts, or the caller, named. When there was more
    than one answer holds, `complete_until` is the time up to which nothing is missing.
    """

    decisions: list[Decision] = []
    verdicts: list[VerdictRecord] = []
    others: Mapping[UUID, Decision] = {}
    complete_until: datetime | None = None


class LineageNode(Record):
    """A decision, document or event around one decision.

    `hops` is negative above (what it rests on), positive below (what rests on it), 0
    for the decision itself and its revisions. `more` counts neighbours further out
    that are not drawn.
    """

    id: str
    kind: Literal["decision", "document", "event"]
    label: str
    hops: int
    decision: Decision | None = None
    document_key: str | None = None
    task_name: str | None = None
    seq: int | None = None
    state: str = ""
    """Of a document: current, changed, removed. Of an event: intact, redacted."""
    more: int = 0


class LineageEdge(Record):
    """`start` cites `end`, or supersedes it."""

    start: str
    end: str
    kind: Literal["cites", "supersedes"] = "cites"


class Lineage(Record):
    """What a decision rests on and what rests on it, at most 60 nodes."""

    nodes: list[LineageNode] = []
    edges: list[LineageEdge] = []
    truncated: bool = False


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
    """`text` is the current version's, None once removed.

    `granted`: an admin gave it to the project, whether or not anything there cites it.
    """

    found: bool
    document: Document | None = None
    text: str | None = None
    granted: bool = False


class VersionText(Record):
    """The text of one version; None when it is no longer held (purged) or a removal."""

    found: bool
    version: DocumentVersion | None = None
    text: str | None = None


class Citer(Record):
    """A decision that cites a document: `passage_ids` are its current evidence ids."""

    decision: Decision
    evidence_ids: list[str] = []
    cited_seq: int | None = None


class CiterPage(Record):
    citers: list[Citer] = []
    next_cursor: str | None = None


class DocumentPlan(Record):
    """What putting or removing a document would do, in one project; nothing is written.

    `error` says why it would be refused. `flagged` are decisions of the project that
    would be flagged, `direct` how many of them cite the document; `again` counts those
    that wait for review already. `left_to_job`: too many of the project for one commit,
    and not all are named. Pass `seen` to the write, which then refuses `moved` when
    things differ.
    """

    error: WriteErrorCode | None = None
    unchanged: bool = False
    flagged: list[Decision] = []
    direct: int = 0
    again: int = 0
    left_to_job: bool = False
    seen: str = ""


class VersionPage(Record):
    found: bool
    versions: list[DocumentVersion] = []
    next_before_seq: int | None = None
