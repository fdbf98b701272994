"""What the lineage page shows: each node of the drawing in words, with its address."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from graphstore.lineages import MAX_OPENED
from graphstore.records import DecisionStatus, ReviewState
from graphstore.results import Lineage, LineageNode
from reviewconsole.addresses import decision_url, document_url, lineage_url, task_url
from reviewconsole.drawn_text import wrapped
from reviewconsole.lineage_drawing import MOST_NODES, MOST_OPENED, Box, Drawing, draw
from reviewconsole.said import Said

__all__ = ["context_of"]

_STATUSES = {
    DecisionStatus.SUPERSEDED: (gettext_noop("superseded"), "", "swap"),
    DecisionStatus.REJECTED: (gettext_noop("rejected"), "harm", "cross"),
}
_REVIEW_STATES = {
    ReviewState.NEEDS_REVIEW: (gettext_noop("needs review"), "edited", "flag"),
    ReviewState.CLEAR: (gettext_noop("clear"), "clear", "check"),
    ReviewState.UNKNOWN: (gettext_noop("unknown"), "", "question"),
}
_OTHERS = {
    "changed": (gettext_noop("changed"), "edited", "pencil"),
    "removed": (gettext_noop("removed"), "harm", "missing"),
    "current": (gettext_noop("current"), "", "equal"),
    "redacted": (gettext_noop("redacted"), "harm", "erased"),
    "intact": (gettext_noop("intact"), "", "equal"),
}

_KINDS = Said(
    {
        "decision": gettext_noop("decision"),
        "document": gettext_noop("document"),
        "event": gettext_noop("event"),
    }
)


def context_of(
    project: str,
    decision_id: str,
    lineage: Lineage,
    *,
    opened: Sequence[str] = (),
    as_of: str = "",
) -> dict[str, Any]:
    """The drawing and its table. `nodes` are in the order in which the eye meets them."""
    lineage = lineage.model_copy(update={"nodes": [_named(node) for node in lineage.nodes]})
    drawing = draw(lineage, MOST_OPENED if opened else MOST_NODES)
    numbers = {box.node.id: box.number for box in drawing.boxes}
    nodes = [
        _node(project, decision_id, box, drawing, numbers)
        | _opening(project, decision_id, box.node, opened, as_of)
        for box in drawing.boxes
    ]
    return {
        "drawing": drawing,
        "columns": [
            {"words": _where(column.hops), "middle": column.middle} for column in drawing.columns
        ],
        "nodes": nodes,
        "alone": len(drawing.boxes) <= 1,
        "more_than_drawn": lineage.truncated or drawing.left_out > 0,
        "revisions_drawn": any(line.edge.kind == "supersedes" for line in drawing.lines),
        "opened": opened,
        "closed_url": lineage_url(project, decision_id, as_of=as_of),
        "svg_url": lineage_url(project, decision_id, opened, as_of=as_of, kind="lineage_svg"),
        "csv_url": lineage_url(project, decision_id, opened, as_of=as_of, kind="lineage_csv"),
    }


def _named(node: LineageNode) -> LineageNode:
    """The node with a name in the reader's language, where it has none of its own."""
    if node.kind != "event" or node.seq is None:
        return node
    event = _("event %(number)s") % {"number": node.seq}
    name = f"{node.task_name} · {event}" if node.task_name else event
    return node.model_copy(update={"label": name})


def _opening(
    project: str, decision_id: str, node: LineageNode, opened: Sequence[str], as_of: str
) -> dict[str, Any]:
    """Where a node with neighbours that are not drawn is opened, and what that says."""
    if not node.more or node.id in opened or len(opened) >= MAX_OPENED:
        return {"open_url": None, "open_words": ""}
    url = lineage_url(project, decision_id, [*opened, node.id], as_of=as_of)
    words = ngettext(
        "show %(count)s more neighbour", "show %(count)s more neighbours", node.more
    ) % {"count": node.more}
    return {"open_url": url, "open_words": words}


def _where(hops: int) -> str:
    """How far from the decision, as the heading of a column."""
    if hops == 0:
        return _("this choice")
    if hops == -1:
        return _("it cites")
    if hops == 1:
        return _("cites it directly")
    if hops < 0:
        return _("%(count)s steps up") % {"count": -hops}
    return _("%(count)s steps down") % {"count": hops}


def _node(
    project: str, decision_id: str, box: Box, drawing: Drawing, numbers: dict[str, int]
) -> dict[str, Any]:
    node = box.node
    word, tone, icon = _state(node)
    about = next(iter(wrapped(_about(node), 16 if node.more else 26, 1)), "")
    ends = [line.edge for line in drawing.lines if line.edge.start == node.id]
    return {
        "box": box,
        "url": _address(project, node),
        "here": node.id == decision_id,
        "kind": node.kind,
        "kind_words": _KINDS.get(node.kind, node.kind),
        "where": _where(node.hops),
        "word": word,
        "tone": tone,
        "icon": icon,
        "about": _about(node),
        "about_short": about,
        "name": _name(box, word, about),
        "cites": sorted(numbers[edge.end] for edge in ends if edge.kind == "cites"),
        "supersedes": sorted(numbers[edge.end] for edge in ends if edge.kind == "supersedes"),
    }


def _name(box: Box, word: str, about: str) -> str:
    """The accessible name of a box: what is written in it, where it stands, what was cut off.

    It begins as the eye reads it, for those who say aloud what they want to open.
    """
    node, written = box.node, " ".join(box.lines)
    more = _(", +%(count)s more") % {"count": node.more} if node.more else ""
    name = f"{word}, {box.number}, {written}, {about}{more}; {_KINDS.get(node.kind, node.kind)}, {_where(node.hops)}"
    return f"{name}: {node.label}" if written.endswith("…") else name


def _state(node: LineageNode) -> tuple[str, str, str]:
    """How it stands: a word, what colour means the same, and the mark beside it."""
    if node.decision is not None:
        status = _STATUSES.get(node.decision.status)
        word, *marks = status or _REVIEW_STATES[node.decision.review_state]
    else:
        word, *marks = _OTHERS.get(node.state, (node.state.replace("_", " "), "", "question"))
    tone, icon = marks
    return _(word), tone, icon


def _about(node: LineageNode) -> str:
    """What kind of thing it is, and where it belongs."""
    if node.decision is not None:
        revision = _("revision %(number)s") % {"number": node.decision.revision}
        return f"{revision} · {node.decision.task_name or _('task deleted')}"
    return _KINDS.get(node.kind, node.kind)


def _address(project: str, node: LineageNode) -> str | None:
    if node.kind == "decision":
        return decision_url(project, node.id)
    if node.kind == "document":
        return document_url(project, node.document_key) if node.document_key else None
    if not node.task_name or node.seq is None:
        return None
    return f"{task_url(project, node.task_name, after=node.seq - 1)}#event-{node.seq}"
