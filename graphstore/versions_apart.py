"""How two versions of one document differ, paragraph by paragraph.

Made once for a pair of versions and asked for each passage that was cited from the
older one. Pure functions; the cost is that of aligning the paragraphs between the first
and the last that differ, beyond a limit that of finding equal ones.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from graphstore.locating import Normalised, normalised, paragraphs

__all__ = ["Changed", "Paragraphs", "VersionsApart", "without_number", "words"]

Span = tuple[int, int]

_MOST_ALIGNED = 4_000
"""Paragraphs on either side of which the alignment is looked for."""

_MOST_PAIRED = 60
"""Paragraphs put in the place of others that are paired by likeness; more are paired in order."""

_ALIKE = 60.0
"""How alike two paragraphs must be for one to have become the other."""

_LEAST_SHARED = 2
_FEW = 3
"""Paragraphs that may hold all the words that two share: themselves, and one as it was."""

_LONGEST_TITLE = 90
_MARKED_TITLE = re.compile(r"^[ ]{0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_UNDERLINED_TITLE = re.compile(r"^(\S.*)\n(=+|-+)[ \t]*$", re.MULTILINE)
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|article|part|annex|appendix|clause|§)\s*(?:\d[\d.]*|[a-z]{1,4})\b[.:)]?"
    r"|\d[\d.]*[.:)]?|[a-z]{1,4}[.:)])(?:\s+|$)",
    re.IGNORECASE,
)
_NUMBERED_TITLE = re.compile(
    r"^(?:(?:chapter|section|article|part|annex|appendix|clause|§)\s*\S+|\d+(?:\.\d+)*[.)]?)\s+\S",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_][\w'’-]{3,}")


@dataclass(frozen=True)
class _Title:
    start: int
    level: int
    text: str


@dataclass(frozen=True)
class Paragraphs:
    """The paragraphs of a text, by number from 0: where each stands and what it says."""

    text: str
    spans: Sequence[Span]
    said: Sequence[str]
    """What each says, spacing and Unicode made alike."""

    @classmethod
    def of(cls, text: str) -> "Paragraphs":
        spans = paragraphs(text)
        return cls(text, spans, [normalised(text[start:end]) for start, end in spans])

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.spans]

    @cached_property
    def _titles(self) -> list[_Title]:
        found = [_Title(m.start(), len(m[1]), m[2]) for m in _MARKED_TITLE.finditer(self.text)]
        found += [
            _Title(m.start(), 1 if m[2].startswith("=") else 2, m[1].strip())
            for m in _UNDERLINED_TITLE.finditer(self.text)
        ]
        if not found:
            found = list(self._numbered_titles())
        return sorted(found, key=lambda title: title.start)

    @cached_property
    def _title_starts(self) -> list[int]:
        return [title.start for title in self._titles]

    def _numbered_titles(self) -> Iterator[_Title]:
        """In a text without marks: short lines that stand alone and begin with a number."""
        for (start, end), said in zip(self.spans, self.said, strict=True):
            if (
                len(said) <= _LONGEST_TITLE
                and "\n" not in self.text[start:end]
                and said[-1] not in ".;,!?"
                and _NUMBERED_TITLE.match(said)
            ):
                numbers = re.match(r"\d+(?:\.\d+)*", said)
                yield _Title(start, numbers[0].count(".") + 1 if numbers else 1, said)

    def headings(self, at: int) -> tuple[str, ...]:
        """The titles under which the character `at` stands, the outermost first."""
        path: list[_Title] = []
        for title in self._titles:
            if title.start > at:
                break
            path = [one for one in path if one.level < title.level]
            path.append(title)
        return tuple(normalised(one.text) for one in path)

    def is_title(self, number: int) -> bool:
        start, end = self.spans[number]
        place = bisect_right(self._title_starts, end) - 1
        return place >= 0 and self._title_starts[place] >= start

    def of_span(self, start: int, end: int) -> range:
        """The paragraphs that a passage touches."""
        first = max(0, bisect_right(self._starts, start) - 1)
        if self.spans and self.spans[first][1] <= start:
            first += 1
        last = first
        while last < len(self.spans) and self.spans[last][0] < end:
            last += 1
        return range(first, last)

    def beside(self, start: int, end: int) -> tuple[str, str]:
        """What stands before and after a passage: the rest of its paragraph, and the next one.

        Empty where a title or the end of the text comes first.
        """
        own = self.of_span(start, end)
        if not own:
            return "", ""
        lead = self.text[self.spans[own[0]][0] : start]
        trail = self.text[end : self.spans[own[-1]][1]]
        before, after = own[0] - 1, own[-1] + 1
        previous = self.said[before] if before >= 0 and not self.is_title(before) else ""
        following = self.said[after] if after < len(self.spans) and not self.is_title(after) else ""
        return normalised(f"{previous} {lead}"), normalised(f"{trail} {following}")


@dataclass(frozen=True)
class Changed:
    """A paragraph that is not as it was: its number then, now, or both when it was edited."""

    then: int | None
    now: int | None


@dataclass(frozen=True)
class VersionsApart:
    """The older and the newer version, with what became of each paragraph.

    `partners` are the numbers of older paragraphs by that of the newer one which is the same,
    or became of it.
    """

    old: Paragraphs
    new: Paragraphs
    partners: dict[int, int] = field(repr=False)

    @classmethod
    def of(cls, old: str, new: str) -> "VersionsApart":
        before, after = Paragraphs.of(old), Paragraphs.of(new)
        return cls(before, after, dict(_partners(before.said, after.said)))

    @cached_property
    def changed(self) -> list[Changed]:
        """In the order of the newer text, what is gone last."""
        kept = set(self.partners.values())
        return [
            Changed(self.partners.get(number), number)
            for number, said in enumerate(self.new.said)
            if (then := self.partners.get(number)) is None or self.old.said[then] != said
        ] + [Changed(number, None) for number in range(len(self.old.said)) if number not in kept]

    @cached_property
    def spread(self) -> Normalised:
        """The newer text after normalisation."""
        return Normalised.of(self.new.text)

    def only_of(self, own: range) -> str:
        """The newer text, with blanks in place of each paragraph that another one became.

        What is left is what the paragraphs `own` of the older text may have become.
        """
        parts, at = list[str](), 0
        for number, (start, end) in enumerate(self.new.spans):
            then = self.partners.get(number)
            if then is not None and then not in own:
                parts += [self.new.text[at:start], " " * (end - start)]
                at = end
        return "".join([*parts, self.new.text[at:]])

    @cached_property
    def _holders(self) -> dict[str, set[tuple[bool, int]]]:
        """By word, the paragraphs of both versions that hold it, unchanged ones once."""
        found: dict[str, set[tuple[bool, int]]] = {}
        gone = [one.then for one in self.changed if one.then is not None]
        paragraphs = [((True, number), said) for number, said in enumerate(self.new.said)]
        paragraphs += [((False, number), self.old.said[number]) for number in gone]
        for place, said in paragraphs:
            for word in words(said):
                found.setdefault(word, set()).add(place)
        return found

    @cached_property
    def changed_words(self) -> list[tuple[Changed, set[str]]]:
        """Each changed paragraph with its words, then and now."""
        return [
            (
                one,
                words(
                    f"{'' if one.then is None else self.old.said[one.then]} "
                    f"{'' if one.now is None else self.new.said[one.now]}"
                ),
            )
            for one in self.changed
        ]

    def is_telling(self, shared: set[str]) -> bool:
        """Whether texts that share these words speak of the same thing.

        They do when hardly any other paragraph holds all of them, one being a word that
        is rare by itself.
        """
        holders = sorted((self._holders.get(word, set()) for word in shared), key=len)
        if len(holders) < _LEAST_SHARED or len(holders[0]) > max(3, len(self.new.said) // 10):
            return False
        return len(set[tuple[bool, int]].intersection(*holders)) <= _FEW


def words(text: str) -> set[str]:
    """The longer words of a text, however they are written."""
    return {match[0].casefold() for match in _WORD.finditer(text)}


def without_number(title: str) -> str:
    """A title without what only counts it: inserting a chapter renames none."""
    rest = _NUMBERING.sub("", title, count=1)
    return rest or title


def _partners(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of a newer paragraph and the older one that it is or was."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        yield head, head
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        yield len(new) - 1 - tail, len(old) - 1 - tail
        tail += 1
    inner_old, inner_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(inner_old), len(inner_new)) > _MOST_ALIGNED:
        pairs = _equal_ones(inner_old, inner_new)
    else:
        pairs = _aligned(inner_old, inner_new)
    for after, before in pairs:
        yield head + after, head + before


def _equal_ones(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    places = {said: number for number, said in reversed(list(enumerate(old)))}
    for number, said in enumerate(new):
        if said in places:
            yield number, places.pop(said)


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    before = after = 0
    for block in Indel.opcodes(old, new).as_matching_blocks():
        yield from _paired(old, new, range(before, block.a), range(after, block.b))
        for step in range(block.size):
            yield block.b + step, block.a + step
        before, after = block.a + block.size, block.b + block.size


def _paired(
    old: Sequence[str], new: Sequence[str], gone: range, came: range
) -> Iterator[tuple[int, int]]:
    """Of paragraphs put in the place of others, which became which, in order."""
    if not gone or not came:
        return
    if max(len(gone), len(came)) > _MOST_PAIRED:
        yield from ((b, a) for a, b in zip(gone, came, strict=False))
        return
    place = came.start
    for before in gone:
        for after in range(place, came.stop):
            if fuzz.ratio(old[before], new[after], score_cutoff=_ALIKE):
                yield after, before
                place = after + 1
                break
