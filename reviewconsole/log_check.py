"""Whether a text is the one that an event was recorded with, told by its hash alone.

The text comes with one request, is hashed, and goes with it: it is in no table, no
session, no log and not on the answer.
"""

from collections.abc import Iterator
from enum import StrEnum

from graphstore.ids import sha256
from graphstore.records import Event

__all__ = ["Checked", "check_text"]


class Checked(StrEnum):
    SAME = "same"
    LINE_ENDS = "line ends"
    """The same but for how its lines end, which forms and editors change."""
    ANOTHER = "another"


def check_text(event: Event, text: str) -> Checked:
    """How `text` stands to what was recorded in `event`, whether it was cut, redacted or neither."""
    if sha256(text) == event.payload_sha256:
        return Checked.SAME
    if any(sha256(written) == event.payload_sha256 for written in _other_line_ends(text)):
        return Checked.LINE_ENDS
    return Checked.ANOTHER


def _other_line_ends(text: str) -> Iterator[str]:
    """As a browser may have got it: it sends every end of a line as two characters."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    bare = lines.removesuffix("\n")
    for written in (lines, bare, f"{bare}\n"):
        yield written
        yield written.replace("\n", "\r\n")
