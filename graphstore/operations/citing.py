"""What a decision may cite: the caller's supports against what was read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphstore import rows
from graphstore.changeset import Guard, Props
from graphstore.ids import EvidenceReference, MalformedEvidenceId, parse_evidence_id
from graphstore.passages import passage
from graphstore.records import (
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    FetchOutcome,
    FetchStatus,
    SupportInput,
)
from graphstore.refusals import WriteErrorCode
from graphstore.rows import Row

MAX_SUPPORTS = 20


def keys(supports: Sequence[SupportInput]) -> dict[str, Any]:
    """The parameters of the `cited` clause."""
    references = [r for s in supports if (r := _reference(s)) is not None]
    return {
        "documents": sorted({r.document_id for r in references}),
        "ranges": [
            {
                "document": r.document_id,
                "prefix": r.hash_prefix,
                "start": r.start,
                "end": r.end,
                "chunk": r.chunk_id,
            }
            for r in references
        ],
        "events": [
            {"task": s.task_name, "seq": s.seq}
            for s in supports
            if isinstance(s, EventSupportInput)
        ],
        "decisions": sorted(
            {s.decision_id for s in supports if isinstance(s, DecisionSupportInput)}
        ),
    }


def cited_evidence(
    supports: Sequence[SupportInput], fetched: Sequence[FetchOutcome]
) -> list[list[Any]]:
    """What our own digest of a call covers of the evidence that was fetched: what is cited."""
    cited = {getattr(s, "evidence_id", None) for s in supports}
    kept = [f for f in fetched if f.evidence_id in cited]
    evidence = [[f.evidence_id, f.content_hash, f.observed_activation_seq] for f in kept]
    return sorted(evidence, key=str)


def _reference(support: SupportInput) -> EvidenceReference | None:
    if not isinstance(support, DocumentSupportInput):
        return None
    try:
        return parse_evidence_id(support.evidence_id)
    except MalformedEvidenceId:
        return None


@dataclass(frozen=True)
class Parent:
    """A cited decision as read."""

    id: str
    status: str
    review_state: str
    version: int
    choice_key: str
    causes: tuple[str, ...]

    @classmethod
    def of(cls, row: Row) -> "Parent":
        return cls(row[0], row[1], row[2], row[3], row[4], tuple(row[5] or ()))

    @property
    def clear(self) -> bool:
        return self.status == "active" and self.review_state == "clear"

    def guard(self) -> Guard:
        return Guard(
            "Decision", self.id, {"status": self.status, "review_state": self.review_state}
        )


@dataclass
class Cited:
    """The supports as they will be stored, and what they rest on.

    `changed` are causes `document:<id>:<activation>` of sources that moved on
    after they were fetched.
    """

    props: list[Props] = field(default_factory=list[Props])
    guards: list[Guard] = field(default_factory=list[Guard])
    parents: dict[str, Parent] = field(default_factory=dict[str, Parent])
    changed: list[str] = field(default_factory=list[str])


def resolve(
    supports: Sequence[SupportInput],
    fetched: Sequence[FetchOutcome],
    documents: Sequence[Row],
    chunks: Sequence[Row],
    events: Sequence[Row],
    decisions: Sequence[Row],
) -> Cited | WriteErrorCode:
    """Check every support in order; the first that fails names the refusal.

    A fetch outcome is checked, never trusted: its version exists, its range lies
    in it and its text is what stands there. Codes as in the reference library.
    """
    if not supports or len(supports) > MAX_SUPPORTS:
        return WriteErrorCode.SUPPORT_REQUIRED
    cited = Cited()
    by_document = {row[0][0]: row[0] for row in documents}
    by_event = {(row[0], row[1]): row for row in events}
    by_decision = {row[0]: Parent.of(row) for row in decisions}
    for ordinal, support in enumerate(supports):
        match support:
            case DocumentSupportInput():
                outcome = _document(support, fetched, by_document, chunks, cited)
            case EventSupportInput():
                outcome = _event(support, by_event, cited)
            case DecisionSupportInput():
                outcome = _decision(support, by_decision, cited)
        if isinstance(outcome, WriteErrorCode):
            return outcome
        cited.props.append({**outcome, "ordinal": ordinal})
    return cited


def _document(
    support: DocumentSupportInput,
    fetched: Sequence[FetchOutcome],
    documents: Mapping[str, Row],
    chunks: Sequence[Row],
    cited: Cited,
) -> Props | WriteErrorCode:
    reference = _reference(support)
    if reference is None:
        return WriteErrorCode.SUPPORT_MALFORMED
    outcome = next((f for f in fetched if f.evidence_id == support.evidence_id), None)
    if outcome is None or outcome.status is not FetchStatus.OK:
        return WriteErrorCode.SUPPORT_NOT_FETCHED
    row = documents.get(reference.document_id)
    document = rows.named("document", row) if row else {}
    if not document or document["document_key"] != outcome.document_key:
        return WriteErrorCode.SUPPORT_DOCUMENT_NOT_FOUND
    own = [c for document_id, c in chunks if document_id == reference.document_id]
    found = passage(own, reference)
    seq, current = document.get("activation_seq"), document.get("current_content_hash")
    if (
        found is None
        or found.content_hash != outcome.content_hash
        or found.text != outcome.text
        or outcome.observed_activation_seq is None
        # Nobody saw a version that is yet to come.
        or not 0 <= outcome.observed_activation_seq <= (seq or 0)
    ):
        return WriteErrorCode.SUPPORT_NOT_FETCHED
    if current != outcome.content_hash or seq != outcome.observed_activation_seq:
        cited.changed.append(f"document:{reference.document_id}:{seq}")
    cited.guards.append(document_guard(document))
    return {
        "kind": "document",
        "evidence_id": support.evidence_id,
        "document_key": document["document_key"],
        "document_node_id": reference.document_id,
        "content_hash_prefix": reference.hash_prefix,
        "content_hash": outcome.content_hash,
        "reference_kind": reference.kind,
        "char_start": reference.start,
        "char_end": reference.end,
        "chunk_id": reference.chunk_id,
        "recorded_activation_seq": outcome.observed_activation_seq,
    }


def document_guard(document: Mapping[str, Any]) -> Guard:
    """A document stays at the version that was read."""
    watched = ("activation_seq", "current_content_hash")
    return Guard(
        "Document",
        document["id"],
        {key: document[key] for key in watched if key in document},
        tuple(key for key in watched if key not in document),
    )


def _event(
    support: EventSupportInput, events: Mapping[tuple[str, int], Row], cited: Cited
) -> Props | WriteErrorCode:
    row = events.get((support.task_name, support.seq))
    if row is None:
        return WriteErrorCode.SUPPORT_EVENT_NOT_FOUND
    _, _, event_id, task_id, redacted_at = row
    if redacted_at is not None:
        return WriteErrorCode.CANNOT_REVALIDATE
    cited.guards += [
        Guard("Task", task_id),
        Guard("Event", event_id, absent=("redacted_at",)),
    ]
    return {
        "kind": "event",
        "event_id": event_id,
        "task_name": support.task_name,
        "seq": support.seq,
    }


def _decision(
    support: DecisionSupportInput, decisions: Mapping[str, Parent], cited: Cited
) -> Props | WriteErrorCode:
    parent = decisions.get(support.decision_id)
    if parent is None:
        return WriteErrorCode.SUPPORT_DECISION_NOT_FOUND
    if parent.status != "active":
        return WriteErrorCode.SUPPORT_DECISION_NOT_ACTIVE
    cited.parents[parent.id] = parent
    cited.guards.append(parent.guard())
    return {
        "kind": "decision",
        "decision_id": parent.id,
        "target_decision_id": parent.id,
    }
