"""Passages as places in a text: find one again, cut out what surrounds it.

Pure functions. Old offsets are never trusted; they only break ties between equal
findings. Every search is linear in the text, or has a limit.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Literal

from rapidfuzz import fuzz

from graphstore.changed_words import Segment
from graphstore.ids import evidence_id
from graphstore.records import Record

__all__ = [
    "CONTEXT_CHARS",
    "Located",
    "Normalised",
    "PassageNow",
    "best_window",
    "locate",
    "normalised",
    "paragraphs",
    "passage_at",
    "sentences",
]

CONTEXT_CHARS = 300
"""How much of the text around a passage is shown on either side, at most."""

_ALIKE = 70.0
_ALIKE_SHORT = 82.0
"""How alike a window must be; short passages resemble anything, so they need more."""

_NEAR_CHARS = 170
"""How much of the surroundings stands beside a passage at first sight."""

_SHORT_CHARS = 24
_LONG_CHARS = 4_000
_ALIGNMENT_BUDGET = 200_000_000
"""Characters of passage times text up to which the whole text is aligned at once."""


@dataclass(frozen=True)
class Located:
    """Where a passage stands in a text: offsets into that text, end exclusive.

    `normalised` means found after Unicode and spacing were made alike. With
    `none` both offsets are 0.
    """

    kind: Literal["exact", "normalised", "none"]
    start: int = 0
    end: int = 0


class PassageNow(Record):
    """A passage of the present text with what stands around it.

    `evidence_id` is empty unless the document and its hash were given. The two
    flags say whether the text goes on beyond `before` and `after`, or beyond the segments
    where there are any. Those tell of the surroundings, and how they changed.
    """

    evidence_id: str = ""
    text: str
    start: int
    end: int
    before: str = ""
    after: str = ""
    cut_before: bool = False
    cut_after: bool = False
    before_segments: Sequence[Segment] = ()
    after_segments: Sequence[Segment] = ()

    @property
    def lead(self) -> "Surrounding":
        """What stands right before: the end of its paragraph, or of the one before it."""
        pieces = _BLANK_LINE.split(self.before)
        apart = len(pieces) > 1 and not pieces[-1].strip()
        nearest = pieces[-2 if apart else -1]
        tail = nearest[-_NEAR_CHARS:]
        blank = re.search(r"\s", tail) if len(tail) < len(nearest) else None
        return Surrounding(
            text=tail[blank.end() :] if blank else tail,
            apart=apart,
            cut=len(tail) < len(nearest) or (nearest == pieces[0] and self.cut_before),
        )

    @property
    def trail(self) -> "Surrounding":
        """What stands right after: the rest of its paragraph, or the start of the next."""
        pieces = _BLANK_LINE.split(self.after)
        apart = len(pieces) > 1 and not pieces[0].strip()
        nearest = pieces[1 if apart else 0]
        head = nearest[:_NEAR_CHARS]
        blank = re.search(r"\s\S*\Z", head) if len(head) < len(nearest) else None
        return Surrounding(
            text=head[: blank.start()] if blank else head,
            apart=apart,
            cut=len(head) < len(nearest) or (nearest == pieces[-1] and self.cut_after),
        )


class Surrounding(Record):
    """A little text beside a passage: whether a blank line parts them, whether it is cut off."""

    text: str
    apart: bool
    cut: bool


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")


def normalised(text: str) -> str:
    """`text` in Unicode NFC, each run of white space one blank, none at the ends."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def locate(passage: str, text: str, near: int = 0, spread: "Normalised | None" = None) -> Located:
    """Where `passage` stands in `text`: word for word, or after normalisation.

    Of several places the one whose start is closest to `near` is taken. A blank
    passage is nowhere. `spread` is `text` after normalisation, where somebody has it.
    """
    wanted = normalised(passage)
    if not wanted:
        return Located("none")
    start = _nearest(passage, text, near)
    if start is not None:
        return Located("exact", start, start + len(passage))
    spread = spread or Normalised.of(text)
    found = _nearest(wanted, spread.text, spread.position(near))
    if found is None:
        return Located("none")
    start, end = spread.span(found, found + len(wanted))
    if normalised(text[start:end]) != wanted:
        # The finding begins or ends inside a composed character of the text.
        return Located("none")
    return Located("normalised", start, end)


def _nearest(passage: str, text: str, near: int) -> int | None:
    near = max(0, min(near, len(text)))
    behind = text.rfind(passage, 0, min(len(text), near + len(passage)))
    ahead = text.find(passage, near)
    found = [start for start in (behind, ahead) if start >= 0]
    return min(found, key=lambda start: abs(start - near), default=None)


@dataclass(frozen=True)
class Normalised:
    """A text after normalisation, with the way back to the original offsets.

    Words are the unit: `starts` are where each begins here, `words` and `origins`
    what it is in the original and where.
    """

    text: str
    words: list[str]
    starts: list[int]
    origins: list[tuple[int, int]]

    @classmethod
    def of(cls, text: str) -> "Normalised":
        composed: list[str] = []
        originals: list[str] = []
        starts: list[int] = []
        origins: list[tuple[int, int]] = []
        length = 0
        for match in re.finditer(r"\S+", text):
            word = unicodedata.normalize("NFC", match[0])
            composed.append(word)
            originals.append(match[0])
            starts.append(length)
            origins.append(match.span())
            length += len(word) + 1
        return cls(" ".join(composed), originals, starts, origins)

    def position(self, offset: int) -> int:
        """About where the original `offset` stands here."""
        index = bisect_right(self.origins, (offset, len(self.text) + offset)) - 1
        if index < 0:
            return 0
        start, end = self.origins[index]
        return self.starts[index] + min(offset - start, end - start)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original offsets of a span that neither begins nor ends with a blank."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return (
            self._origin(first, start - self.starts[first]),
            self._origin(last, end - self.starts[last]),
        )

    def _origin(self, index: int, within: int) -> int:
        start, end = self.origins[index]
        following = self.starts[index + 1] - 1 if index + 1 < len(self.starts) else len(self.text)
        length = following - self.starts[index]
        if within >= length:
            return end
        if length == end - start:
            return start + within
        return start + _unfolded(self.words[index], within)


def _unfolded(word: str, within: int) -> int:
    """How much of `word` composes to its first `within` characters.

    Words beyond any language are not searched; the caller checks what it gets.
    """
    whole = unicodedata.normalize("NFC", word)
    for length in range(min(len(word), 400) + 1):
        head = unicodedata.normalize("NFC", word[:length])
        if len(head) == within and head + unicodedata.normalize("NFC", word[length:]) == whole:
            return length
    return len(word)


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Offsets of the paragraphs of `text`: apart at blank lines, without outer blanks."""
    found: list[tuple[int, int]] = []
    start: int | None = None
    end = position = 0
    for line in text.splitlines(keepends=True):
        inner = line.strip()
        if inner:
            begin = position + line.index(inner)
            start = begin if start is None else start
            end = begin + len(inner)
        elif start is not None:
            found.append((start, end))
            start = None
        position += len(line)
    if start is not None:
        found.append((start, end))
    return found


def sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Offsets of the sentences of `text` from `start` to `end`, each with the blanks after it."""
    cuts = [m.end() + start for m in _SENTENCE_END.finditer(text[start:end])]
    inner = [cut for cut in cuts if start < cut < end]
    return list(pairwise([start, *inner, end]))


def best_window(passage: str, text: str) -> tuple[int, int] | None:
    """The part of `text` that `passage` most likely became, in whole sentences.

    None when nothing is at least 70 in 100 alike (short passages: 82). Beyond
    4,000 characters likeness is counted in words instead of characters.
    """
    if not passage.strip() or not text.strip():
        return None
    if len(passage) > _LONG_CHARS:
        return _long_window(passage, text)
    offset, region = _region(passage, text)
    least = _ALIKE if len(passage) >= _SHORT_CHARS else _ALIKE_SHORT
    alignment = fuzz.partial_ratio_alignment(passage, region, score_cutoff=least)
    if alignment is None or alignment.dest_start == alignment.dest_end:
        return None
    if len(region) < len(passage):
        return _trim(text, offset, offset + len(region))
    start, end = offset + alignment.dest_start, offset + alignment.dest_end
    wanted = normalised(passage)
    return max(
        _candidates(passage, text, start, end),
        key=lambda span: fuzz.ratio(wanted, normalised(text[span[0] : span[1]])),
    )


def _long_window(passage: str, text: str) -> tuple[int, int] | None:
    start, end, share = _most_shared(passage, text)
    return _candidates(passage, text, start, end)[0] if share >= _ALIKE / 100 else None


def _region(passage: str, text: str) -> tuple[int, str]:
    """The part of `text` worth aligning, and where it begins.

    Aligning costs passage times text. Beyond a budget the text is first narrowed
    to what surrounds the stretch that shares the most words with the passage.
    """
    if len(passage) * len(text) <= _ALIGNMENT_BUDGET:
        return 0, text
    start, end, _ = _most_shared(passage, text)
    reach = len(passage)
    return max(0, start - reach), text[max(0, start - reach) : end + reach]


def _most_shared(passage: str, text: str) -> tuple[int, int, float]:
    """The stretch of as many words as the passage that shares most with it.

    Also the share itself, repeated words counted as often as the passage has them.
    One pass, however long either is.
    """
    missing = Counter(match[0].lower() for match in re.finditer(r"\w+", passage))
    length = missing.total()
    words = [(match.start(), match.end(), match[0].lower()) for match in re.finditer(r"\w+", text)]
    shared = best = best_first = 0
    for index, (_, _, word) in enumerate(words):
        shared += missing[word] > 0
        missing[word] -= 1
        if index >= length:
            left = words[index - length][2]
            missing[left] += 1
            shared -= missing[left] > 0
        if shared > best:
            best, best_first = shared, max(0, index - length + 1)
    if not best:
        return 0, min(len(passage), len(text)), 0.0
    last = min(best_first + length, len(words)) - 1
    return words[best_first][0], words[last][1], best / length


_SENTENCE_END = re.compile(r"[.!?][\"'”’»)\]]*\s+|[。！？]|\s*[\r\n]+\s*")


def _candidates(passage: str, text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of whole sentences around `start` to `end`, the closest to it first.

    Text without sentences, or with endless ones, gives the words that the span
    touches. Only spans that are not much longer than the passage count.
    """
    margin = max(400, len(passage) // 2)
    low, high = max(0, start - margin), min(len(text), end + margin)
    cuts = [(m.start() + low, m.end() + low) for m in _SENTENCE_END.finditer(text[low:high])]
    if low == 0:
        cuts.insert(0, (0, 0))
    if high == len(text):
        cuts.append((high, high))
    openings = [after for _, after in cuts if after < end]
    closings = [_with_stop(text, before, after) for before, after in cuts if before > start]
    spans = {
        _trim(text, a, b)
        for a, b in product(_closest(openings, start), _closest(closings, end))
        if a < b and text[a:b].strip()
    }
    most = max(2 * len(passage), len(passage) + 200)
    fitting = [(a, b) for a, b in spans if b - a <= most] or [_whole_words(text, start, end)]
    return sorted(fitting, key=lambda span: (abs(span[0] - start) + abs(span[1] - end), span))


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    head = re.search(r"\S*\Z", text[max(0, start - 60) : start])
    tail = re.match(r"\S*", text[end : end + 60])
    start -= len(head[0]) if head else 0
    end += len(tail[0]) if tail else 0
    return _trim(text, start, end)


def _with_stop(text: str, before: int, after: int) -> int:
    """Where a sentence ends, its stop and closing marks included."""
    return before + len(text[before:after].rstrip())


def _closest(offsets: Iterable[int], to: int, count: int = 4) -> list[int]:
    return sorted(offsets, key=lambda offset: (abs(offset - to), offset))[:count]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


def passage_at(
    text: str, start: int, end: int, *, document_id: str = "", content_hash: str = ""
) -> PassageNow:
    """The characters `start` to `end` of `text` with what stands around them.

    With the document's node id and the hash of `text` it gets its evidence id.
    """
    low, high = _readable_cut(text, start, end)
    named = document_id and content_hash
    return PassageNow(
        evidence_id=evidence_id(document_id, content_hash, start, end) if named else "",
        text=text[start:end],
        start=start,
        end=end,
        before=text[low:start],
        after=text[end:high],
        cut_before=bool(text[:low].strip()) if low else False,
        cut_after=high < len(text) and not text[high:].isspace(),
    )


def _readable_cut(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the surroundings begin and end, between words rather than inside one."""
    low, high = max(0, start - CONTEXT_CHARS), min(len(text), end + CONTEXT_CHARS)
    if low > 0 and (blank := re.search(r"\s", text[low:start])):
        low += blank.end()
    if high < len(text) and (blank := re.search(r"\s\S*\Z", text[end:high])):
        high = end + blank.start()
    return low, high
