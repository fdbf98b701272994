"""The page of a verdict as the reviewer saw it, rebuilt from the versions that it showed."""

from collections.abc import Mapping, Sequence
from typing import Literal

from graphstore import rows
from graphstore.changed_words import Segment, diff_words
from graphstore.ids import MalformedEvidenceId, parse_evidence_id
from graphstore.operations import citing
from graphstore.passages import passage
from graphstore.queries.verdicts import get_verdict
from graphstore.records import (
    Decision,
    DocumentSupportInput,
    Event,
    Exhibit,
    ExhibitSupport,
    Record,
    VerdictRecord,
)
from graphstore.rows import Row
from graphstore.store import GraphStore, steady

__all__ = ["AsSeen", "SupportAsSeen", "open_as_seen"]


class SupportAsSeen(Record):
    """One support of the page.

    `cited_text` and `present_text` are the two passages that stood side by side, None
    where nothing stood; `segments` are the words that differ between them. `erased`
    names what is no longer held: the cited passage, the present one, the event or its
    body, or the decision.
    """

    support: ExhibitSupport
    title: str
    document_key: str | None = None
    cited_text: str | None = None
    present_text: str | None = None
    segments: Sequence[Segment] = ()
    event: Event | None = None
    task_name: str | None = None
    decision: Decision | None = None
    erased: Sequence[Literal["cited", "present", "event", "body", "decision", "document"]] = ()


class AsSeen(Record):
    """A verdict with the page that it was given on.

    `decision` is None when it was deleted since; its words never change, so they are
    as they were. `supports` is empty when the verdict's caller kept no exhibit.
    """

    verdict: VerdictRecord
    decision: Decision | None
    supports: list[SupportAsSeen]


def open_as_seen(store: GraphStore, project_id: str, verdict_id: str) -> AsSeen | None:
    """The page of a verdict, in two reads; None when the project has no such verdict."""
    verdict = get_verdict(store, project_id, verdict_id)
    if verdict is None:
        return None
    exhibit = verdict.exhibit or Exhibit()
    ids = [i for s in exhibit.supports if s.kind == "document" for i in (s.cited, s.present) if i]
    ranges = citing.keys([DocumentSupportInput(evidence_id=i) for i in ids])["ranges"]
    shown = {"document": list[str](), "event": list[str](), "decision": [str(verdict.decision_id)]}
    for s in exhibit.supports:
        shown[s.kind].append(s.ref)
    p = {
        "project_id": project_id,
        "ranges": ranges,
        "documents": list(dict.fromkeys(shown["document"])),
        "events": list(dict.fromkeys(shown["event"])),
        "decisions": list(dict.fromkeys(shown["decision"])),
    }
    found = steady(lambda: store.read("as_seen", p))
    if not found:
        return None
    _, after, documents, events, decisions = found[0]
    held = _Held(
        {row[0][0]: row for row in documents},
        {row[0][0]: (rows.event(row[0]), row[1]) for row in events},
        {
            row[0][0]: rows.decision(row[0], row[1] or "", travelling=bool(after[0]))
            for row in decisions
        },
    )
    return AsSeen(
        verdict=verdict,
        decision=held.decisions.get(str(verdict.decision_id)),
        supports=[held.support(s) for s in exhibit.supports],
    )


class _Held:
    """What of the page is still there."""

    def __init__(
        self,
        documents: Mapping[str, Row],
        events: Mapping[str, tuple[Event, str]],
        decisions: Mapping[str, Decision],
    ) -> None:
        self.documents = documents
        self.events = events
        self.decisions = decisions

    def support(self, shown: ExhibitSupport) -> SupportAsSeen:
        match shown.kind:
            case "document":
                return self._document(shown)
            case "event":
                return self._event(shown)
            case _:
                return self._decision(shown)

    def _document(self, shown: ExhibitSupport) -> SupportAsSeen:
        row = self.documents.get(shown.ref)
        if row is None:
            return SupportAsSeen(support=shown, title="A document", erased=["document"])
        document = rows.document(row[0])
        cited, present = self._text(shown.cited, row), self._text(shown.present, row)
        gone = [
            name
            for name, identity, text in (
                ("cited", shown.cited, cited),
                ("present", shown.present, present),
            )
            if identity and text is None
        ]
        return SupportAsSeen.model_validate(
            {
                "support": shown,
                "title": document.title or document.document_key,
                "document_key": document.document_key,
                "cited_text": cited,
                "present_text": present,
                "segments": diff_words(cited, present)[0] if cited and present else [],
                "erased": gone,
            }
        )

    def _text(self, evidence_id: str, row: Row) -> str | None:
        try:
            found = passage(row[1], parse_evidence_id(evidence_id)) if evidence_id else None
        except MalformedEvidenceId:
            return None
        return found.text if found else None

    def _event(self, shown: ExhibitSupport) -> SupportAsSeen:
        event, task_name = self.events.get(shown.ref, (None, None))
        if event is None:
            return SupportAsSeen(support=shown, title="An event", erased=["event"])
        erased_since = event.redacted_at is not None and shown.comparison != "redacted"
        return SupportAsSeen(
            support=shown,
            title=f"Event {event.seq}",
            event=event,
            task_name=task_name,
            erased=["body"] if erased_since else [],
        )

    def _decision(self, shown: ExhibitSupport) -> SupportAsSeen:
        found = self.decisions.get(shown.ref)
        return SupportAsSeen(
            support=shown,
            title=found.conclusion if found else "A decision",
            decision=found,
            erased=[] if found else ["decision"],
        )
