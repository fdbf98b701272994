"""Everything that the page of one decision shows, in one read."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from pydantic import SkipValidation

from graphstore import rows
from graphstore.comparing import DocumentTexts, decision_comparison, event_comparison
from graphstore.context import in_context
from graphstore.dangers import Danger
from graphstore.evidence import Comparison, PassageNow, Segment, paragraphs, passage_at
from graphstore.looking import AlsoChanged
from graphstore.operations.judging import Judged
from graphstore.queries.decisions import dependents
from graphstore.records import (
    Decision,
    DecisionSupport,
    Document,
    DocumentSupport,
    Event,
    EventSupport,
    Ground,
    Record,
    Task,
    VerdictRecord,
)
from graphstore.results import Blocker, DependentPage
from graphstore.store import GraphStore, Row, steady

__all__ = ["Desk", "SupportOnDesk", "Verdict", "open_desk"]

MAX_DEPENDENTS = 50
MAX_PARAGRAPHS = 200


class SupportOnDesk(Record):
    """One current support, as cited and as it is now.

    `passage`, `segments` and `changes` are what `evidence.compare` found;
    `paragraphs` are the present ones to choose from when the passage is not there
    word for word. `recorded_at` and `current_at` are when the cited and the
    current version were activated. The headings are the titles above the passage,
    outermost first; `also_changed` are changed paragraphs elsewhere that speak of
    the same. `changed_back`: the text was another since, and is the one cited again.
    """

    support: DocumentSupport | EventSupport | DecisionSupport
    comparison: Comparison
    document: Document | None = None
    recorded_at: datetime | None = None
    current_at: datetime | None = None
    cited_text: str | None = None
    cited: PassageNow | None = None
    passage: PassageNow | None = None
    segments: Sequence[Segment] = ()
    changes: Sequence[SkipValidation[str]] = ()
    dangers: Sequence[Danger] = ()
    heading_then: Sequence[str] = ()
    heading_now: Sequence[str] = ()
    also_changed: Sequence[AlsoChanged] = ()
    changed_back: bool = False
    paragraphs: Sequence[PassageNow] = ()
    event: Event | None = None
    parent: Decision | None = None

    @property
    def quiet(self) -> bool:
        """Whether nothing about it asks to be looked at, nor anything around it."""
        return self.comparison.quiet and not self.dangers and not self.changed_back


class Verdict(Record):
    """One earlier verdict. `by` is an agent's id or `person:<uuid>`; `revision` the one judged.

    `id` is None for a verdict of the reference library, which keeps none and cannot
    be taken back here.
    """

    kind: Literal["reaffirm", "supersede", "reject", "ask", "withdraw"]
    by: str
    at: datetime | None
    why: str
    revision: int
    id: str | None = None
    ground: Ground | None = None
    withdrawn_at: datetime | None = None


class Desk(Record):
    """A decision with all that a verdict on it needs to see.

    `seen` is the fingerprint to pass back with a verdict. `blockers` are supports
    that no form on this page can mend.
    """

    decision: Decision
    task: Task | None
    flags_travelling: bool
    supports: list[SupportOnDesk]
    revisions: list[Decision]
    dependents: DependentPage
    rivals: list[Decision]
    verdicts: list[Verdict]
    blockers: list[Blocker]
    seen: str


class _Read(NamedTuple):
    before: Row
    after: Row
    decision: Row
    task: Row
    supports: list[Row]
    documents: list[Row]
    events: list[Row]
    parents: list[Row]
    cited_chunks: list[Row]
    current_chunks: list[Row]
    activations: list[Row]
    whole_events: list[Row]
    whole_parents: list[Row]
    revisions: list[Row]
    given: list[Row]
    rivals: list[Row]
    direct_dependents: list[str]
    levels: list[list[Row]]


def open_desk(store: GraphStore, project_id: str, decision_id: UUID | str) -> Desk | None:
    """The desk of one decision, or None when the project has no such decision."""
    p = {"project_id": project_id, "decision_id": str(decision_id)}
    found = steady(lambda: store.read("desk", p))
    if not found:
        return None
    read = _Read(*found[0])
    judged = Judged.of(read)
    if judged is None:
        return None
    travelling = bool(read.after[0])
    current = [
        s for s in read.supports if rows.found(s) and rows.named("support", s).get("current")
    ]
    decision = rows.decision(read.decision, judged.task_name, current, travelling=travelling)
    texts = DocumentTexts(judged.documents, read.cited_chunks, read.current_chunks)
    shown = [
        _document(s, read, texts)
        if isinstance(s, DocumentSupport)
        else _other(s, read, travelling=travelling)
        for s in decision.supports
    ]
    revisions = [rows.decision(r, judged.task_name) for r in read.revisions]
    return Desk(
        decision=decision,
        task=rows.task(read.task) if rows.found(read.task) else None,
        flags_travelling=travelling,
        supports=sorted(shown, key=lambda s: (s.quiet, s.comparison.rank)),
        revisions=revisions,
        dependents=dependents(read.levels, str(decision.id), MAX_DEPENDENTS, travelling=travelling),
        rivals=[rows.decision(r, name or "", travelling=travelling) for r, name in read.rivals],
        verdicts=_verdicts(judged, revisions, [rows.verdict(row) for row in read.given]),
        blockers=judged.blockers(),
        seen=judged.fingerprint(read.direct_dependents),
    )


def _other(
    support: EventSupport | DecisionSupport, read: _Read, *, travelling: bool
) -> SupportOnDesk:
    if isinstance(support, EventSupport):
        return _event(support, read)
    return _parent(support, read, travelling=travelling)


def _event(support: EventSupport, read: _Read) -> SupportOnDesk:
    row = next((e for e in read.whole_events if e[0] == str(support.event_id)), None)
    event = rows.event(row) if row else None
    comparison = (
        event_comparison(redacted=event.redacted_at is not None, cut=event.truncated)
        if event
        else Comparison.DELETED
    )
    return SupportOnDesk(support=support, comparison=comparison, event=event)


def _parent(support: DecisionSupport, read: _Read, *, travelling: bool) -> SupportOnDesk:
    found = next(
        (
            rows.decision(row, name or "", travelling=travelling)
            for row, name in read.whole_parents
            if row[0] == str(support.decision_id)
        ),
        None,
    )
    if found is None:
        return SupportOnDesk(support=support, comparison=Comparison.DELETED)
    comparison = decision_comparison(found.status, found.review_state)
    return SupportOnDesk(support=support, comparison=comparison, parent=found)


def _document(support: DocumentSupport, read: _Read, texts: DocumentTexts) -> SupportOnDesk:
    document_id = str(support.document_node_id)
    document = texts.document(document_id)
    rows_of_it = [row[1:] for row in read.activations if row[0] == document_id]
    times = {seq: datetime.fromisoformat(at) for seq, at, _ in rows_of_it}
    found = texts.compare(support)
    outcome = found.outcome
    cited, passage = in_context(
        outcome.comparison,
        found.cited,
        found.then,
        outcome.passage,
        found.now[0] if found.now else "",
    )
    choices = found.now is not None and not outcome.comparison.word_for_word
    return SupportOnDesk(
        support=support,
        comparison=outcome.comparison,
        document=document,
        recorded_at=times.get(support.recorded_activation_seq),
        current_at=times.get(document.activation_seq) if document else None,
        cited_text=cited.text if cited else None,
        cited=cited,
        passage=passage,
        segments=outcome.segments,
        changes=outcome.changes,
        dangers=outcome.dangers,
        heading_then=outcome.heading_then,
        heading_now=outcome.heading_now,
        also_changed=outcome.also_changed,
        changed_back=_changed_back(support, document, rows_of_it),
        paragraphs=_paragraphs(found.now, document) if choices and found.now and document else [],
    )


def _changed_back(
    support: DocumentSupport, document: Document | None, activations: Sequence[Row]
) -> bool:
    """Whether the text is the one cited again, after it was another."""
    if document is None or document.current_content_hash != support.content_hash:
        return False
    since = support.recorded_activation_seq or 0
    return any(seq > since and said != support.content_hash for seq, _, said in activations)


def _paragraphs(now: tuple[str, bool], document: Document) -> list[PassageNow]:
    text, citable = now
    if not citable:
        return []
    return [
        passage_at(
            text,
            start,
            end,
            document_id=str(document.id),
            content_hash=document.current_content_hash or "",
        )
        for start, end in paragraphs(text)[:MAX_PARAGRAPHS]
    ]


def _verdicts(
    judged: Judged, revisions: Sequence[Decision], given: Sequence[VerdictRecord]
) -> list[Verdict]:
    """What people and agents judged about this choice before, newest first.

    Those given here are kept as such; those of the reference library are told by what
    they left on the records.
    """
    kept = [
        Verdict(
            id=one.id,
            kind=one.kind.value,
            by=one.by,
            at=one.at,
            why=one.why,
            revision=one.revision,
            ground=one.ground,
            withdrawn_at=one.withdrawn_at,
        )
        for one in given
    ]
    known = {(one.kind, one.at) for one in given}
    known |= {("supersede", one.revision) for one in given if one.kind == "supersede"}
    known |= {(one.kind, one.revision) for one in given if one.kind == "reject"}
    withdrawn = {one.new_decision_id for one in given if one.kind == "withdraw"}
    left = [
        *_reaffirmations(judged, known),
        *_retirements([r for r in revisions if r.id not in withdrawn], known),
    ]
    return sorted([*kept, *left], key=lambda v: v.at.timestamp() if v.at else 0.0, reverse=True)


def _reaffirmations(judged: Judged, known: Collection[object]) -> list[Verdict]:
    """Reviews that left their marks on the decision's supports."""
    reviews = {
        (s.get("reviewed_by"), s.get("reviewed_at"), s.get("review_explanation"))
        for s in judged.supports
    }
    found: list[Verdict] = []
    for by, stored, why in reviews:
        at = datetime.fromisoformat(stored) if stored else None
        if by is not None and ("reaffirm", at) not in known:
            revision: int = judged.decision["revision"]
            found.append(Verdict(kind="reaffirm", by=by, at=at, why=why or "", revision=revision))
    return found


def _retirements(revisions: Sequence[Decision], known: Collection[object]) -> list[Verdict]:
    """Supersessions and rejections that stand on the revisions alone."""
    found: list[Verdict] = []
    for one in revisions:
        before = one.revision - 1
        why = one.supersession_explanation
        if why is not None and ("supersede", before) not in known:
            found.append(
                Verdict(
                    kind="supersede", by=one.author, at=one.created_at, why=why, revision=before
                )
            )
        if one.status == "rejected" and ("reject", one.revision) not in known:
            found.append(
                Verdict(
                    kind="reject",
                    by=one.rejected_by or "",
                    at=one.rejected_at,
                    why=one.rejection_reason or "",
                    revision=one.revision,
                )
            )
    return found
