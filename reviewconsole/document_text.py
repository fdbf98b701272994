"""A document's text as pages show it: by paragraphs, with passages marked or changes named.

Pure functions. Long stretches in which nothing is marked or changed are folded, so
that a page of a long document is short; nothing of the text is left away.
"""

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby, pairwise

from django.utils.translation import gettext as _

from graphstore.changed_words import Segment, describe_changes, diff_words
from graphstore.evidence import locate, normalised, paragraphs
from reviewconsole.change_words import change_words
from reviewconsole.directions import closed

__all__ = [
    "Block",
    "Change",
    "Changes",
    "Mark",
    "Paragraph",
    "Piece",
    "as_it_breaks_lines",
    "changes_between",
    "folded_text",
    "place_of",
    "plain_lines",
]

SHORT_CHARS = 16_000
"""A text up to this length is shown whole."""

FIRST_PARAGRAPHS = 12
FOLDED_AT_LEAST = 3
MOST_SENTENCES = 12
MOST_DESCRIBED = 200
"""Changed paragraphs whose changes are put into words; a page names twelve at most."""

MOST_PARAGRAPHS = 20_000
"""Texts of more paragraphs are compared word by word at once, for half a second."""

COMPARE_SECONDS = 2.0
LONGEST_COMPARED = 3_000_000
"""Characters of both texts together; longer ones are not compared."""

NORMALISED_CHARS = 200_000
"""In longer texts a passage is looked for letter by letter only."""

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*|\r\n[^\S\n]*\r\n\s*")


@dataclass(frozen=True)
class Mark:
    """A passage that stands in the text: its number on the page and where it stands.

    0 is the one that an address names.
    """

    number: int
    start: int
    end: int


@dataclass(frozen=True)
class Piece:
    """Text within a paragraph. `begins` and `ends` number the passages that do so here.

    `here`: it is part of the passage that an address names.
    """

    text: str
    marked: bool = False
    here: bool = False
    begins: Sequence[int] = ()
    ends: Sequence[int] = ()


@dataclass(frozen=True)
class Paragraph:
    pieces: Sequence[Piece]

    @property
    def marked(self) -> bool:
        return any(piece.marked for piece in self.pieces)

    @property
    def words(self) -> int:
        return len("".join(piece.text for piece in self.pieces).split())


@dataclass(frozen=True)
class Block:
    """Neighbouring paragraphs, folded to one line or not."""

    paragraphs: Sequence[Paragraph]
    folded: bool = False

    @property
    def words(self) -> int:
        return sum(paragraph.words for paragraph in self.paragraphs)


def place_of(cited: str, text: str, near: int = 0) -> tuple[int, int] | None:
    """Where a cited passage stands in `text` word for word, spacing aside."""
    if not cited.strip():
        return None
    if len(text) > NORMALISED_CHARS:
        start = text.find(cited)
        return (start, start + len(cited)) if start >= 0 else None
    found = locate(cited, text, near)
    return (found.start, found.end) if found.kind != "none" else None


def folded_text(text: str, marks: Iterable[Mark] = ()) -> list[Block]:
    """The text by paragraphs with its passages marked, long unmarked stretches folded."""
    listed = sorted(marks, key=lambda mark: mark.start)
    shown = [Paragraph(list(_pieces(text, a, b, listed))) for a, b in _ranges(text)]
    if len(text) <= SHORT_CHARS:
        return [Block(shown)] if shown else []
    return list(_blocks(shown))


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    """The paragraphs, with what stands before the first letter on their first line."""
    for start, end in paragraphs(text):
        yield text.rfind("\n", 0, start) + 1, end


def _pieces(text: str, start: int, end: int, marks: Sequence[Mark]) -> Iterator[Piece]:
    here = [mark for mark in marks if mark.start < end and mark.end > start]
    inner = {point for mark in here for point in (mark.start, mark.end) if start < point < end}
    cuts = sorted({start, end, *inner})
    for low, high in pairwise(cuts):
        over = [mark for mark in here if mark.start < high and mark.end > low]
        yield Piece(
            text[low:high],
            marked=bool(over),
            here=any(mark.number == 0 for mark in over),
            begins=[m.number for m in over if low == max(m.start, start) and m.start >= start],
            ends=[m.number for m in over if high == m.end or (high == end and _ends(text, m, end))],
        )


def _ends(text: str, mark: Mark, end: int) -> bool:
    """Whether nothing but blanks of the passage is left beyond `end`."""
    return mark.end >= end and not text[end : mark.end].strip()


def _blocks(shown: Sequence[Paragraph]) -> Iterator[Block]:
    first, length = 0, 0
    while first < min(FIRST_PARAGRAPHS, len(shown)) and length < SHORT_CHARS:
        length += sum(len(piece.text) for piece in shown[first].pieces)
        first += 1
    yield Block(shown[:first])
    for marked, group in groupby(shown[first:], key=lambda paragraph: paragraph.marked):
        run = list(group)
        yield Block(run, folded=not marked and len(run) >= FOLDED_AT_LEAST)


@dataclass(frozen=True)
class Change:
    """One paragraph of a comparison: `same`, `changed`, `new` or `gone`.

    `number` counts those that are not the same, from 1; 0 for those that are.
    """

    kind: str
    segments: Sequence[Segment]
    number: int = 0

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)

    @property
    def words(self) -> int:
        return len(self.text.split())


@dataclass(frozen=True)
class Run:
    """Neighbouring paragraphs of a comparison; those that are the same are folded."""

    paragraphs: Sequence[Change]
    folded: bool

    @property
    def words(self) -> int:
        return sum(paragraph.words for paragraph in self.paragraphs)


@dataclass(frozen=True)
class Changes:
    """What became of one text in another.

    `sentences` name changes that may change the meaning, each with the number of
    the paragraph that it is about. `stopped_early`: the comparison ran out of time,
    so it may show more as changed than is. `too_long`: it was not even begun.
    """

    runs: Sequence[Run] = ()
    sentences: Sequence[tuple[int, str]] = ()
    more_sentences: bool = False
    stopped_early: bool = False
    too_long: bool = False
    counts: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def any(self) -> bool:
        return any(self.counts.values())


def changes_between(old: str, new: str) -> Changes:
    """The paragraphs of both texts, those that are the same folded, and the changes in words."""
    if len(old) + len(new) > LONGEST_COMPARED:
        return Changes(too_long=True)
    rows, stopped_early = _rows(old, new)
    listed = list(_numbered(rows))
    sentences, more = _in_words([one for one in listed if one.number])
    runs = [
        Run(list(group), folded=same)
        for same, group in groupby(listed, key=lambda one: one.kind == "same")
    ]
    return Changes(
        runs,
        sentences,
        more,
        stopped_early,
        counts={
            kind: sum(one.kind == kind for one in listed) for kind in ("changed", "new", "gone")
        },
    )


def _rows(old: str, new: str) -> tuple[list[list[Segment]], bool]:
    """Segments by paragraph: whole paragraphs first, then the words of those replaced."""
    was = [old[start:end] for start, end in _ranges(old)]
    now = [new[start:end] for start, end in _ranges(new)]
    if len(was) + len(now) > MOST_PARAGRAPHS:
        segments, stopped = diff_words(old, new)
        return list(_by_paragraph(segments)), stopped
    matcher = SequenceMatcher(None, [*map(normalised, was)], [*map(normalised, now)])
    until, stopped_early = time.monotonic() + COMPARE_SECONDS, False
    rows: list[list[Segment]] = []
    for operation, a, b, c, d in matcher.get_opcodes():
        if operation == "replace" and time.monotonic() < until:
            segments, stopped = diff_words("\n\n".join(was[a:b]), "\n\n".join(now[c:d]))
            stopped_early = stopped_early or stopped
            rows += _by_paragraph(segments)
        elif operation == "equal":
            rows += [[Segment(kind="same", text=text)] for text in now[c:d]]
        else:
            stopped_early = stopped_early or operation == "replace"
            rows += [[Segment(kind="deleted", text=text)] for text in was[a:b]]
            rows += [[Segment(kind="inserted", text=text)] for text in now[c:d]]
    return rows, stopped_early


def _by_paragraph(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """The segments cut at blank lines.

    Where paragraphs were replaced, the old ones end before the new ones begin.
    """
    row: list[Segment] = []
    before: Segment | None = None
    for segment in segments:
        parts = _BLANK_LINES.split(segment.text)
        replaced = before is not None and {before.kind, segment.kind} == {"deleted", "inserted"}
        if replaced and before is not None and (len(parts) > 1 or _breaks(before)):
            yield row
            row = []
        for place, part in enumerate(parts):
            if place:
                yield row
                row = []
            if part:
                row.append(Segment(kind=segment.kind, text=part))
        before = segment
    yield row


def _breaks(segment: Segment) -> bool:
    return bool(_BLANK_LINES.search(segment.text))


def _numbered(rows: Iterable[list[Segment]]) -> Iterator[Change]:
    number = 0
    for row in rows:
        written = [segment for segment in row if segment.text.strip()]
        if not written:
            continue
        kinds = {segment.kind for segment in written}
        kind = {
            frozenset({"same"}): "same",
            frozenset({"inserted"}): "new",
            frozenset({"deleted"}): "gone",
        }.get(frozenset(kinds), "changed")
        number += kind != "same"
        yield Change(kind, row, 0 if kind == "same" else number)


def _in_words(changed: Sequence[Change]) -> tuple[list[tuple[int, str]], bool]:
    said: dict[str, int] = {}
    for change in changed[:MOST_DESCRIBED]:
        for sentence in _sentences(change):
            said.setdefault(sentence, change.number)
        if len(said) > MOST_SENTENCES:
            break
    listed = [(number, sentence) for sentence, number in said.items()]
    more = len(listed) > MOST_SENTENCES or len(changed) > MOST_DESCRIBED
    return listed[:MOST_SENTENCES], more


def _sentences(change: Change) -> list[str]:
    if change.kind == "changed":
        return [change_words(one) for one in describe_changes(list(change.segments))]
    said = (
        _("a paragraph is new: “%(text)s”")
        if change.kind == "new"
        else _("a paragraph is gone: “%(text)s”")
    )
    return [said % {"text": closed(_beginning(change.text))}]


def _beginning(text: str, most: int = 60) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[:most].rsplit(' ', 1)[0]} …"


def plain_lines(text: str) -> str:
    """The text with line feeds only, whatever a browser or a file made of its line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def as_it_breaks_lines(text: str, current: str | None) -> str:
    """What a person sent, with the line ends of the text that they were shown.

    A form sends every line end as CR LF. Written down so, a text that nobody
    touched would be another one, and flag everybody who cites it.
    """
    sent = plain_lines(text)
    if current is None or "\r" not in current:
        return sent
    if plain_lines(current) == sent:
        return current
    return sent.replace("\n", "\r\n") if current.count("\r\n") == current.count("\n") else sent
