"""The texts of the demo's documents, and where a quote stands in one of them."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["DemoDocument", "QuoteNotFound", "documents", "find_quote", "text_of", "versions_of"]

HERE = Path(__file__).parent


class QuoteNotFound(ValueError):
    """A quote does not stand exactly once in the text that it should be of."""


@dataclass(frozen=True)
class DemoDocument:
    """What is the same in every version of a document."""

    key: str
    title: str
    uri: str


@cache
def documents() -> dict[str, DemoDocument]:
    """The documents by key."""
    listed = tomllib.loads((HERE / "documents.toml").read_text(encoding="utf-8"))
    return {key: DemoDocument(key, **fields) for key, fields in listed.items()}


def versions_of(key: str) -> list[int]:
    """The versions of a document that there are, in order."""
    return sorted(int(path.stem.removeprefix("v")) for path in (HERE / "documents" / key).iterdir())


@cache
def text_of(key: str, version: int) -> str:
    """The text of one version, without the marks that only make its file easy to read."""
    marked = (HERE / "documents" / key / f"v{version}.md").read_text(encoding="utf-8")
    return re.sub(r"^#+ ", "", marked, flags=re.MULTILINE)


def find_quote(quote: str, text: str) -> tuple[int, int]:
    """The offsets of `quote` in `text`, end exclusive.

    White space in a quote stands for any white space, and " … " for whatever lies
    between its two sides within one paragraph. Raises `QuoteNotFound` unless
    there is exactly one such place.
    """
    sides = [r"\s+".join(map(re.escape, side.split())) for side in quote.split(" … ")]
    found = list(re.finditer(r"(?:(?!\n\s*\n).)+?".join(sides), text, re.DOTALL))
    if len(found) != 1:
        raise QuoteNotFound(f"stands {len(found)} times in the text: {quote!r}")
    return found[0].span()
