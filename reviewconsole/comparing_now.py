"""What became of the supports of many decisions, desk by desk: one read of the graph each.

Stands in until the record system compares fifty decisions in one read.
"""

from collections.abc import Sequence
from uuid import UUID

from graphstore.desk import SupportOnDesk, open_desk
from graphstore.evidence import COMPARISON_VERSION, Comparison
from graphstore.records import DocumentSupport, EventSupport, Record
from graphstore.store import GraphStore

MAX_COMPARED = 50


class SupportCompared(Record):
    """One support as compared: ids, versions and values, no text."""

    ordinal: int
    kind: str
    ref: str
    comparison: Comparison
    dangers: Sequence[str] = ()
    cited_seq: int | None = None
    current_seq: int | None = None
    algorithm: str = COMPARISON_VERSION


def compare_supports(
    store: GraphStore, project_id: str, decision_ids: Sequence[UUID]
) -> dict[UUID, list[SupportCompared]]:
    """The supports of each decision; those that are not active in the project are missing."""
    desks = {identity: open_desk(store, project_id, identity) for identity in decision_ids}
    return {
        identity: [_compared(one) for one in desk.supports]
        for identity, desk in desks.items()
        if desk is not None and desk.decision.status == "active"
    }


def _compared(one: SupportOnDesk) -> SupportCompared:
    support = one.support
    if isinstance(support, DocumentSupport):
        return SupportCompared(
            ordinal=support.ordinal,
            kind="document",
            ref=str(support.document_node_id),
            comparison=one.comparison,
            cited_seq=support.recorded_activation_seq,
            current_seq=one.document.activation_seq if one.document else None,
        )
    of_event = isinstance(support, EventSupport)
    return SupportCompared(
        ordinal=support.ordinal,
        kind="event" if of_event else "decision",
        ref=str(support.event_id if isinstance(support, EventSupport) else support.decision_id),
        comparison=one.comparison,
    )
