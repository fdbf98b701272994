"""What a decision page offers as evidence, signed, so that its form need not look again.

The form that comes back must say which passages were proposed because they stand
there word for word, and which ones a person picked and has to explain. Signing
the offer into the page keeps that honest without another read of the graph.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

from django.core import signing
from django.utils import timezone

from graphstore.desk import Desk, SupportOnDesk
from graphstore.evidence import Comparison
from graphstore.records import (
    Decision,
    DecisionSupport,
    DecisionSupportInput,
    DocumentSupport,
    DocumentSupportInput,
    EventSupport,
    EventSupportInput,
    SupportInput,
)

__all__ = [
    "DROP",
    "KEEP",
    "PRESENT",
    "Offer",
    "offer_of",
    "offers_of",
    "old_texts",
    "read_offers",
    "read_opened_at",
    "unchanged_texts",
    "write_offers",
]

KEEP, PRESENT, DROP = "keep", "present", "drop"
"""What a new revision may do with a support: cite it as it was, cite its present passage, leave it."""

WHOLE = 1_000_000
"""Characters to fetch: only a passage that was read in full can support a decision."""

_SALT = "reviewconsole.offers"
_KEEPABLE = {
    Comparison.INTACT,
    Comparison.CLEAR,
    Comparison.FLAGGED,
    Comparison.UNKNOWN,
}


@dataclass(frozen=True)
class Offer:
    """One support as its page offered it.

    `proposed` is the evidence id of the passage that stands in the present text word
    for word; without one the person picks. `keepable` says whether a new revision
    may cite the support again.
    """

    index: int
    kind: Literal["document", "event", "decision"]
    ref: str
    seq: int = 0
    proposed: str = ""
    keepable: bool = True
    cited: str = ""
    quiet: bool = False

    @property
    def choices(self) -> list[str]:
        """What a new revision may do with it; none where it can only be left."""
        if not self.keepable:
            return [KEEP, DROP] if self.cited else []
        if self.kind != "document":
            return [KEEP, DROP]
        if self.quiet:
            return [KEEP, DROP]
        return [KEEP, PRESENT, DROP] if self.cited else [PRESENT, DROP]

    def support(self, choice: str, passage: str = "") -> SupportInput | None:
        """The support as a new revision cites it; None when it leaves it."""
        if choice not in (KEEP, PRESENT):
            return None
        if self.kind == "event":
            return EventSupportInput(task_name=self.ref, seq=self.seq)
        if self.kind == "decision":
            return DecisionSupportInput(decision_id=self.ref)
        as_it_was = self.proposed if self.quiet else self.cited
        return DocumentSupportInput(evidence_id=as_it_was if choice == KEEP else passage)


def offers_of(desk: Desk) -> list[Offer]:
    """What the supports on the desk offer, in the order of the page."""
    return [offer_of(index, shown) for index, shown in enumerate(desk.supports)]


def offer_of(index: int, shown: SupportOnDesk) -> Offer:
    """What one support offers, at its place on the page."""
    support = shown.support
    match support:
        case DocumentSupport():
            verbatim = shown.passage is not None and shown.comparison.word_for_word
            proposed = shown.passage.evidence_id if shown.passage and verbatim else ""
            quiet = proposed == support.evidence_id
            there = shown.cited is not None and shown.comparison != Comparison.REMOVED
            return Offer(
                index,
                "document",
                str(support.document_node_id),
                proposed=proposed,
                keepable=shown.passage is not None or bool(shown.paragraphs),
                cited=support.evidence_id if there and not quiet else "",
                quiet=quiet,
            )
        case EventSupport():
            return Offer(
                index,
                "event",
                support.task_name,
                support.seq,
                keepable=shown.comparison in _KEEPABLE or shown.comparison == Comparison.CUT,
                quiet=shown.comparison in (Comparison.INTACT, Comparison.CUT),
            )
        case DecisionSupport():
            return Offer(
                index,
                "decision",
                str(support.decision_id),
                keepable=shown.comparison in _KEEPABLE,
                quiet=shown.comparison == Comparison.CLEAR,
            )


def old_texts(decision: Decision) -> dict[str, str]:
    """What a new revision starts from, by field: the decision's own words, a line for each entry."""
    return {
        "conclusion": decision.conclusion,
        "rationale": decision.rationale,
        "assumptions": _lines(decision.assumptions),
        "open_questions": _lines(decision.open_questions),
    }


def _lines(entries: Iterable[str]) -> str:
    return "\n".join(" ".join(entry.splitlines()) for entry in entries)


def write_offers(decision: Decision, offers: Iterable[Offer]) -> str:
    """The offers, and that they were made now, as a signed text that fits a hidden field.

    Of the old texts it holds hashes, so that a form which comes back unchanged is known.
    """
    return signing.dumps(
        {
            "of": str(decision.id),
            "at": timezone.now().isoformat(),
            "offers": [asdict(offer) for offer in offers],
            "old": {name: _hash(text) for name, text in old_texts(decision).items()},
        },
        salt=_SALT,
        compress=True,
    )


def read_offers(decision_id: UUID, text: str) -> list[Offer] | None:
    """The offers signed for this decision, None when the text is not such."""
    signed = _read(text, decision_id)
    return None if signed is None else [Offer(**offer) for offer in signed["offers"]]


def read_opened_at(decision_id: UUID, text: str) -> datetime | None:
    """When the page that made these offers was opened."""
    signed = _read(text, decision_id)
    return datetime.fromisoformat(signed["at"]) if signed and "at" in signed else None


def unchanged_texts(offered: str, typed: Mapping[str, str]) -> set[str]:
    """The fields in which a form still holds the old words, going by what its page signed."""
    signed = _read(offered)
    old: dict[str, str] = signed.get("old", {}) if signed else {}
    return {name for name, text in typed.items() if name in old and _hash(text) == old[name]}


def _hash(text: str) -> str:
    """What stays the same when a browser sends a text back: line ends and blanks at the ends do not."""
    return sha256("\n".join(text.strip().splitlines()).encode()).hexdigest()[:16]


def _read(text: str, decision_id: UUID | None = None) -> dict[str, Any] | None:
    try:
        signed: dict[str, Any] = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return None
    return signed if decision_id is None or signed["of"] == str(decision_id) else None
