"""What stands around a passage, then and now: two whole paragraphs on either side."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphstore.changed_words import Segment, diff_words
from graphstore.evidence import Comparison, is_edited, without_edge
from graphstore.locating import PassageNow, paragraphs

__all__ = ["in_context"]

WHOLE_PARAGRAPHS = 2
REACH_CHARS = 6_000
"""How far the text is looked at for them; a paragraph that is longer still is cut."""

_OPENS = re.compile(r"(?:\A|\n[^\S\n]*\n)\s*\Z")
_CLOSES = re.compile(r"\s*?(?:\n[^\S\n]*\n|\Z)")


@dataclass(frozen=True)
class _Around:
    before: str
    after: str
    cut_before: bool
    cut_after: bool


def in_context(
    comparison: Comparison,
    cited: PassageNow | None,
    then: str,
    passage: PassageNow | None,
    now: str,
) -> tuple[PassageNow | None, PassageNow | None]:
    """Both passages with their surroundings as segments, from `then`, the version cited, to `now`.

    Where what stands around them is still the same text, edited or not, the present passage
    carries the difference and the cited one nothing; else each carries its own surroundings.
    A text that cannot be read by characters is empty, and its passage stays as it is.
    """
    own = _around(then, cited) if cited else None
    there = _around(now, passage) if passage else None
    if cited and passage and own and there and comparison is not Comparison.MOVED:
        # The newer text is looked at twice as far, so that what was put in between does not
        # push out what it is compared with; what then sticks out is left away.
        wide = _around(now, passage, 2 * WHOLE_PARAGRAPHS) or there
        before = _between(own.before, wide.before, backwards=True)
        after = _between(own.after, wide.after)
        if is_edited(before) and is_edited(after):
            return cited, _with(passage, before, after, there)
    return (
        _with(cited, _same(own.before), _same(own.after), own) if cited and own else cited,
        _with(passage, _same(there.before), _same(there.after), there)
        if passage and there
        else passage,
    )


def _around(text: str, passage: PassageNow, count: int = WHOLE_PARAGRAPHS) -> _Around | None:
    """The rest of its own paragraph and so many more on either side; None where it is not there."""
    start, end = passage.start, passage.end
    if not text or text[start:end] != passage.text:
        return None
    low, high = max(0, start - REACH_CHARS), min(len(text), end + REACH_CHARS)
    before, after = text[low:start], text[end:high]
    wanted = count + (_OPENS.search(before) is None)
    spans = paragraphs(before)
    begin = spans[-wanted][0] if len(spans) >= wanted else (spans[0][0] if spans else 0)
    wanted = count + (_CLOSES.match(after) is None)
    spans = paragraphs(after)
    finish = spans[wanted - 1][1] if len(spans) >= wanted else (spans[-1][1] if spans else 0)
    return _Around(
        before[begin:],
        after[:finish],
        cut_before=low + begin > 0 and bool(text[: low + begin].strip()),
        cut_after=bool(text[end + finish :].strip()),
    )


def _between(old: str, new: str, *, backwards: bool = False) -> Sequence[Segment]:
    """The difference, without the far end that only the looking cut off.

    The blanks next to the passage are nobody's change: they part it from its surroundings.
    """
    gap = _gap(new, backwards=backwards) or _gap(old, backwards=backwards)
    segments, _ = diff_words(old.strip(), new.strip())
    if backwards:
        return [*without_edge(segments[::-1], cut=True)[::-1], *gap]
    return [*gap, *without_edge(segments, cut=True)]


def _gap(text: str, *, backwards: bool) -> list[Segment]:
    blanks = text[len(text.rstrip()) :] if backwards else text[: len(text) - len(text.lstrip())]
    return [Segment(kind="same", text=blanks)] if blanks and text.strip() else []


def _same(text: str) -> Sequence[Segment]:
    return [Segment(kind="same", text=text)] if text.strip() else []


def _with(
    passage: PassageNow, before: Sequence[Segment], after: Sequence[Segment], around: _Around
) -> PassageNow:
    return passage.model_copy(
        update={
            "before_segments": before,
            "after_segments": after,
            "cut_before": around.cut_before,
            "cut_after": around.cut_after,
        }
    )
