"""A bar that shows how many of a bundle are edited, gone, moved or the same, and says it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from reviewconsole.queue_words import comparison_label, tone_of

__all__ = ["BAR_WIDTH", "Part", "bar_of"]

BAR_WIDTH = 320
"""In units of the drawing, which are pixels where there is room."""

_GAP = 2
_LEAST = 3
_TONES = ("judged", "gone", "edited", "moved", "same", "unknown")


@dataclass(frozen=True)
class Part:
    """One piece of the bar, worst first: where it begins, how long it is, what it means."""

    tone: str
    number: int
    label: str
    x: int
    width: int


def bar_of(comparisons: Mapping[str, int], done: int = 0, done_words: str = "") -> list[Part]:
    """The pieces of a bar, none too short to be seen; first what is done already, in these words."""
    tones: Counter[str] = Counter({"judged": done})
    for comparison, number in comparisons.items():
        tones[tone_of(comparison)] += number
    present = [tone for tone in _TONES if tones[tone]]
    room = BAR_WIDTH - _GAP * max(0, len(present) - 1) - _LEAST * len(present)
    parts: list[Part] = []
    x = 0
    for tone in present:
        width = _LEAST + room * tones[tone] // tones.total()
        parts.append(
            Part(
                tone,
                tones[tone],
                done_words if tone == "judged" else _label(tone, comparisons),
                x,
                width,
            )
        )
        x += width + _GAP
    return parts


def _label(tone: str, comparisons: Mapping[str, int]) -> str:
    """The word of the glossary where all of a tone are the same, else one for all of them."""
    same = [comparison for comparison in comparisons if tone_of(comparison) == tone]
    if len(same) == 1:
        return comparison_label(same[0])
    return {
        "gone": _("gone"),
        "edited": _("edited or flagged"),
        "moved": _("moved or surroundings changed"),
        "same": _("unchanged"),
        "unknown": _("not known"),
    }[tone]
