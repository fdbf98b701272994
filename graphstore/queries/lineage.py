"""What a decision rests on and what rests on it, near enough to be drawn."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple, Protocol

from graphstore import rows
from graphstore.records import Decision, Document, DocumentSupport, EventSupport
from graphstore.results import Lineage, LineageEdge, LineageNode
from graphstore.store import GraphStore, Row, steady

MAX_NODES = 60
MAX_REVISIONS = 12
"""Of one choice with many revisions, so that the others find room."""


class _Place(NamedTuple):
    id: str
    kind: str
    hops: int


def get_lineage(
    store: GraphStore, project_id: str, decision_id: object, *, limit: int = MAX_NODES
) -> Lineage | None:
    """A decision with what is around it, nearest first, at most `limit` (1 to 60) nodes.

    Its newest 12 revisions, what it rests on up to four hops up, and what rests on it
    up to four hops down; each side leaves the other half of the room. Two round trips.
    None when the project has no such decision.
    """
    return widened(store, project_id, decision_id, limit=limit)


def widened(
    store: GraphStore,
    project_id: str,
    decision_id: object,
    *,
    opened: Sequence[str] = (),
    limit: int = MAX_NODES,
) -> Lineage | None:
    """As `get_lineage`, with up to 20 more neighbours further out of each node that is `opened`.

    One round trip more when anything is opened; of what is not drawn nothing is.
    """
    size = max(1, min(limit, MAX_NODES))
    near = store.read("lineage", {"project_id": project_id, "decision_id": str(decision_id)})
    if not near:
        return None
    places = _places(str(decision_id), near[0])
    drawn = {p.id: p for p in sorted(places[:size], key=lambda p: abs(p.hops))}
    there = [identity for identity in opened if identity in drawn]
    if there:
        p = {"project_id": project_id, "opened": there, "drawn": list(drawn)}
        for row in store.read("lineage_opened", p):
            for place in _beyond(drawn[row[0]], *row[1:]):
                drawn.setdefault(place.id, place)
    found = steady(lambda: store.read("lineage_nodes", asked_of(project_id, drawn.values())))
    if not found:
        return None
    return _drawn(drawn, found[0], cut=len(places) > size)


class Placed(Protocol):
    """Whatever has an id and a kind."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...


def asked_of(project_id: str, placed: Iterable[Placed]) -> dict[str, Any]:
    """The parameters of a read about what is drawn."""
    places = list(placed)
    return {
        "project_id": project_id,
        **{
            f"{kind}s": [place.id for place in places if place.kind == kind]
            for kind in ("decision", "document", "event")
        },
    }


def _beyond(
    place: _Place, cites: list[str], sources: list[tuple[str, str]], cited_by: list[str]
) -> Iterator[_Place]:
    """What lies further out than an opened node: on both sides of the decision and its revisions."""
    if place.hops <= 0:
        for kind, identity in [*sources, *(("decision", one) for one in cites)]:
            yield _Place(identity, kind, place.hops - 1)
    if place.hops >= 0:
        for identity in cited_by:
            yield _Place(identity, "decision", place.hops + 1)


def _places(root: str, near: Row) -> list[_Place]:
    """Everything near, each once at its first place, in the order in which it is drawn."""
    revisions, sources, ups, downs = near
    above = _levels(
        [*((identity, kind) for kind, identity in found), *((x, "decision") for x in up)]
        for found, up in zip(sources, ups, strict=True)
    )
    below = _levels([(x, "decision") for x in down] for down in downs)
    sides = zip_longest(
        (place._replace(hops=-place.hops) for place in above),
        below,
    )
    ordered = chain(
        [_Place(root, "decision", 0)],
        (_Place(identity, "decision", 0) for identity in revisions[:MAX_REVISIONS]),
        (place for pair in sides for place in pair if place is not None),
    )
    once: dict[str, _Place] = {}
    for place in ordered:
        once.setdefault(place.id, place)
    return list(once.values())


def _levels(levels: Iterable[list[tuple[str, str]]]) -> Iterator[_Place]:
    for hops, level in enumerate(levels, 1):
        for identity, kind in level:
            yield _Place(identity, kind, hops)


def _drawn(drawn: Mapping[str, _Place], found: Row, *, cut: bool) -> Lineage:
    _, after, decision_rows, document_rows, event_rows = found
    travelling = bool(after[0])
    documents = {str(d.id): d for d in map(rows.document, document_rows)}
    redacted = dict(event_rows)
    decisions: dict[str, Decision] = {}
    cites: dict[str, list[str]] = {}
    supersedes: dict[str, list[str]] = {}
    dependents: dict[str, int] = {}
    for row, task_name, supports, cited, superseded, number in decision_rows:
        decision = rows.decision(row, task_name or "", supports, travelling=travelling)
        identity = str(decision.id)
        decisions[identity] = decision
        cites[identity] = list(dict.fromkeys([*cited, *_sources(decision)]))
        supersedes[identity] = superseded
        dependents[identity] = number
    edges = [
        *(LineageEdge(start=a, end=b) for a, b in _between(cites, drawn)),
        *(LineageEdge(start=a, end=b, kind="supersedes") for a, b in _between(supersedes, drawn)),
    ]
    cited_by = Counter(edge.end for edge in edges if edge.kind == "cites")
    nodes: list[LineageNode] = []
    for place in drawn.values():
        if place.kind == "decision":
            decision = decisions.get(place.id)
            if decision is None:
                continue  # Deleted between the two reads.
            up = sum(end not in drawn for end in cites[place.id]) if place.hops <= 0 else 0
            down = dependents[place.id] - cited_by[place.id] if place.hops >= 0 else 0
            nodes.append(_decision(place, decision, max(up, 0) + max(down, 0)))
        elif place.kind == "document":
            nodes.append(_document(place, documents.get(place.id), decisions.values()))
        else:
            nodes.append(_event(place, redacted, decisions.values()))
    there = {node.id for node in nodes}
    return Lineage(
        nodes=nodes,
        edges=[edge for edge in edges if edge.start in there and edge.end in there],
        truncated=cut or any(node.more for node in nodes),
    )


def _between(
    ends: Mapping[str, Sequence[str]], drawn: Mapping[str, _Place]
) -> Iterator[tuple[str, str]]:
    """The pairs of which both are drawn."""
    for start in drawn:
        for end in ends.get(start, []):
            if end in drawn:
                yield start, end


def _sources(decision: Decision) -> list[str]:
    return [
        str(s.document_node_id if isinstance(s, DocumentSupport) else s.event_id)
        for s in decision.supports
        if isinstance(s, DocumentSupport | EventSupport)
    ]


def _decision(place: _Place, decision: Decision, more: int) -> LineageNode:
    return LineageNode(
        id=place.id,
        kind="decision",
        label=decision.conclusion,
        hops=place.hops,
        decision=decision,
        task_name=decision.task_name,
        more=more,
    )


def _document(
    place: _Place, document: Document | None, decisions: Iterable[Decision]
) -> LineageNode:
    """A document, changed when any decision drawn cites another version than the current one."""
    cited = [
        s
        for d in decisions
        for s in d.supports
        if isinstance(s, DocumentSupport) and str(s.document_node_id) == place.id
    ]
    key = document.document_key if document else next((s.document_key for s in cited), "")
    return LineageNode(
        id=place.id,
        kind="document",
        label=(document.title if document else None) or key,
        hops=place.hops,
        document_key=key,
        state=_state(document, cited),
    )


def _state(document: Document | None, cited: Iterable[DocumentSupport]) -> str:
    if document is None or document.removed:
        return "removed"
    same = all(
        s.recorded_activation_seq == document.activation_seq
        if s.recorded_activation_seq is not None
        else s.content_hash == document.current_content_hash
        for s in cited
    )
    return "current" if same else "changed"


def _event(
    place: _Place, redacted: Mapping[str, str | None], decisions: Iterable[Decision]
) -> LineageNode:
    support = next(
        (
            s
            for d in decisions
            for s in d.supports
            if isinstance(s, EventSupport) and str(s.event_id) == place.id
        ),
        None,
    )
    there = "redacted" if redacted.get(place.id) else "intact"
    return LineageNode(
        id=place.id,
        kind="event",
        label=_event_label(support) if support else "",
        hops=place.hops,
        task_name=support.task_name if support else None,
        seq=support.seq if support else None,
        state=there if place.id in redacted else "deleted",
    )


def _event_label(support: EventSupport) -> str:
    """A deleted task has no name any more."""
    event = f"event {support.seq}"
    return f"{support.task_name} · {event}" if support.task_name else event
