"""The lineage of a decision as a reader explores it: with nodes opened, and as of a moment.

Earlier states are told from times that are recorded: when each record was made, when a
version was activated, an event redacted, a decision retired, and what stood before the
first verdict after that moment. A flag that another writer set and cleared since has left
no time, so it is not told.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphstore import rows
from graphstore.queries.lineage import asked_of, widened
from graphstore.records import Decision, DecisionStatus, DocumentSupport, ReviewState
from graphstore.results import Lineage, LineageNode
from graphstore.rows import Row
from graphstore.store import GraphStore

__all__ = ["MAX_OPENED", "open_lineage"]

MAX_OPENED = 6
"""Nodes that may be opened at once."""


def open_lineage(
    store: GraphStore,
    project_id: str,
    decision_id: str,
    *,
    opened: Sequence[str] = (),
    at: datetime | None = None,
) -> Lineage | None:
    """What a decision rests on and what rests on it; None when there is no such decision.

    At most 60 nodes, and 20 more for each side of the first six that are `opened`. With
    `at` (aware) what was not recorded by then is left out, the decision itself included,
    and states are those of then. Two to four round trips.
    """
    found = widened(store, project_id, decision_id, opened=opened[:MAX_OPENED])
    if found is None or at is None:
        return found
    p = asked_of(project_id, found.nodes) | {"at": rows.iso(at)}
    return _as_of(found, store.read("lineage_moments", p)[0], at)


def _as_of(lineage: Lineage, moments: Row, at: datetime) -> Lineage:
    decisions, documents, events = ({row[0]: row[1:] for row in found} for found in moments)
    then = {
        node.id: node.decision.model_copy(update=_state_then(node.decision, decisions[node.id], at))
        for node in lineage.nodes
        if node.decision is not None and node.id in decisions and node.decision.created_at <= at
    }
    nodes: list[LineageNode] = []
    for node in lineage.nodes:
        match node.kind:
            case "decision":
                if node.id in then:
                    nodes.append(node.model_copy(update={"decision": then[node.id], "more": 0}))
            case "document":
                nodes += _document_then(node, documents.get(node.id), then, lineage)
            case _:
                nodes += _event_then(node, events.get(node.id), at)
    there = {node.id for node in nodes}
    # What only later decisions cite was not part of it.
    edges = [edge for edge in lineage.edges if edge.start in there and edge.end in there]
    cited = {edge.end for edge in edges}
    nodes = [node for node in nodes if node.kind == "decision" or node.id in cited]
    there = {node.id for node in nodes}
    return lineage.model_copy(
        update={"nodes": nodes, "edges": [edge for edge in edges if edge.end in there]}
    )


def _state_then(decision: Decision, known: Sequence[Any], at: datetime) -> dict[str, Any]:
    superseded_at, rejected_at, undone = known
    if decision.status is DecisionStatus.SUPERSEDED and _by(superseded_at, at):
        return {"status": DecisionStatus.SUPERSEDED, "review_state": ReviewState.CLEAR}
    if decision.status is DecisionStatus.REJECTED and _by(rejected_at, at):
        return {"status": DecisionStatus.REJECTED, "review_state": ReviewState.CLEAR}
    flagged = ReviewState.NEEDS_REVIEW if _flagged_then(decision, undone, at) else ReviewState.CLEAR
    return {"status": DecisionStatus.ACTIVE, "review_state": flagged}


def _flagged_then(decision: Decision, undone: Sequence[str], at: datetime) -> bool:
    """Whether it waited for review: as the first verdict after that moment found it, or as it is."""
    if undone:
        before: Mapping[str, Any] = json.loads(undone[0]).get("before", {})
        us = before.get("ctx_flagged_us")
        waits = before.get("review_state") == ReviewState.NEEDS_REVIEW
        return waits and us is not None and us <= rows.microseconds(at)
    waits = decision.review_state is ReviewState.NEEDS_REVIEW
    return waits and decision.flagged_at is not None and decision.flagged_at <= at


def _document_then(
    node: LineageNode, known: Sequence[Any] | None, then: Mapping[str, Decision], lineage: Lineage
) -> list[LineageNode]:
    """A document with its version of then; one that had none by then was not there."""
    if known is None:
        return [node]
    if not known[0]:
        return []
    version, verb = known[0][0]
    citing = {edge.start for edge in lineage.edges if edge.end == node.id}
    cited = [
        support.recorded_activation_seq
        for identity in citing & then.keys()
        for support in then[identity].supports
        if isinstance(support, DocumentSupport) and str(support.document_node_id) == node.id
    ]
    # A support that cites a later version was brought up to date since: of what it cited
    # then, this does not tell.
    moved = any(seq is not None and seq < version for seq in cited)
    state = "removed" if verb == "delete" else "changed" if moved else "current"
    return [node.model_copy(update={"state": state})]


def _event_then(node: LineageNode, known: Sequence[Any] | None, at: datetime) -> list[LineageNode]:
    """An event that was recorded by then; one that is gone by now has no times any more."""
    if known is None:
        return [node]
    recorded_at, redacted_at = known
    if not _by(recorded_at, at):
        return []
    return [node.model_copy(update={"state": "redacted" if _by(redacted_at, at) else "intact"})]


def _by(stored: str | None, at: datetime) -> bool:
    """Whether a recorded time was no later; other writers may leave out the zone."""
    if not stored:
        return False
    known = datetime.fromisoformat(stored)
    return (known if known.tzinfo else known.replace(tzinfo=UTC)) <= at
