"""Recorded text within a sentence of the console: a change of direction that it opens ends with it."""

import re

__all__ = ["closed"]

_MARK = re.compile("[\u202a-\u202e\u2066-\u2069]")
_POP_EMBEDDING = "\u202c"
_POP_ISOLATE = "\u2069"


def closed(text: str) -> str:
    """`text` with what ends the changes of direction that it leaves open.

    Without it the words that follow in the same sentence would read from right to left.
    Pages isolate texts with markup; this is for sentences that are put together first.
    """
    opened: list[str] = []
    for mark in _MARK.findall(text):
        if mark == _POP_ISOLATE:
            if _POP_ISOLATE in opened:
                # An isolate takes along what was opened within it.
                del opened[len(opened) - 1 - opened[::-1].index(_POP_ISOLATE) :]
        elif mark == _POP_EMBEDDING:
            if opened and opened[-1] == _POP_EMBEDDING:
                opened.pop()
        else:
            opened.append(_POP_ISOLATE if mark >= "\u2066" else _POP_EMBEDDING)
    return text + "".join(reversed(opened))
