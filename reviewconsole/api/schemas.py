"""What the API takes: bodies and parameters, under the names of the operations' arguments.

Bodies refuse what they do not know, so that a misspelt argument is no silent default.
Nothing here limits a text; the operations do, with their own codes.
"""

from datetime import UTC, datetime
from typing import Annotated, Literal

from ninja.params.functions import Header, Path
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from graphstore import NewEvent
from graphstore.records import (
    DecisionSupportInput,
    DocumentSupportInput,
    EventKind,
    EventSupportInput,
    Ground,
    StepKind,
    StepResultBasis,
    StepState,
    SupportInput,
)
from reviewconsole.waiting import Place

LARGEST = 2**53 - 1
"""The largest whole number that every engine and every JSON reader keeps."""
SHORT = 200
FETCHED = 100
"""Passages that one call fetches."""


def _plain(text: str) -> str:
    if "\0" in text:
        raise ValueError("holds the character NUL, which nothing stored has")
    return text


def _time_cursor(text: str) -> str:
    # Whoever does not encode the plus sign of a time sends a blank.
    text = text.replace(" ", "+")
    at, mark, _ = _plain(text).partition("~")
    try:
        told = mark and datetime.fromisoformat(at).tzinfo
    except ValueError:
        told = None
    if not told:
        raise ValueError("is not a cursor that a page gave")
    return text


def _number_cursor(text: str) -> str:
    if not (text.isascii() and text.isdigit() and int(text[:17]) <= LARGEST and len(text) <= 16):
        raise ValueError("is not a cursor that a page gave")
    return text


def _queue_cursor(text: str) -> str:
    if Place.read(text) is None:
        raise ValueError("is not a cursor that a page gave")
    return text


def _in_range(at: datetime) -> datetime:
    """Times that every engine can count in microseconds."""
    if not 1970 <= at.year <= 9000:
        raise ValueError("is before 1970 or after 9000")
    return at.astimezone(UTC)


Name = Annotated[str, Path(description="A name as one path segment; see the section on names.")]
Word = Annotated[str, AfterValidator(_plain)]
Key = Annotated[str, AfterValidator(_plain), Field(max_length=500)]
TimeCursor = Annotated[str, AfterValidator(_time_cursor)]
NumberCursor = Annotated[str, AfterValidator(_number_cursor), Field(max_length=16)]
QueueCursor = Annotated[str, AfterValidator(_queue_cursor), Field(max_length=60)]
Moment = Annotated[AwareDatetime, AfterValidator(_in_range)]
Seq = Annotated[int, Path(ge=0, le=LARGEST)]
After = Annotated[int, Field(ge=0, le=LARGEST)]
Limit50 = Annotated[int, Field(ge=1, le=50)]
Limit60 = Annotated[int, Field(ge=1, le=60)]
Limit100 = Annotated[int, Field(ge=1, le=100)]
Limit200 = Annotated[int, Field(ge=1, le=200)]
Limit500 = Annotated[int, Field(ge=1, le=500)]
RequestId = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="The request id, 1 to 64 characters. A repeat of the call with it "
        "returns the first result and does nothing twice.",
    ),
]


class Body(BaseModel):
    """One JSON object."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DocumentSupportBody(Body):
    """A passage of a document, by its evidence id. The API fetches it itself."""

    kind: Literal["document"] = "document"
    evidence_id: str

    def support(self) -> SupportInput:
        return DocumentSupportInput(evidence_id=self.evidence_id)


class EventSupportBody(Body):
    """An event, by its task's name and its number there."""

    kind: Literal["event"] = "event"
    task_name: str
    seq: int = Field(ge=-LARGEST, le=LARGEST)

    def support(self) -> SupportInput:
        return EventSupportInput(task_name=self.task_name, seq=self.seq)


class DecisionSupportBody(Body):
    """An active decision of the project."""

    kind: Literal["decision"] = "decision"
    decision_id: str

    def support(self) -> SupportInput:
        return DecisionSupportInput(decision_id=self.decision_id)


SupportBody = DocumentSupportBody | EventSupportBody | DecisionSupportBody


class CreateTaskBody(Body):
    task_name: str
    goal: str


class RecordEventBody(Body):
    kind: EventKind
    payload: str
    role: str | None = None
    name: str | None = None

    def event(self) -> NewEvent:
        return NewEvent(self.kind, self.payload, self.role, self.name)


class RecordEventsBody(Body):
    events: list[RecordEventBody]


class SetStepBody(Body):
    state: StepState
    kind: StepKind = StepKind.OTHER
    result_event_seq: int | None = Field(None, ge=-LARGEST, le=LARGEST)
    result_basis: StepResultBasis = StepResultBasis.UNKNOWN
    supports: list[SupportBody] = []


class NewDecisionBody(Body):
    conclusion: str
    rationale: str
    supports: list[SupportBody]
    assumptions: list[str] = []
    open_questions: list[str] = []


class RecordDecisionBody(NewDecisionBody):
    choice_key: str


class VerdictBody(Body):
    """`seen` is that of open_desk: when things differ by now the verdict is refused as `moved`."""

    seen: str | None = Field(None, max_length=SHORT)
    ground: Ground | None = None


class SupersedeDecisionBody(NewDecisionBody, VerdictBody):
    explanation: str


class RejectDecisionBody(VerdictBody):
    reason: str


class EvidenceBody(Body):
    evidence_id: str


class ReaffirmDecisionBody(VerdictBody):
    """`evidence` are the present passages that it stands on; the API fetches them itself."""

    evidence: list[EvidenceBody] = []
    explanation: str = "Reaffirmed after review."


class AskForReviewBody(Body):
    reason: str
    seen: str | None = Field(None, max_length=SHORT)


class WithdrawVerdictBody(Body):
    explanation: str


class ContinueReviewBody(Body):
    limit: int = Field(100, ge=0, le=100)


class PutDocumentBody(Body):
    text: str
    title: str | None = None
    uri: str | None = None


class PutDocumentSeenBody(PutDocumentBody):
    """`seen` is that of plan_put_document."""

    seen: str | None = Field(None, max_length=SHORT)


class FetchEvidenceBody(Body):
    evidence_ids: list[str] = Field(max_length=FETCHED)
    max_chars: int = Field(4000, ge=1, le=1_000_000)
