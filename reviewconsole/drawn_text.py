"""Text in drawings: SVG breaks no lines, so they are broken here.

A server does not know the reader's fonts. Widths are guessed, in those of a usual
letter; the page cuts off what a guess missed.
"""

import unicodedata

__all__ = ["wrapped"]

_PER_LINE = 24
_LINES = 2


def wrapped(text: str, per_line: int = _PER_LINE, lines: int = _LINES) -> tuple[str, ...]:
    """`text` in at most so many lines, broken between words where it can be."""
    done: list[str] = []
    rest = " ".join(text.split())
    while rest and len(done) < lines:
        line, rest = _first_line(rest, per_line)
        done.append(line)
    if rest:
        done[-1] = _shortened(done[-1], per_line)
    return tuple(done)


def _first_line(text: str, per_line: int) -> tuple[str, str]:
    fits = _fitting(text, per_line)
    if fits == len(text):
        return text, ""
    end = max(text.rfind(" ", 0, fits + 1), text.rfind("-", 0, fits) + 1)
    if end <= fits // 2:
        end = fits
    return text[:end].rstrip(), text[end:].lstrip()


def _shortened(line: str, per_line: int) -> str:
    return f"{line[: _fitting(line, per_line - 1)].rstrip()}…"


def _fitting(text: str, per_line: int) -> int:
    """How many characters fit: at least one, and never half of a composed one."""
    used = 0.0
    for at, char in enumerate(text):
        used += _width(char)
        if used > per_line and at:
            return at
    return len(text)


def _width(char: str) -> float:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Cf", "Mn", "Me"}:
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 2.0
    if char in "iljI.,:;'|!· ":
        return 0.45
    if char in "tfr-()[]/":
        return 0.65
    return 1.5 if char in "MWm@%—→…" else 1.2 if char.isupper() or char == "w" else 1.0
