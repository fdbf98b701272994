"""What became of a cited passage: itself, what stands around it, and what else changed.

`evidence.compare` looks at the passage; this looks at the whole of both versions as well,
where the older one can still be read. Pure functions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphstore.changed_words import Segment, dangers_of, diff_words
from graphstore.dangers import Danger, in_order
from graphstore.evidence import Comparison, Newer, compare
from graphstore.locating import PassageNow
from graphstore.records import Record
from graphstore.versions_apart import Changed, VersionsApart, without_number, words

__all__ = ["AlsoChanged", "Cited", "Outcome", "look"]

MOST_ALSO_CHANGED = 5

_WORDS_CHANGED = (Comparison.EDITED,)
_STANDS = (Comparison.VERBATIM, Comparison.SURROUNDINGS_CHANGED)


class AlsoChanged(Record):
    """A changed paragraph elsewhere that speaks of the same; one is empty where it is new or gone."""

    then: str
    now: str


@dataclass(frozen=True)
class Cited:
    """A passage as it was cited: its words, what stood on either side, where it began."""

    text: str
    before: str
    after: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Outcome:
    """What was found. The segments, from cited to now, come with `edited` only.

    The headings are the titles above the passage, outermost first; empty where nothing
    about them is known.
    """

    comparison: Comparison
    passage: PassageNow | None = None
    segments: Sequence[Segment] = ()
    changes: Sequence[str] = ()
    dangers: Sequence[Danger] = ()
    heading_then: Sequence[str] = ()
    heading_now: Sequence[str] = ()
    also_changed: Sequence[AlsoChanged] = ()


def look(
    cited: Cited,
    text: str,
    apart: VersionsApart | None,
    *,
    document_id: str = "",
    content_hash: str = "",
) -> Outcome:
    """What became of `cited` in `text`, the present text of its document.

    `apart` is made of the whole version cited and `text`; without it only the passage and
    its nearest surroundings are compared. With the document's node id and the hash of
    `text` the passage found gets an evidence id.
    """
    comparison, passage, segments, changes = compare(
        cited.text,
        (cited.before, cited.after),
        text,
        cited.start,
        document_id=document_id,
        content_hash=content_hash,
        newer=_newer(cited, apart) if apart else None,
    )
    dangers = dangers_of(segments) if comparison in _WORDS_CHANGED else []
    if apart is None:
        near = [Danger.NEIGHBOUR] if comparison is Comparison.SURROUNDINGS_CHANGED else []
        return Outcome(comparison, passage, segments, changes, [*dangers, *near])
    then, now = apart.old.headings(cited.start), ()
    if passage is not None:
        now = apart.new.headings(passage.start)
        dangers += _around(cited, passage, apart, comparison, then, now)
    also = list(_also_changed(cited, passage, apart))
    if any(_is_dangerous(one) for one in also):
        dangers.append(Danger.ELSEWHERE)
    if comparison is Comparison.VERBATIM and {Danger.HEADING, Danger.NEIGHBOUR} & set(dangers):
        comparison = Comparison.SURROUNDINGS_CHANGED
    return Outcome(
        comparison,
        passage,
        segments,
        changes,
        in_order(dangers),
        then,
        now,
        also[:MOST_ALSO_CHANGED],
    )


def _newer(cited: Cited, apart: VersionsApart) -> Newer:
    """What other paragraphs became is no edit of this one."""
    own = apart.old.of_span(cited.start, cited.end)
    return Newer(spread=lambda: apart.spread, candidates=lambda: apart.only_of(own))


def _around(
    cited: Cited,
    passage: PassageNow,
    apart: VersionsApart,
    comparison: Comparison,
    then: Sequence[str],
    now: Sequence[str],
) -> Iterator[Danger]:
    if comparison is not Comparison.IDENTICAL and list(map(without_number, then)) != list(
        map(without_number, now)
    ):
        yield Danger.HEADING
    if comparison in _STANDS and (
        comparison is Comparison.SURROUNDINGS_CHANGED
        or apart.old.beside(cited.start, cited.end) != apart.new.beside(passage.start, passage.end)
    ):
        yield Danger.NEIGHBOUR


def _also_changed(
    cited: Cited, passage: PassageNow | None, apart: VersionsApart
) -> Iterator[AlsoChanged]:
    """Changed paragraphs away from the passage that share its rarer words, the most first."""
    wanted = words(cited.text)
    near_then = _and_beside(apart.old.of_span(cited.start, cited.end))
    near_now = _and_beside(apart.new.of_span(passage.start, passage.end)) if passage else range(0)
    found: list[tuple[int, AlsoChanged]] = []
    for one, held in apart.changed_words:
        if one.then in near_then or one.now in near_now:
            continue
        shared = wanted & held
        if apart.is_telling(shared):
            found.append((len(shared), _said(one, apart)))
    yield from (said for _, said in sorted(found, key=lambda pair: -pair[0]))


def _and_beside(own: range) -> range:
    return range(own.start - 1, own.stop + 1) if own else own


def _said(one: Changed, apart: VersionsApart) -> AlsoChanged:
    return AlsoChanged(
        then="" if one.then is None else apart.old.said[one.then],
        now="" if one.now is None else apart.new.said[one.now],
    )


def _is_dangerous(one: AlsoChanged) -> bool:
    """Whether a paragraph came or went, or its edit is more than wording."""
    if not one.then or not one.now:
        return True
    return bool(dangers_of(diff_words(one.then, one.now)[0]))
