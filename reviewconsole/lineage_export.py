"""A lineage as a table for a spreadsheet, and as a drawing that stands by itself."""

import csv
import io
import re
from typing import Any

__all__ = ["drawable", "table"]

_FORMULA = re.compile(r"[\s\u0000]*[=+\-@\uff1d\uff0b\uff0d\uff20|]")
"""What a spreadsheet takes for the beginning of a formula, also behind blanks."""

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold, however they are written."""

COLUMNS = (
    "number",
    "where",
    "kind",
    "what",
    "state",
    "belongs to",
    "choice",
    "recorded",
    "cites",
    "supersedes",
    "id",
)


def table(nodes: list[dict[str, Any]]) -> str:
    """The list of the page as CSV, with the mark by which spreadsheets know UTF-8."""
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for node in nodes:
        writer.writerow([_harmless(str(value)) for value in _row(node)])
    return out.getvalue()


def _row(shown: dict[str, Any]) -> list[Any]:
    node = shown["box"].node
    decision = node.decision
    return [
        shown["box"].number,
        shown["where"],
        node.kind,
        node.label,
        shown["word"],
        shown["about"],
        decision.choice_key if decision else "",
        decision.created_at.isoformat() if decision else "",
        " ".join(map(str, shown["cites"])),
        " ".join(map(str, shown["supersedes"])),
        node.id,
    ]


def _harmless(text: str) -> str:
    """A cell that no spreadsheet computes: an apostrophe before what looks like a formula."""
    clean = text.replace("\0", "")
    return f"'{clean}" if _FORMULA.match(clean) else clean


def drawable(context: dict[str, Any]) -> dict[str, Any]:
    """The context of the page without the characters that would break an XML file."""
    return {
        **context,
        "nodes": [
            {
                **node,
                "label": _NO_XML.sub("", node["box"].node.label)[:600],
                "lines": [_NO_XML.sub("", line) for line in node["box"].lines],
                "about_short": _NO_XML.sub("", node["about_short"]),
            }
            for node in context["nodes"]
        ],
    }
