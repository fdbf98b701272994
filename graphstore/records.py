"""What the record holds and what operations return, as frozen values.

Names and fields are those of the reference library wherever it has the record;
`docs/differences.md` lists what we added. Times are aware `datetime`s in UTC.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field


class TaskStatus(StrEnum):
    OPEN = "open"
    DONE = "done"


class EventKind(StrEnum):
    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    NOTE = "note"


class StepState(StrEnum):
    NOT_STARTED = "not_started"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class StepKind(StrEnum):
    READ = "read"
    ANALYSIS = "analysis"
    OTHER = "other"


class StepResultBasis(StrEnum):
    INDEPENDENT = "independent"
    SUPPORTED = "supported"
    UNKNOWN = "unknown"


class StepResultValidity(StrEnum):
    """Whether a completed step's result may be used again, checked on each read."""

    REUSABLE = "reusable"
    NEEDS_REVIEW = "needs_review"
    UNAVAILABLE = "unavailable"
    UNKNOWN = "unknown"


class DecisionStatus(StrEnum):
    ACTIVE = "active"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class ReviewState(StrEnum):
    """`unknown` is never stored: a clear decision reads so while flags still travel."""

    CLEAR = "clear"
    NEEDS_REVIEW = "needs_review"
    UNKNOWN = "unknown"


class ReviewReason(StrEnum):
    SOURCE_CHANGED_DURING_RECORDING = "source_changed_during_recording"
    SOURCE_CHANGED = "source_changed"
    SOURCE_REMOVED = "source_removed"
    DEPENDENCY_REVIEW = "dependency_review"


class FetchStatus(StrEnum):
    OK = "ok"
    TRUNCATED = "truncated"
    PARTIAL = "partial"
    UNAVAILABLE = "unavailable"
    MALFORMED = "malformed"


class VersionStatus(StrEnum):
    CURRENT = "current"
    SUPERSEDED = "superseded"


class Ground(StrEnum):
    """Why a person judged as they did (`RULES.md` 4)."""

    SOURCE_CHANGED = "source_changed"
    WRONG_WHEN_MADE = "wrong_when_made"
    NO_LONGER_NEEDED = "no_longer_needed"
    STILL_HOLDS = "still_holds"


class VerdictKind(StrEnum):
    """What a person (or an agent) said about a decision; `RULES.md` 3 and 4."""

    REAFFIRM = "reaffirm"
    SUPERSEDE = "supersede"
    REJECT = "reject"
    ASK = "ask"
    """Asked for review: the decision was flagged on request."""
    WITHDRAW = "withdraw"
    """Took an earlier verdict back."""


class Record(BaseModel):
    """A frozen value."""

    model_config = ConfigDict(frozen=True)


class Actor(Record):
    """Who writes, for whom, and through which door. Every ledger entry names one.

    `agent_id` is what the record shows as author: an agent's id, or
    `person:<uuid>` for a person. `principal` is the authenticated party; it
    differs from `agent_id` when somebody writes on another's behalf.
    """

    agent_id: str
    principal: str | None = None
    on_behalf_of: str | None = None
    session_id: str | None = None
    parent_trace: str | None = None
    door: Literal["python", "form", "api", "command", "job"] = "python"


class Task(Record):
    id: UUID
    project_id: str
    name: str
    goal: str
    status: TaskStatus
    event_seq: int
    author: str
    created_at: datetime


class Event(Record):
    """One numbered entry of a task's log.

    `payload` is cut to 32,000 characters when `truncated`; `payload_sha256` is of
    the full text. After redaction the payload is a fixed marker and
    `redacted_at` is set.
    """

    id: UUID
    task_id: UUID
    seq: int
    kind: EventKind
    role: str | None = None
    name: str | None = None
    payload: str
    payload_sha256: str
    truncated: bool
    author: str
    at: datetime
    redacted_at: datetime | None = None


class DocumentSupportInput(Record):
    evidence_id: str


class EventSupportInput(Record):
    task_name: str
    seq: int


class DecisionSupportInput(Record):
    decision_id: str


SupportInput = DocumentSupportInput | EventSupportInput | DecisionSupportInput


class _Support(Record):
    id: str = ""
    ordinal: int = 0
    current: bool = True
    reviewed_by: str | None = None
    reviewed_at: datetime | None = None
    review_explanation: str | None = None
    gone_at: datetime | None = None
    """When the event or decision that it points to was deleted; then an event's task has no name."""


class DocumentSupport(_Support):
    kind: Literal["document"] = "document"
    evidence_id: str
    document_key: str
    document_node_id: UUID
    content_hash_prefix: str
    content_hash: str
    reference_kind: Literal["span", "chunk"]
    char_start: int | None = None
    char_end: int | None = None
    chunk_id: UUID | None = None
    recorded_activation_seq: int | None = None


class EventSupport(_Support):
    kind: Literal["event"] = "event"
    event_id: UUID
    task_name: str
    seq: int


class DecisionSupport(_Support):
    kind: Literal["decision"] = "decision"
    decision_id: UUID


Support = Annotated[DocumentSupport | EventSupport | DecisionSupport, Field(discriminator="kind")]


class Step(Record):
    """A named piece of work of a task, as it was last set.

    `updated_seq` is the task's last event number at that time. `result_supports` are
    what the result of a `supported` step rests on.
    """

    id: UUID
    task_id: UUID
    name: str
    kind: StepKind
    state: StepState
    result_event_seq: int | None = None
    updated_seq: int = 0
    result_basis: StepResultBasis = StepResultBasis.UNKNOWN
    result_supports: list[Support] = []


class BlockCause(StrEnum):
    """Why the result of a completed step may not be used again."""

    NO_RESULT = "no_result"
    """It names no event that holds the result."""
    RESULT_GONE = "result_gone"
    RESULT_REDACTED = "result_redacted"
    RESULT_TRUNCATED = "result_truncated"
    BASIS_UNKNOWN = "basis_unknown"
    """Nobody said what the result rests on."""
    NO_SUPPORTS = "no_supports"
    DOCUMENT_REMOVED = "document_removed"
    DOCUMENT_CHANGED = "document_changed"
    EVENT_GONE = "event_gone"
    EVENT_REDACTED = "event_redacted"
    EVENT_TRUNCATED = "event_truncated"
    DECISION_GONE = "decision_gone"
    DECISION_REJECTED = "decision_rejected"
    DECISION_SUPERSEDED = "decision_superseded"
    DECISION_NEEDS_REVIEW = "decision_needs_review"


class ResultBlock(Record):
    """The first thing that keeps a completed step's result from being used again.

    `kind` says what it is: the result itself, or a support. `ref` is the document's or
    decision's id, for an event `<task name>/<number>`; `label` a name to show.
    """

    cause: BlockCause
    kind: Literal["result", "document", "event", "decision"] = "result"
    ref: str = ""
    label: str = ""


class StepSummary(Record):
    """A step as a task view or a step list shows it, its result checked at the read.

    `result_blocked_by` says why a completed step's result is not `reusable`. `set_by` and
    `set_at` are None when the library set it last, which keeps neither.
    """

    name: str
    kind: StepKind
    state: StepState
    result_event_seq: int | None = None
    result_basis: StepResultBasis = StepResultBasis.UNKNOWN
    result_validity: StepResultValidity = StepResultValidity.UNKNOWN
    result_supports: list[Support] = []
    result_blocked_by: ResultBlock | None = None
    updated_seq: int = 0
    set_by: str | None = None
    set_at: datetime | None = None


class Decision(Record):
    """A conclusion for one choice in one task, with the supports that are current."""

    id: UUID
    task_id: UUID
    task_name: str
    choice_key: str
    revision: int
    conclusion: str
    rationale: str
    assumptions: list[str] = []
    open_questions: list[str] = []
    author: str
    status: DecisionStatus
    review_state: ReviewState
    review_reason: ReviewReason | None = None
    rejection_reason: str | None = None
    rejected_by: str | None = None
    rejected_at: datetime | None = None
    """None when the library rejected it, which keeps no time."""
    supersession_explanation: str | None = None
    created_at: datetime
    supports: list[Support] = []
    version: int = 0
    """Rises with each change of status, review state, cause or supports made here."""
    causes: list[str] = []
    """What started its flag: `document:<id>:<activation>`, `event:<id>`, `decision:<id>`."""
    flagged_at: datetime | None = None
    """When its flag was set, or first seen when another writer set it."""
    task_deleted: bool = False
    """Its task was deleted and it was kept; `task_name` is empty then."""


class ExhibitSupport(Record):
    """One support as a verdict's page showed it: ids, hashes and the machine's finding.

    For a document: `cited` and `present` are evidence ids (present: the passage found
    or picked, empty when none), `cited_seq` and `present_seq` the versions compared.
    For an event `ref` is its id; for a decision its id, with `state` as shown.
    """

    support_id: str
    kind: Literal["document", "event", "decision"]
    ref: str
    comparison: str
    cited: str = ""
    present: str = ""
    cited_seq: int | None = None
    present_seq: int | None = None
    present_hash: str | None = None
    state: str = ""
    opened: bool = False


class Exhibit(Record):
    """What stood on the page of a verdict (`RULES.md` 4): ids and hashes, never a text.

    `algorithm` names the version of the comparison; `dependents`, `transitive` and
    `tasks` are the impact figures shown; `in_bulk` how many were judged at once, of which
    `in_bulk_opened` were opened and judged singly first.
    """

    causes: list[str] = []
    supports: list[ExhibitSupport] = []
    algorithm: str = ""
    dependents: int = 0
    transitive: int = 0
    tasks: int = 0
    in_bulk: int = 1
    in_bulk_opened: int = 0
    opened_at: datetime | None = None
    decided_at: datetime | None = None


class VerdictRecord(Record):
    """One verdict as the record keeps it; `id` is that of its ledger entry.

    `decision_id` is the decision judged, `decision_author` who had recorded it, `by`
    who judged. `new_decision_id` is the revision that a supersession recorded.
    `withdrawn_at` is set when it was taken back. `conclusion` and `task_name` are
    those of the decision judged.
    """

    id: str
    kind: VerdictKind
    decision_id: UUID
    task_id: UUID
    choice_key: str
    revision: int
    decision_author: str
    conclusion: str = ""
    task_name: str = ""
    by: str
    at: datetime
    why: str = ""
    ground: Ground | None = None
    new_decision_id: UUID | None = None
    withdraws: str | None = None
    """The verdict that this one, a `withdraw`, took back."""
    withdrawn_by: str | None = None
    withdrawn_at: datetime | None = None
    exhibit: Exhibit | None = None


class FlagState(Record):
    """What a review index keeps of one decision: ids, times and numbers, never a text.

    Times are microseconds since 1970. `version` orders two states of one decision.
    `flagged_us` is None for a flag of another writer that nobody dated yet. `inferred`
    says that another writer set the flag: the causes were found by comparing versions,
    and `flagged_us` is when they were, which is after the flag was set.
    """

    decision_id: UUID
    task_id: UUID
    flagged: bool
    reason: str | None = None
    version: int = 0
    flagged_us: int | None = None
    created_us: int = 0
    causes: list[str] = []
    inferred: bool = False


class Document(Record):
    """A document as it stands. `current_content_hash` is None once removed."""

    id: UUID
    document_key: str
    title: str | None = None
    uri: str | None = None
    current_content_hash: str | None = None
    activation_seq: int
    updated_at: datetime | None = None

    @property
    def removed(self) -> bool:
        return self.current_content_hash is None


class DocumentVersion(Record):
    """One entry of a document's change log (`DocumentActivation`)."""

    activation_seq: int
    verb: Literal["add", "update", "delete", "purge"]
    content_hash: str | None = None
    previous_content_hash: str | None = None
    activated_at: datetime


class FetchedReference(Record):
    """The evidence id taken apart."""

    kind: Literal["span", "chunk"]
    document_node_id: UUID
    content_hash_prefix: str
    char_start: int | None = None
    char_end: int | None = None
    chunk_id: UUID | None = None


class EvidenceLocation(Record):
    char_start: int | None = None
    char_end: int | None = None
    page_numbers: list[int] = []


class FetchOutcome(Record):
    """What one evidence id gave. Only `ok` outcomes can support a decision.

    `covered_range` is the range of the text in the version, end exclusive; None
    for a chunk without offsets.
    """

    evidence_id: str
    status: FetchStatus
    text: str | None = None
    reference: FetchedReference | None = None
    document_key: str | None = None
    title: str | None = None
    uri: str | None = None
    location: EvidenceLocation | None = None
    content_hash: str | None = None
    status_of_version: VersionStatus | None = None
    observed_activation_seq: int | None = None
    covered_range: tuple[int, int] | None = None
    partial: bool = False
    detail: str | None = None
    citation_markdown: str | None = None
