"""The present text from which a passage is picked: by paragraphs and sentences, near a place or found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from graphstore.locating import paragraphs, sentences
from graphstore.present_text import PresentText, Unfit
from reviewconsole.addresses import decision_url, document_url, pick_url
from reviewconsole.document_page import title_of

__all__ = ["Asked", "Chosen", "context_of", "read_chosen", "unfit_words"]

NEAR = 4
"""Paragraphs on either side of the place that are shown at first."""

MOST_SHOWN = 300
MOST_FOUND = 40
LONGEST_FOUND = 200


@dataclass(frozen=True)
class Asked:
    """What an address asks to see: the place, words to look for, or all of the text.

    `index` is the number of the evidence on its page, `card` whether it is drawn there.
    """

    at: int = 0
    find: str = ""
    whole: bool = False
    index: int = 0
    card: bool = False

    def query(self, **changes: str | int | None) -> dict[str, str | int | None]:
        own: dict[str, str | int | None] = {
            "at": self.at or None,
            "find": self.find,
            "whole": 1 if self.whole else None,
            "index": self.index or None,
            "card": 1 if self.card else None,
        }
        return {**own, **changes}


@dataclass(frozen=True)
class Sentence:
    """A stretch of the text, with the blanks after it. `here`: it is part of the passage as found."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Stretch:
    """A paragraph to pick from. `here`: the place that was asked for lies in it."""

    sentences: Sequence[Sentence]
    here: bool

    @property
    def start(self) -> int:
        return self.sentences[0].start


def context_of(project: str, decision_id: UUID, found: PresentText, asked: Asked) -> dict[str, Any]:
    """Everything `pick.html` draws, besides what stood in the way."""
    text = found.text or ""
    spans = paragraphs(text)
    shown, more = _shown(text, spans, asked)
    support = found.support.id

    def url(**changes: str | int | None) -> str:
        return pick_url(project, decision_id, support, **asked.query(**changes))

    first, last = (shown[0], shown[-1]) if shown else (0, len(spans) - 1)
    cut = not asked.find and (first > 0 or last < len(spans) - 1)
    return {
        "present": found,
        "title": title_of(found.document),
        "asked": asked,
        "stretches": [_stretch(text, *spans[number], at=asked.at) for number in shown],
        "more_found": more,
        "whole_url": url(whole=1) if cut and not asked.whole else None,
        "earlier_url": url(at=spans[max(0, first - MOST_SHOWN // 2)][0])
        if cut and asked.whole and first > 0
        else None,
        "later_url": url(at=spans[min(len(spans) - 1, last + MOST_SHOWN // 2)][0])
        if cut and asked.whole and last < len(spans) - 1
        else None,
        "here_url": url(find=None),
        "pick_url": pick_url(project, decision_id, support),
        "back_url": f"{decision_url(project, decision_id)}#picker-{asked.index}",
        "document_url": document_url(project, found.document.document_key),
    }


def _shown(text: str, spans: Sequence[tuple[int, int]], asked: Asked) -> tuple[list[int], bool]:
    """The numbers of the paragraphs to show, and whether more were found."""
    if asked.find:
        wanted = asked.find.casefold().split()
        found = [
            number
            for number, (start, end) in enumerate(spans)
            if all(word in text[start:end].casefold() for word in wanted)
        ]
        return found[:MOST_FOUND], len(found) > MOST_FOUND
    here = max((n for n, (start, _) in enumerate(spans) if start <= asked.at), default=0)
    reach = MOST_SHOWN // 2 if asked.whole else NEAR
    return list(range(max(0, here - reach), min(len(spans), here + reach + 1))), False


def _stretch(text: str, start: int, end: int, *, at: int) -> Stretch:
    parts = [Sentence(a, b, text[a:b]) for a, b in sentences(text, start, end)]
    return Stretch(parts, here=start <= at < end)


@dataclass(frozen=True)
class Chosen:
    """The part of a version that somebody picked."""

    version: str
    start: int
    end: int
    quote: str = ""


def read_chosen(version: str, parts: Sequence[str], quote: str) -> Chosen | None:
    """What a form sends: one part of the text, or several that are taken with all between them.

    Each part is its offsets, as `12-90`. None when there is none.
    """
    ranges = [
        (int(a), int(b)) for part in parts for a, _, b in [part.partition("-")] if _number(a, b)
    ]
    if not ranges:
        return None
    start, end = min(a for a, _ in ranges), max(b for _, b in ranges)
    return Chosen(version, start, end, quote)


def _number(*texts: str) -> bool:
    return all(text.isascii() and text.isdigit() and len(text) <= 12 for text in texts)


def unfit_words(why: Unfit) -> str:
    """Why a part cannot be picked, and what to do."""
    return {
        Unfit.MOVED: _(
            "The document changed after this text was loaded, so nothing was picked. "
            "Load the text again and pick from it as it is now."
        ),
        Unfit.OUTSIDE: _("This is no part of the present text. Select some of its words."),
        Unfit.OTHER_WORDS: _(
            "Other words stand at this place than those selected, so nothing was picked. "
            "Load the text again and select them once more."
        ),
    }[why]
