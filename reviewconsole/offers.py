"""What a decision page offers as evidence, signed, so that its form need not look again.

The form that comes back must say which passages were proposed because they stand
there word for word, and which ones a person picked and has to explain. Signing
the offer into the page keeps that honest without another read of the graph.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.core import signing
from django.utils import timezone

from graphstore.desk import Desk, SupportOnDesk
from graphstore.evidence import Comparison
from graphstore.records import (
    DecisionSupport,
    DecisionSupportInput,
    DocumentSupport,
    EventSupport,
    EventSupportInput,
    SupportInput,
)

__all__ = ["Offer", "offers_of", "read_offers", "read_opened_at", "write_offers"]

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

    def support(self) -> SupportInput | None:
        """The support as a new revision would cite it; a document needs a passage instead."""
        if self.kind == "event":
            return EventSupportInput(task_name=self.ref, seq=self.seq)
        if self.kind == "decision":
            return DecisionSupportInput(decision_id=self.ref)
        return None


def offers_of(desk: Desk) -> list[Offer]:
    """What the supports on the desk offer, in the order of the page."""
    return [_offer(index, shown) for index, shown in enumerate(desk.supports)]


def _offer(index: int, shown: SupportOnDesk) -> Offer:
    support = shown.support
    match support:
        case DocumentSupport():
            verbatim = shown.passage is not None and shown.comparison.word_for_word
            return Offer(
                index,
                "document",
                str(support.document_node_id),
                proposed=shown.passage.evidence_id if shown.passage and verbatim else "",
                keepable=shown.passage is not None or bool(shown.paragraphs),
            )
        case EventSupport():
            return Offer(
                index,
                "event",
                support.task_name,
                support.seq,
                keepable=shown.comparison in _KEEPABLE or shown.comparison == Comparison.CUT,
            )
        case DecisionSupport():
            return Offer(
                index,
                "decision",
                str(support.decision_id),
                keepable=shown.comparison in _KEEPABLE,
            )


def write_offers(decision_id: UUID, offers: Iterable[Offer]) -> str:
    """The offers, and that they were made now, as a signed text that fits a hidden field."""
    return signing.dumps(
        {
            "of": str(decision_id),
            "at": timezone.now().isoformat(),
            "offers": [asdict(offer) for offer in offers],
        },
        salt=_SALT,
        compress=True,
    )


def read_offers(decision_id: UUID, text: str) -> list[Offer] | None:
    """The offers signed for this decision, None when the text is not such."""
    signed = _read(decision_id, text)
    return None if signed is None else [Offer(**offer) for offer in signed["offers"]]


def read_opened_at(decision_id: UUID, text: str) -> datetime | None:
    """When the page that made these offers was opened."""
    signed = _read(decision_id, text)
    return datetime.fromisoformat(signed["at"]) if signed and "at" in signed else None


def _read(decision_id: UUID, text: str) -> dict[str, Any] | None:
    try:
        signed: dict[str, Any] = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return None
    return signed if signed["of"] == str(decision_id) else None
