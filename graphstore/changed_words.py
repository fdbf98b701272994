"""The difference between two passages, word by word, and in words.

Reviewers read a difference faster when the change that matters is named first: a
number, a unit, a date, a negation, an obligation. Obligations and negations are
known in English only; everything else does not depend on the language.
"""

import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, Self, cast

from diff_match_patch import diff_match_patch  # pyright: ignore[reportMissingTypeStubs] - it ships none

from graphstore.dangers import Danger, in_order
from graphstore.records import Record

__all__ = [
    "DIFF_SECONDS",
    "WORDINGS",
    "Segment",
    "Sentence",
    "dangers_of",
    "describe_changes",
    "diff_words",
]

DIFF_SECONDS = 0.5
"""How long one comparison may look for the smallest difference."""

FOLD_CHARS = 420
"""Unchanged text longer than this has a middle that a page may fold."""

_KEPT_CHARS = 140
_MOST_CHANGES = 12


class Segment(Record):
    """A run of words that both passages have, or only the older or the newer one.

    Joined, the `same` and `inserted` texts give the newer passage to the letter;
    the `same` and `deleted` ones give the older passage except for spacing.
    """

    kind: Literal["same", "deleted", "inserted"]
    text: str

    @property
    def folded(self) -> tuple[str, str, str] | None:
        """Beginning, middle and end of long unchanged text, cut between words."""
        if self.kind != "same" or len(self.text) <= FOLD_CHARS:
            return None
        first = self.text.find(" ", _KEPT_CHARS)
        last = self.text.rfind(" ", 0, len(self.text) - _KEPT_CHARS)
        if not 0 < first < last:
            return None
        return self.text[:first], self.text[first : last + 1], self.text[last + 1 :]


class Sentence(str):
    """A sentence in English that knows its parts, so that it can be said in another language.

    `pattern` with `parts` in it is the sentence; a part may be a sentence again.
    """

    __slots__ = ("parts", "pattern")

    pattern: str
    parts: Mapping[str, object]

    def __new__(cls, pattern: str, **parts: object) -> Self:
        made = super().__new__(cls, pattern % parts)
        made.pattern, made.parts = pattern, parts
        return made


_TOKEN = re.compile(
    r"\s+"
    r"|\d+(?:[.,:/]\d+)*"
    r"|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+(?:['’][^\W\d_]+)*"
    r"|."
)


def diff_words(old: str, new: str) -> tuple[list[Segment], bool]:
    """Segments from `old` to `new`, and whether the time limit cut the search short.

    Spacing never counts as a difference.
    """
    codes: dict[str, str] = {}
    old_tokens, new_tokens = _tokens(old), _tokens(new)
    differ = cast("Any", diff_match_patch())
    differ.Diff_Timeout = DIFF_SECONDS
    started = time.monotonic()
    raw: list[tuple[int, str]] = differ.diff_main(
        _encoded(old_tokens, codes), _encoded(new_tokens, codes), False
    )
    stopped_early = time.monotonic() - started >= DIFF_SECONDS
    differ.diff_cleanupSemantic(raw)
    segments: list[Segment] = []
    old_at = new_at = 0
    for operation, encoded in raw:
        count = len(encoded)
        if operation < 0:
            segments.append(_segment("deleted", old_tokens[old_at : old_at + count]))
            old_at += count
        elif operation > 0:
            segments.append(_segment("inserted", new_tokens[new_at : new_at + count]))
            new_at += count
        else:
            segments.append(_segment("same", new_tokens[new_at : new_at + count]))
            old_at += count
            new_at += count
    return _joined_over_trifles(segments), stopped_early


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _segment(kind: Literal["same", "deleted", "inserted"], tokens: list[str]) -> Segment:
    return Segment(kind=kind, text="".join(tokens))


def _encoded(tokens: list[str], codes: dict[str, str]) -> str:
    """One character for each token, the same for tokens that count as equal."""
    encoded: list[str] = []
    for token in tokens:
        key = " " if token.isspace() else unicodedata.normalize("NFC", token)
        if key not in codes:
            # The surrogates, 2,048 code points from U+D800 on, stand for no character.
            number = len(codes) + 1
            codes[key] = chr(number if number < 0xD800 else number + 0x800)
        encoded.append(codes[key])
    return "".join(encoded)


def _joined_over_trifles(segments: list[Segment]) -> list[Segment]:
    """Segments where changes that only a blank or a mark keeps apart are one change."""
    joined: list[Segment] = []
    deleted = inserted = ""

    def flush() -> Iterator[Segment]:
        if deleted:
            yield Segment(kind="deleted", text=deleted)
        if inserted:
            yield Segment(kind="inserted", text=inserted)

    for index, segment in enumerate(segments):
        if segment.kind == "deleted":
            deleted += segment.text
        elif segment.kind == "inserted":
            inserted += segment.text
        elif (deleted or inserted) and _is_trifle(segments, index):
            deleted += segment.text
            inserted += segment.text
        else:
            joined.extend(flush())
            deleted = inserted = ""
            joined.append(segment)
    joined.extend(flush())
    return joined


def _is_trifle(segments: list[Segment], index: int) -> bool:
    """Whether text that did not change only holds two replacements apart."""
    text = segments[index].text
    if re.search(r"\w", text) or len(text) > 3 or index + 2 >= len(segments):
        return False
    behind = {segment.kind for segment in segments[max(0, index - 2) : index]}
    ahead = {segment.kind for segment in segments[index + 1 : index + 3]}
    return behind >= {"deleted", "inserted"} and ahead >= {"deleted", "inserted"}


# What deserves a name. The order decides when two readings overlap: "3 May" is a
# date before "May" is an obligation.

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_SINCE = r"(?<=\bin )|(?<=\bby )|(?<=\bof )|(?<=\bsince )|(?<=\buntil )"
_OTHER_MONTH = _MONTH.replace("|May", "")
_UNITS = (
    "seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?|ms|kg|grams?"
    "|tonnes?|pounds?|lbs?|mm|cm|metres?|meters?|km|kilometres?|kilometers?|miles?|inch|inches"
    "|feet|litres?|liters?|ml|kW|kWh|MW|kPa|bar|psi|°C|°F|Celsius|Fahrenheit|percent|per cent"
    "|percentage|USD|EUR|GBP|PLN|CHF|dollars?|euros?|bytes?|[kMG]B|working|business|calendar"
)
_COUNTING = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
_TENS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
_NUMBER_WORDS: dict[str, float] = {
    **{word: number for number, word in enumerate(_COUNTING)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=3)},
    "thousand": 1000,
    "half": 0.5,
    "once": 1,
    "twice": 2,
    "double": 2,
    "triple": 3,
}
_OBLIGATIONS = (
    "need not|needs not|shall|must|may|should|can|might|required|mandatory|obligatory|optional"
    "|recommended|permitted|allowed|forbidden|prohibited"
)
_NEGATIONS = r"not|never|no|none|neither|nor|without|cannot|unless|except|only|\w+n['’]t"
_BOUNDS = (
    "at least|at most|no more than|no less than|up to|more than|less than|above|below|before|after"
    "|within|minimum|maximum|any|all|every|each"
)

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "date",
        re.compile(
            rf"\d{{4}}-\d{{2}}-\d{{2}}"
            rf"|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
            rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH}\b\.?(?:,?\s+\d{{4}})?"
            rf"|{_MONTH}\b\.?\s+\d{{1,2}}\b(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?"
            rf"|\b{_MONTH}\s+\d{{4}}"
            rf"|\b{_OTHER_MONTH}\b|(?:{_SINCE})May\b"
            r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
        ),
    ),
    ("number", re.compile(r"(?:(?<=[\s(±])|^)[-+−±]?\d+(?:[.,:/]\d+)*|\d+(?:[.,:/]\d+)*")),
    ("number", re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)),
    ("unit", re.compile(rf"(?<!\w)(?:{_UNITS})(?!\w)|%|€|\$|£", re.IGNORECASE)),
    ("unit", re.compile(r"(?:(?<=\d)|(?<=\d ))(?:[hdsmgltKCFVAW])(?!\w)")),
    ("obligation", re.compile(rf"\b(?:{_OBLIGATIONS})\b", re.IGNORECASE)),
    ("negation", re.compile(rf"\b(?:{_NEGATIONS})\b", re.IGNORECASE)),
    ("bound", re.compile(rf"\b(?:{_BOUNDS})\b", re.IGNORECASE)),
)


@dataclass(frozen=True)
class _Mention:
    """A number, unit, date or the like in a text. `value` is equal for equal meanings."""

    kind: str
    start: int
    end: int
    text: str

    @property
    def value(self) -> tuple[str, str]:
        if self.kind == "number":
            return self.kind, str(_quantity(self.text))
        return self.kind, " ".join(self.text.lower().split())


def _quantity(text: str) -> float | str:
    """The number that `text` says; `text` itself where it is no plain number."""
    if (named := _NUMBER_WORDS.get(text.lower())) is not None:
        return float(named)
    plain = text.replace("−", "-")
    plain = re.sub(r",(?=\d{3}(?:\D|$))", "", plain)
    try:
        return float(plain)
    except ValueError:
        return text


def _mentions(text: str) -> list[_Mention]:
    found: list[_Mention] = []
    taken = bytearray(len(text))
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append(_Mention(kind, start, end, match[0]))
    return sorted(found, key=lambda mention: mention.start)


def describe_changes(segments: list[Segment]) -> list[str]:
    """The changes that may change the meaning, named in words, in reading order.

    At most twelve; the last line then counts the rest.
    """
    said: dict[str, None] = {}
    for gone, came in _changed_mentions(segments):
        for sentence in _sentences(gone, came):
            said.setdefault(sentence)
    sentences = list(said)
    if len(sentences) > _MOST_CHANGES:
        rest = len(sentences) - _MOST_CHANGES + 1
        return [*sentences[: _MOST_CHANGES - 1], Sentence(AND_MORE, rest=rest)]
    return sentences


def dangers_of(segments: list[Segment]) -> list[Danger]:
    """Of what kinds the changes are that may change the meaning; none for wording alone."""
    return in_order(
        _DANGERS[mention.kind]
        for gone, came in _changed_mentions(segments)
        for mention in [*gone, *came]
    )


def _changed_mentions(
    segments: list[Segment],
) -> Iterator[tuple[list[_Mention], list[_Mention]]]:
    """For each change what only the older text mentions there, and what only the newer one."""
    old = "".join(s.text for s in segments if s.kind != "inserted")
    new = "".join(s.text for s in segments if s.kind != "deleted")
    old_mentions, new_mentions = _mentions(old), _mentions(new)
    for (old_start, old_end), (new_start, new_end) in _changed_spans(segments):
        gone = _touching(old_mentions, old_start, old_end)
        came = _touching(new_mentions, new_start, new_end)
        common = Counter(one.value for one in gone) & Counter(one.value for one in came)
        yield _without(gone, common), _without(came, common)


def _changed_spans(
    segments: list[Segment],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """For each change its span in the older and in the newer text."""
    old_at = new_at = old_start = new_start = 0
    for segment in segments:
        length = len(segment.text)
        if segment.kind == "same":
            if old_at > old_start or new_at > new_start:
                yield (old_start, old_at), (new_start, new_at)
            old_at += length
            new_at += length
            old_start, new_start = old_at, new_at
        elif segment.kind == "deleted":
            old_at += length
        else:
            new_at += length
    if old_at > old_start or new_at > new_start:
        yield (old_start, old_at), (new_start, new_at)


def _touching(mentions: list[_Mention], start: int, end: int) -> list[_Mention]:
    """Mentions inside a span or at its edge: a change may add a digit to a number."""
    return [mention for mention in mentions if mention.start <= end and mention.end >= start]


def _sentences(gone: list[_Mention], came: list[_Mention]) -> Iterator[str]:
    for kind, (became, went, new_here) in _WORDINGS.items():
        before = _spelled_once([mention for mention in gone if mention.kind == kind])
        after = _spelled_once([mention for mention in came if mention.kind == kind])
        for old, new in zip_longest(before, after):
            pattern = became if old and new else went if old else new_here
            yield Sentence(pattern, old=old, new=new)


def _without(mentions: list[_Mention], common: Counter[tuple[str, str]]) -> list[_Mention]:
    left = Counter(common)
    kept: list[_Mention] = []
    for mention in mentions:
        if left[mention.value] > 0:
            left[mention.value] -= 1
        else:
            kept.append(mention)
    return kept


def _spelled_once(mentions: list[_Mention]) -> list[str]:
    """Texts of the mentions, "thirty (30)" once and in digits."""
    texts: dict[tuple[str, str], str] = {}
    for mention in mentions:
        text = " ".join(mention.text.split())
        if mention.value not in texts or text[-1:].isdigit():
            texts[mention.value] = text
    return list(texts.values())


_DANGERS = {
    "date": Danger.DATE,
    "number": Danger.NUMBER,
    "unit": Danger.UNIT,
    "obligation": Danger.OBLIGATION,
    "negation": Danger.NEGATION,
    "bound": Danger.LIMIT,
}

_QUOTED = ("‘%(old)s’ became ‘%(new)s’", "‘%(old)s’ is gone", "‘%(new)s’ is new")
_WORDINGS: Mapping[str, tuple[str, str, str]] = {
    "date": ("date %(old)s became %(new)s", "date %(old)s is gone", "date %(new)s is new"),
    "number": ("number %(old)s became %(new)s", "number %(old)s is gone", "number %(new)s is new"),
    "unit": ("unit ‘%(old)s’ became ‘%(new)s’", "unit ‘%(old)s’ is gone", "unit ‘%(new)s’ is new"),
    "obligation": _QUOTED,
    "negation": _QUOTED,
    "bound": _QUOTED,
}
"""Of each kind what is said when it changed, went or came, in the order of their weight."""

AND_MORE = "and %(rest)s more of this kind"
NEARBY = "nearby: %(change)s"
STOPPED_EARLY = "the comparison stopped early, so more may have changed"

WORDINGS = frozenset(
    [*(said for each in _WORDINGS.values() for said in each), AND_MORE, NEARBY, STOPPED_EARLY]
)
"""The pattern of every sentence that is made here or in `evidence`."""
