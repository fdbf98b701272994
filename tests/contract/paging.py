"""Reading a list page by page."""

from collections.abc import Callable
from typing import Any


def to_the_end(
    read: Callable[[Any], Any], cursor: Any = None, by: str = "next_cursor"
) -> list[Any]:
    """Every page of a list; `read` takes what the page before named as the place to go on."""
    page = read(cursor)
    onward = getattr(page, by)
    return [page] if onward is None else [page, *to_the_end(read, onward, by)]
