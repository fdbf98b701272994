"""From stored chunks back to the text of a version, and to the passage an evidence id names."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphstore.ids import EvidenceReference
from graphstore.rows import Row, named

__all__ = ["Passage", "passage", "version_text"]


@dataclass(frozen=True)
class Passage:
    """A passage as stored. `start` and `end` are offsets in the version, when it has any.

    `whole` is False when the reference names more than is there.
    """

    content_hash: str
    text: str
    start: int | None
    end: int | None
    whole: bool = True


@dataclass(frozen=True)
class _Piece:
    set_key: tuple[str, str, str]
    id: str
    index: int
    text: str
    start: int | None
    end: int | None


def _pieces(chunks: Iterable[Row]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for row in chunks:
        c = named("chunk", row)
        start, end = c.get("char_start"), c.get("char_end")
        if start is None:
            start, end = _provenance(c.get("provenance"))
        text: str = c.get("text", "")
        if start is not None and end is not None and end - start != len(text):
            # Heading lines were put before the text, so its offsets do not count characters.
            start = end = None
        key = (c["content_hash"], c.get("chunker_hash", ""), c.get("schema_fingerprint", ""))
        pieces.append(_Piece(key, c["id"], c.get("index", 0), text, start, end))
    return pieces


def _provenance(text: str | None) -> tuple[int | None, int | None]:
    found: dict[str, Any] = json.loads(text) if text else {}
    return found.get("char_start"), found.get("char_end")


def _sets(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """The pieces by version and way of cutting; one text may have been cut in several."""
    sets: dict[tuple[str, str, str], dict[str, _Piece]] = {}
    for piece in pieces:
        sets.setdefault(piece.set_key, {})[piece.id] = piece
    return [sorted(s.values(), key=lambda p: p.index) for s in sets.values()]


def passage(chunks: Iterable[Row], reference: EvidenceReference) -> Passage | None:
    """The text that `reference` names out of `chunks` of its document.

    None when it is not wholly there, or when two versions share the hash prefix.
    """
    found = covered(chunks, reference)
    return found if found is not None and found.whole else None


def covered(chunks: Iterable[Row], reference: EvidenceReference) -> Passage | None:
    """As `passage`, but of a range that is only partly there the first part that is."""
    pieces = [p for p in _pieces(chunks) if p.set_key[0].startswith(reference.hash_prefix)]
    if len({p.set_key[0] for p in pieces}) != 1:
        return None
    if reference.kind == "chunk":
        return next(
            (
                Passage(p.set_key[0], p.text, p.start, p.end)
                for p in pieces
                if p.id == reference.chunk_id
            ),
            None,
        )
    start, end = reference.start or 0, reference.end or 0
    found = [
        Passage(
            one[0].set_key[0], text, at, at + len(text), (at, len(text)) == (start, end - start)
        )
        for one in _sets(pieces)
        for at, text in [_cut(one, start, end)]
        if text
    ]
    return max(found, key=lambda p: len(p.text), default=None)


def _cut(pieces: Sequence[_Piece], start: int, end: int) -> tuple[int, str]:
    """Where the first part of the range begins that is there without a gap, and its text."""
    first, at, parts = start, start, list[str]()
    for piece in sorted((p for p in pieces if p.start is not None), key=lambda p: p.start or 0):
        if at >= end:
            break
        if piece.start is None or piece.end is None or piece.end <= at or piece.start >= end:
            continue
        if piece.start > at:
            if parts:
                break
            first = at = piece.start
        parts.append(piece.text[at - piece.start : end - piece.start])
        at = piece.end
    return first, "".join(parts)


def version_text(chunks: Iterable[Row]) -> tuple[str, bool] | None:
    """The whole text of one version, and whether its offsets can be cited.

    Chunks without offsets are joined by blank lines; such a text can be read but
    not cited by characters. None when there are no chunks.
    """
    sets = _sets(_pieces(chunks))
    if not sets:
        return None
    pieces = max(sets, key=len)
    end = max((p.end or 0) for p in pieces)
    start, whole = _cut(pieces, 0, end)
    if end and (start, len(whole)) == (0, end):
        return whole, True
    return "\n\n".join(p.text for p in pieces), False
