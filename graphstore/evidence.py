"""Say what became of a cited passage.

Pure functions over text: no store, no clock, and nothing that takes longer the
way a large document would make it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from graphstore.changed_words import (
    NEARBY,
    STOPPED_EARLY,
    Segment,
    Sentence,
    describe_changes,
    diff_words,
)
from graphstore.dangers import Danger
from graphstore.locating import (
    CONTEXT_CHARS,
    Located,
    Normalised,
    PassageNow,
    best_window,
    locate,
    normalised,
    paragraphs,
    passage_at,
)

__all__ = [
    "COMPARISON_VERSION",
    "CONTEXT_CHARS",
    "Comparison",
    "Danger",
    "Located",
    "Newer",
    "PassageNow",
    "Segment",
    "best_window",
    "compare",
    "is_edited",
    "locate",
    "normalised",
    "paragraphs",
    "passage_at",
    "without_edge",
]

COMPARISON_VERSION = "2"
"""Raised whenever the same texts may compare otherwise; kept with each verdict."""

_SURROUNDINGS_CHARS = 200
"""How much on either side must be as it was for the surroundings to be unchanged."""


_CHANCE_CHARS = 30
"""Equal words shorter than this, beyond a longer change, are equal by chance."""


class Comparison(StrEnum):
    """What the machine found about one support. Never a verdict.

    Unchanged is not the same as still true, so none of these clears a flag.
    """

    # Documents
    IDENTICAL = "identical"
    """The whole text is as it was; only structure or format changed."""
    VERBATIM = "verbatim"
    SURROUNDINGS_CHANGED = "surroundings_changed"
    MOVED = "moved"
    EDITED = "edited"
    NOT_FOUND = "not_found"
    REMOVED = "removed"
    UNREADABLE = "unreadable"
    """The version that was cited can no longer be read."""
    FAILED = "failed"
    NOT_COMPARED = "not_compared"
    # Events
    INTACT = "intact"
    CUT = "cut"
    REDACTED = "redacted"
    DELETED = "deleted"
    # Decisions
    CLEAR = "clear"
    FLAGGED = "flagged"
    UNKNOWN = "unknown"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"

    @property
    def rank(self) -> int:
        """Place in a list that shows the worst first: 0 is worst."""
        return _WORST_FIRST.index(self)

    @property
    def quiet(self) -> bool:
        """Whether nothing about this support asks to be looked at."""
        return self in _QUIET

    @property
    def word_for_word(self) -> bool:
        """Whether the cited passage stands in the present text as it was cited."""
        return self in _WORD_FOR_WORD


_WORST_FIRST = (
    Comparison.REMOVED,
    Comparison.DELETED,
    Comparison.REDACTED,
    Comparison.NOT_FOUND,
    Comparison.REJECTED,
    Comparison.EDITED,
    Comparison.SUPERSEDED,
    Comparison.FLAGGED,
    Comparison.FAILED,
    Comparison.UNREADABLE,
    Comparison.NOT_COMPARED,
    Comparison.CUT,
    Comparison.MOVED,
    Comparison.SURROUNDINGS_CHANGED,
    Comparison.UNKNOWN,
    Comparison.VERBATIM,
    Comparison.IDENTICAL,
    Comparison.INTACT,
    Comparison.CLEAR,
)
_QUIET = frozenset({Comparison.VERBATIM, Comparison.IDENTICAL, Comparison.INTACT, Comparison.CLEAR})
_WORD_FOR_WORD = frozenset(
    {
        Comparison.IDENTICAL,
        Comparison.VERBATIM,
        Comparison.SURROUNDINGS_CHANGED,
        Comparison.MOVED,
    }
)


@dataclass(frozen=True)
class Newer:
    """What whoever compares many passages with one text works out once.

    `spread` gives the text after normalisation, `candidates` the text with blanks where
    nothing is that the passage at hand may have become.
    """

    spread: Callable[[], Normalised]
    candidates: Callable[[], str]


def compare(
    cited: str,
    old_context: tuple[str, str],
    text: str,
    near: int,
    *,
    document_id: str = "",
    content_hash: str = "",
    newer: Newer | None = None,
) -> tuple[Comparison, PassageNow | None, list[Segment], list[str]]:
    """What became of a cited passage in the present text of its document.

    `old_context` is what stood before and after the passage in the version cited:
    all of it or at least 300 characters on either side, empty only where that
    version began or ended. `near` is where the passage began there. With the
    document's node id and the hash of `text` the passage found gets an evidence id.
    `newer` is what is known of `text` besides.

    The segments, from cited to now, come with `edited` only. Where only the
    surroundings changed, the passage carries theirs, and the changes in words are
    about them.
    """
    before, after = old_context

    def found(start: int, end: int) -> PassageNow:
        return passage_at(text, start, end, document_id=document_id, content_hash=content_hash)

    if cited.strip() and before + cited + after == text:
        start = len(before)
        return Comparison.IDENTICAL, found(start, start + len(cited)), [], []
    place = _locate_in_context(cited, before, after, text, near, newer)
    if place.kind != "none":
        passage = found(place.start, place.end)
        kind = _placement(before, after, text, place)
        if kind is not Comparison.SURROUNDINGS_CHANGED:
            return kind, passage, [], []
        return kind, *_with_surroundings(passage, before, after, text)
    window = best_window(cited, newer.candidates() if newer else text)
    if window is None:
        return Comparison.NOT_FOUND, None, [], []
    passage = found(*window)
    segments, stopped_early = diff_words(cited, passage.text)
    changes = describe_changes(segments)
    if stopped_early:
        changes.append(Sentence(STOPPED_EARLY))
    return Comparison.EDITED, passage, segments, changes


def _locate_in_context(
    cited: str, before: str, after: str, text: str, near: int, newer: Newer | None
) -> Located:
    """`locate`, but of several places the one that kept its neighbours comes first."""
    for lead, trail in ((40, 40), (40, 0), (0, 40)):
        head, tail = before[-lead:] if lead else "", after[:trail]
        place = text.find(head + cited + tail) if head or tail else -1
        if place >= 0:
            start = place + len(head)
            return Located("exact", start, start + len(cited))
    return locate(cited, text, near, newer.spread() if newer else None)


def _placement(before: str, after: str, text: str, place: Located) -> Comparison:
    reach = 4 * _SURROUNDINGS_CHARS
    old_lead = normalised(before[-reach:])[-_SURROUNDINGS_CHARS:]
    old_trail = normalised(after[:reach])[:_SURROUNDINGS_CHARS]
    new_lead = normalised(text[max(0, place.start - reach) : place.start])
    new_trail = normalised(text[place.end : place.end + reach])
    same_lead = new_lead.endswith(old_lead) and bool(old_lead) == bool(new_lead)
    same_trail = new_trail.startswith(old_trail) and bool(old_trail) == bool(new_trail)
    if same_lead and same_trail:
        return Comparison.VERBATIM
    if not same_lead and not same_trail and _order_broken(before, after, text, place):
        return Comparison.MOVED
    return Comparison.SURROUNDINGS_CHANGED


def _with_surroundings(
    passage: PassageNow, before: str, after: str, text: str
) -> tuple[PassageNow, list[Segment], list[str]]:
    """The passage with the differences around it, and those in words.

    The newer text is looked at twice as far, so that what was put in between does
    not push out what it is compared with; what then sticks out is left away.
    """
    far = 2 * CONTEXT_CHARS
    lead, _ = diff_words(before[-CONTEXT_CHARS:], text[max(0, passage.start - far) : passage.start])
    trail, _ = diff_words(after[:CONTEXT_CHARS], text[passage.end : passage.end + far])
    lead = without_edge(lead[::-1], cut=len(before) > CONTEXT_CHARS)[::-1]
    trail = without_edge(trail, cut=len(after) > CONTEXT_CHARS)
    named = describe_changes([*lead, *trail])
    if not (is_edited(lead) and is_edited(trail)):
        # Other text stands there now: its words are not changes of the old ones.
        return passage, [], []
    shown = passage.model_copy(update={"before_segments": lead, "after_segments": trail})
    return shown, [], [Sentence(NEARBY, change=change) for change in named]


def is_edited(segments: Sequence[Segment]) -> bool:
    """Whether most of the older text is still there."""
    old = sum(len(segment.text) for segment in segments if segment.kind != "inserted")
    same = sum(len(segment.text) for segment in segments if segment.kind == "same")
    return 2 * same >= old


def without_edge(segments: Sequence[Segment], *, cut: bool) -> list[Segment]:
    """`segments`, nearest first, without the far end that only the looking cut off.

    A few words out there that happen to be equal do not hold it.
    """
    kept = list(segments)
    if not cut or all(segment.kind != "same" for segment in kept):
        return kept
    while kept and (
        kept[-1].kind != "same"
        or (
            len(kept) > 2
            and kept[-2].kind != "same"
            and len(kept[-1].text) < _CHANCE_CHARS < len(kept[-2].text)
        )
    ):
        kept.pop()
    return kept or list(segments)


def _order_broken(before: str, after: str, text: str, place: Located) -> bool:
    """Whether most of what stood on one side stands on the other side now."""
    lead, trail = text[: place.start], text[place.end :]
    reach = 8 * CONTEXT_CHARS
    return _crossed(reversed(before[-reach:].splitlines()), lead, trail) or _crossed(
        after[:reach].splitlines(), trail, lead
    )


def _crossed(lines: Iterable[str], own: str, other: str) -> bool:
    nearest = list(islice(_telling_lines(lines), 4))
    kept = sum(line in own for line in nearest)
    return sum(line in other and line not in own for line in nearest) > kept


def _telling_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines long enough that finding one elsewhere means something."""
    return (line.strip() for line in lines if len(line.strip()) >= 16)
