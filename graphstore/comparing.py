"""What became of the supports of decisions, for one desk or for many decisions in one read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from graphstore import rows
from graphstore.dangers import Danger
from graphstore.evidence import (
    COMPARISON_VERSION,
    CONTEXT_CHARS,
    Comparison,
    PassageNow,
    passage_at,
)
from graphstore.ids import EvidenceReference
from graphstore.looking import Cited, Outcome, look
from graphstore.passages import Passage, passage, version_text
from graphstore.records import (
    Document,
    DocumentSupport,
    EventSupport,
    Record,
    ReviewState,
    Support,
)
from graphstore.store import GraphStore, Row, steady
from graphstore.versions_apart import VersionsApart

__all__ = [
    "MAX_COMPARED",
    "DocumentTexts",
    "SupportCompared",
    "cited_passage",
    "compare_supports",
    "decision_comparison",
    "event_comparison",
]

MAX_COMPARED = 50
"""Decisions of one read."""


class SupportCompared(Record):
    """One current support as compared: ids, versions and codes, no text.

    `ref` is the document's node id, the event's id or the decision's. `cited_seq` and
    `current_seq` are activations of a document; `algorithm` is `COMPARISON_VERSION`.
    """

    ordinal: int
    kind: str
    ref: str
    comparison: Comparison
    dangers: Sequence[Danger] = ()
    cited_seq: int | None = None
    current_seq: int | None = None
    algorithm: str = COMPARISON_VERSION


class _Read(NamedTuple):
    before: Row
    after: Row
    ids: list[str]
    supports: list[Row]
    documents: list[Row]
    cited_chunks: list[Row]
    current_chunks: list[Row]
    events: list[Row]
    parents: list[Row]


def compare_supports(
    store: GraphStore, project_id: str, decision_ids: Sequence[UUID | str]
) -> dict[UUID, list[SupportCompared]]:
    """The current supports of at most 50 decisions, by decision, as their desks would show them.

    One read, another when the project changed meanwhile. Decisions that are not active in
    the project are missing. Raises `ValueError` for more.
    """
    wanted = list(dict.fromkeys(str(identity) for identity in decision_ids))
    if len(wanted) > MAX_COMPARED:
        raise ValueError(f"At most {MAX_COMPARED} decisions at once.")
    p = {"project_id": project_id, "ids": wanted}
    found = steady(lambda: store.read("compare_supports", p)) if wanted else []
    if not found:
        return {}
    read = _Read(*found[0])
    travelling = bool(read.after[0])
    documents = {row[0]: (rows.named("document", row), bool(live)) for row, live in read.documents}
    texts = DocumentTexts(documents, read.cited_chunks, read.current_chunks)
    events = {
        identity: (redacted is not None, bool(cut)) for identity, redacted, cut in read.events
    }
    parents = {
        identity: (
            status,
            ReviewState.UNKNOWN if travelling and state == "clear" else ReviewState(state),
        )
        for identity, status, state in read.parents
    }
    compared: dict[UUID, list[SupportCompared]] = {UUID(identity): [] for identity in read.ids}
    for decision_id, row in read.supports:
        support = rows.support(rows.named("support", row))
        one = _compared(support, texts, events, parents)
        compared[UUID(decision_id)].append(one)
    return {
        identity: sorted(supports, key=lambda one: one.ordinal)
        for identity, supports in compared.items()
    }


def _compared(
    support: Support,
    texts: "DocumentTexts",
    events: Mapping[str, tuple[bool, bool]],
    parents: Mapping[str, tuple[str, ReviewState]],
) -> SupportCompared:
    if isinstance(support, DocumentSupport):
        outcome = texts.compare(support).outcome
        document = texts.document(str(support.document_node_id))
        return SupportCompared(
            ordinal=support.ordinal,
            kind=support.kind,
            ref=str(support.document_node_id),
            comparison=outcome.comparison,
            dangers=outcome.dangers,
            cited_seq=support.recorded_activation_seq,
            current_seq=document.activation_seq if document else None,
        )
    if isinstance(support, EventSupport):
        ref, event = str(support.event_id), events.get(str(support.event_id))
        comparison = (
            event_comparison(redacted=event[0], cut=event[1]) if event else Comparison.DELETED
        )
    else:
        ref, parent = str(support.decision_id), parents.get(str(support.decision_id))
        comparison = decision_comparison(*parent) if parent else Comparison.DELETED
    return SupportCompared(
        ordinal=support.ordinal, kind=support.kind, ref=ref, comparison=comparison
    )


def event_comparison(*, redacted: bool, cut: bool) -> Comparison:
    """What became of a cited event that is still there."""
    if redacted:
        return Comparison.REDACTED
    return Comparison.CUT if cut else Comparison.INTACT


def decision_comparison(status: str, state: ReviewState) -> Comparison:
    """What became of a cited decision that is still there."""
    if status != "active":
        return Comparison(str(status))
    return {
        ReviewState.CLEAR: Comparison.CLEAR,
        ReviewState.NEEDS_REVIEW: Comparison.FLAGGED,
        ReviewState.UNKNOWN: Comparison.UNKNOWN,
    }[state]


@dataclass(frozen=True)
class Compared:
    """What was found of one document support, the passage as it was cited, and both texts.

    `then` is empty where the version cited cannot be read by characters; with the present
    text stands whether it can be cited by them.
    """

    outcome: Outcome
    cited: PassageNow | None
    now: tuple[str, bool] | None = None
    then: str = ""


class DocumentTexts:
    """The texts that some decisions cite, as cited and as they are now.

    What is the same for several passages of one version is worked out once.
    """

    def __init__(
        self,
        documents: Mapping[str, tuple[dict[str, Any], bool]],
        cited_chunks: Sequence[Row],
        current_chunks: Sequence[Row],
    ) -> None:
        """`documents` by node id, each with whether it has a current text; chunks by the same."""
        self._documents = documents
        self._cited = _by_first(cited_chunks)
        self._current = _by_first(current_chunks)
        self._now: dict[str, tuple[str, bool] | None] = {}
        self._then: dict[tuple[str, str], str] = {}
        self._apart: dict[tuple[str, str], VersionsApart | None] = {}

    def document(self, document_id: str) -> Document | None:
        props, _ = self._documents.get(document_id, ({}, False))
        return rows.document_of(props) if props else None

    def compare(self, support: DocumentSupport) -> Compared:
        """What became of one cited passage."""
        document_id = str(support.document_node_id)
        document = self.document(document_id)
        _, live = self._documents.get(document_id, ({}, False))
        whole = self._text_cited(document_id, support.content_hash or "")
        cited = cited_passage(support, self._cited.get(document_id, []), whole)
        if document is None or not live or document.current_content_hash is None:
            return Compared(Outcome(Comparison.REMOVED), cited, then=whole)
        now = self._text_now(document_id)
        if cited is None:
            return Compared(Outcome(Comparison.UNREADABLE), None, now)
        if now is None:
            return Compared(Outcome(Comparison.FAILED), cited, then=whole)
        text, citable = now
        # A passage without offsets stands nowhere in particular.
        placed = bool(whole) and whole[cited.start : cited.end] == cited.text
        outcome = look(
            Cited(
                cited.text,
                whole[: cited.start] if placed else cited.before,
                whole[cited.end :] if placed else cited.after,
                cited.start,
            ),
            text,
            self._versions_apart(document_id, support.content_hash or "", text) if placed else None,
            document_id=document_id if citable else "",
            content_hash=document.current_content_hash or "",
        )
        unchanged = document.current_content_hash == support.content_hash
        if outcome.comparison.word_for_word and unchanged:
            outcome = Outcome(Comparison.IDENTICAL, outcome.passage)
        return Compared(outcome, cited, now, whole)

    def _text_now(self, document_id: str) -> tuple[str, bool] | None:
        if document_id not in self._now:
            self._now[document_id] = version_text(self._current.get(document_id, []))
        return self._now[document_id]

    def _text_cited(self, document_id: str, content_hash: str) -> str:
        """The whole version that was cited; empty where it cannot be read by characters."""
        key = (document_id, content_hash)
        if key not in self._then:
            found = version_text(
                row
                for row in self._cited.get(document_id, [])
                if rows.named("chunk", row)["content_hash"] == content_hash
            )
            self._then[key] = found[0] if found and found[1] else ""
        return self._then[key]

    def _versions_apart(
        self, document_id: str, content_hash: str, text: str
    ) -> VersionsApart | None:
        key = (document_id, content_hash)
        if key not in self._apart:
            whole = self._text_cited(document_id, content_hash)
            self._apart[key] = VersionsApart.of(whole, text) if whole else None
        return self._apart[key]


def _by_first(chunks: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for identity, chunk in chunks:
        found.setdefault(identity, []).append(chunk)
    return found


def cited_passage(support: DocumentSupport, chunks: list[Row], whole: str) -> PassageNow | None:
    """The passage in the version it was cited from, with what stood around it there.

    `whole` is that version, where it can be read.
    """
    start, end = support.char_start, support.char_end
    if whole and support.reference_kind == "span" and start is not None and end is not None:
        if not 0 <= start < end <= len(whole):
            return None
        there = passage_at(whole, start, end)
        return there.model_copy(update={"evidence_id": support.evidence_id})
    reference = EvidenceReference(
        support.reference_kind,
        str(support.document_node_id),
        support.content_hash_prefix,
        support.char_start,
        support.char_end,
        str(support.chunk_id) if support.chunk_id else None,
    )
    there = passage(chunks, reference)
    if there is None:
        return None
    if there.start is None or there.end is None:
        return PassageNow(text=there.text, start=0, end=len(there.text))
    before = _around(chunks, reference, there, there.start - CONTEXT_CHARS, there.start)
    after = _around(chunks, reference, there, there.end, there.end + CONTEXT_CHARS)
    return PassageNow(
        evidence_id=support.evidence_id,
        text=there.text,
        start=there.start,
        end=there.end,
        before=before,
        after=after,
        cut_before=there.start > len(before),
        cut_after=len(after) >= CONTEXT_CHARS,
    )


def _around(
    chunks: list[Row], reference: EvidenceReference, there: Passage, start: int, end: int
) -> str:
    """As much of the range as the chunks hold, next to the passage."""
    start = max(0, start)
    text = ""
    for at_once in (64, 16, 4, 1):
        while start < end:
            side = (
                (end - len(text) - at_once, end)
                if end == there.start
                else (start, start + len(text) + at_once)
            )
            if side[0] < start or side[1] > end:
                break
            wider = passage(
                chunks,
                EvidenceReference(
                    "span", reference.document_id, reference.hash_prefix, side[0], side[1]
                ),
            )
            if wider is None:
                break
            text = wider.text
    return text
