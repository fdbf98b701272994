"""What about a change may turn a decision wrong: codes, for lists and for what is stored."""

from collections.abc import Iterable
from enum import StrEnum

__all__ = ["Danger", "in_order"]


class Danger(StrEnum):
    """What changed that a reader of the cited words alone may miss, or must not."""

    # In the cited words
    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NEGATION = "negation"
    OBLIGATION = "obligation"
    LIMIT = "limit"
    """“At least” became “at most”, “any” became “every”, and the like."""
    # Around them
    HEADING = "heading"
    NEIGHBOUR = "neighbour"
    ELSEWHERE = "elsewhere"
    """A changed paragraph further off speaks of the same rare things."""


def in_order(dangers: Iterable[Danger]) -> list[Danger]:
    """Each once, as they are declared."""
    found = set(dangers)
    return [one for one in Danger if one in found]
