"""The present text of a cited document, for picking the passage that a decision stands on now."""

from enum import StrEnum
from uuid import UUID

from graphstore import rows
from graphstore.locating import PassageNow, normalised, passage_at
from graphstore.passages import version_text
from graphstore.records import Document, DocumentSupport, Record
from graphstore.store import GraphStore

__all__ = ["PresentText", "Unfit", "present_text"]


class Unfit(StrEnum):
    """Why a part of a text cannot be picked as a passage."""

    MOVED = "moved"
    """It was read in another version than the present one."""
    OUTSIDE = "outside"
    """It does not lie within the text, or is blank."""
    OTHER_WORDS = "other_words"
    """Other words stand there than those that were read."""


class PresentText(Record):
    """`text` is None when it cannot be read, or cannot be cited by characters."""

    support: DocumentSupport
    document: Document
    text: str | None

    @property
    def version(self) -> str:
        """The hash of the present text; empty where there is none."""
        return self.document.current_content_hash or ""

    def passage(self, version: str, start: int, end: int, quote: str = "") -> PassageNow | Unfit:
        """The characters `start` to `end` as a passage, blanks at its ends left away.

        `version` is the hash of the text in which the offsets were counted, `quote` what
        its reader saw there, spacing aside; without it the offsets alone count.
        """
        if self.text is None or not version or version != self.version:
            return Unfit.MOVED
        if not 0 <= start < end <= len(self.text):
            return Unfit.OUTSIDE
        inner = self.text[start:end]
        if not inner.strip():
            return Unfit.OUTSIDE
        if quote and normalised(quote) != normalised(inner):
            return Unfit.OTHER_WORDS
        start += len(inner) - len(inner.lstrip())
        return passage_at(
            self.text,
            start,
            start + len(inner.strip()),
            document_id=str(self.document.id),
            content_hash=self.version,
        )


def present_text(
    store: GraphStore, project_id: str, decision_id: UUID | str, support_id: UUID | str
) -> PresentText | None:
    """What the document says now that one current support of a decision cites.

    None when the project has no such decision, or the decision no such support.
    """
    p = {
        "project_id": project_id,
        "decision_id": str(decision_id),
        "support_id": str(support_id),
    }
    found = store.read("present_text", p)
    if not found:
        return None
    support_row, document_row, chunks = found[0]
    support = rows.support(rows.named("support", support_row))
    if not isinstance(support, DocumentSupport):
        return None
    text = version_text(chunks)
    return PresentText(
        support=support,
        document=rows.document(document_row),
        text=text[0] if text and text[1] else None,
    )
