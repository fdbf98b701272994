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
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
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
        wide = _around(now, passage, 2 * WHOLE_PARAGRAPHS) or there
        before = _between(own.before, there.before, wide.before, backwards=True)
        after = _between(own.after, there.after, wide.after)
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


def _between(old: str, new: str, wide: str, *, backwards: bool = False) -> Sequence[Segment]:
    """The difference, and beyond it nothing that only the looking cut off.

    Where the furthest paragraphs are no edit of each other, the newer text is looked at
    twice as far (`wide`), so that what was put in between does not push out what it is
    compared with; what then sticks out is left away. The blanks next to the passage are
    nobody's change: they part it from its surroundings.
    """
    gap = _gap(new, backwards=backwards) or _gap(old, backwards=backwards)
    far = 0 if backwards else -1
    ends = [_BLANK_LINE.split(text.strip())[far] for text in (old, new)]
    if is_edited(diff_words(*ends)[0]):
        segments = _with_breaks(diff_words(old.strip(), new.strip())[0])
    else:
        found = _with_breaks(diff_words(old.strip(), wide.strip())[0])
        step = -1 if backwards else 1
        segments = _trimmed(without_edge(found[::step], cut=True)[::step], backwards=backwards)
    return [*segments, *gap] if backwards else [*gap, *segments]


def _with_breaks(segments: list[Segment]) -> list[Segment]:
    """Paragraphs kept apart on both sides: a change that ends in blanks begins in them instead.

    Blanks are equal to each other, so a break may have come to stand within a change.
    """
    texts = [one.text for one in segments]
    for place in range(1, len(segments) - 1):
        kinds = [one.kind for one in segments[place - 1 : place + 2]]
        before, own, after = texts[place - 1 : place + 2]
        lead, trail = (text[len(text.rstrip()) :] for text in (before, own))
        if (kinds[0], kinds[2]) != ("same", "same") or "\n" not in lead + trail:
            continue
        if lead and trail and own.strip():
            kept = trail if "\n" in trail else lead
            opening = " " if kept is lead else lead
            texts[place - 1 : place + 2] = [
                before.rstrip(),
                opening + own.rstrip(),
                kept + after,
            ]
    return [
        one.model_copy(update={"text": text})
        for one, text in zip(segments, texts, strict=True)
        if text
    ]


def _trimmed(segments: list[Segment], *, backwards: bool) -> list[Segment]:
    """Without the blanks at the far end."""
    if not segments:
        return []
    at = 0 if backwards else -1
    text = segments[at].text
    end = segments[at].model_copy(update={"text": text.lstrip() if backwards else text.rstrip()})
    return [end, *segments[1:]] if backwards else [*segments[:-1], end]


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
