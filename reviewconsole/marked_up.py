"""Recorded text that its author wrote in Markdown, as a person reads it.

Whoever wrote it is not trusted: HTML stays text, pictures and their addresses are left
out, links name where they lead, and what comes out is cleaned once more before a page
may take it. Nothing else is lost: what is no markup stands there letter for letter.
"""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

__all__ = ["marked_up"]

LONGEST = 20_000
"""A longer text is shown as it is: reading it as Markdown would keep its page waiting."""

MOST_MARKS = 2_000
"""As many marks that may nest or pair, before a text is shown as it is."""

_MARKS = re.compile(r"[*_\[\]`>~|]")
_ADDRESS = re.compile(r"^(?:https?://|mailto:)", re.IGNORECASE)
_TAGS = {
    "a", "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6",
    "hr", "li", "ol", "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_HEADINGS = {f"h{level}": "p" for level in range(1, 7)}


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True, "linkify": False})
    reader.enable(["table", "strikethrough"])
    # An entity or an escaped mark is shown as it was written: a reviewer compares letters.
    reader.disable(["image", "entity", "escape", "html_block", "html_inline", "reference"])
    reader.validateLink = _leads_out  # pyright: ignore[reportAttributeAccessIssue]
    reader.add_render_rule("heading_open", _heading)
    reader.add_render_rule("heading_close", _heading)
    reader.add_render_rule("link_close", _link_end)
    return reader


def _leads_out(address: str) -> bool:
    return _ADDRESS.match(address.strip()) is not None


def _heading(
    own: RendererHTML,
    tokens: Sequence[Token],
    place: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    """A heading of a record is no heading of the page that shows it."""
    del own, options, env
    return "<p><strong>" if tokens[place].nesting > 0 else "</strong></p>\n"


def _link_end(
    own: RendererHTML,
    tokens: Sequence[Token],
    place: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    """Where a link leads stands behind it, unless that is what it says."""
    del own, options, env
    opened, said = place - 1, ""
    while tokens[opened].type != "link_open":
        said = tokens[opened].content + said
        opened -= 1
    address = str(tokens[opened].attrs.get("href", ""))
    return "</a>" if said.strip() == address else f"</a> <code>{nh3.clean_text(address)}</code>"


_READER = _reader()


def marked_up(text: str) -> SafeString | None:
    """The text as HTML, None where it is to be shown as it is: too long, or nothing but plain text."""
    if len(text) > LONGEST or len(_MARKS.findall(text)) > MOST_MARKS:
        return None
    html = nh3.clean(
        _READER.render(text),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # noqa: S308 - cleaned in the line before


_ATTRIBUTES: Mapping[str, set[str]] = {"a": {"href"}, "ol": {"start"}}
