"""What the reference library does to a graph, as raw statements past our code."""

from uuid import UUID

from graphstore.records import Decision
from tests.servers import RawGraph
from tests.web.world import PROJECT

_FLAG = """
MATCH (d:Decision {_agrag_history_record: true, id: $id})
MATCH (p:Project {_agrag_history_record: true, project_id: $project})
SET d.review_state = 'needs_review', d.review_pending = true, d.review_reason = $reason,
    p.review_incomplete = true, p.review_epoch = p.review_epoch + 1
RETURN d.id
"""

_CLEAR = """
MATCH (d:Decision {_agrag_history_record: true, id: $id})
SET d.review_state = 'clear', d.review_reason = null, d.review_pending = null
RETURN d.id
"""


def flag(raw: RawGraph, decision: Decision, reason: str = "source_changed") -> None:
    """Flag a decision as an ingestion of the library does: no version, no cause, no time."""
    changed = raw.run(_FLAG, {"id": str(decision.id), "project": PROJECT, "reason": reason})
    assert len(changed) == 1


def clear(raw: RawGraph, decision: Decision | UUID) -> None:
    """Clear a flag as a reaffirmation of the library does: the epoch stays."""
    ident = decision if isinstance(decision, UUID) else decision.id
    assert len(raw.run(_CLEAR, {"id": str(ident)})) == 1


_TAKE_OVER = """
MATCH (d:Document {document_key: $key}) SET d.ctx_managed = null RETURN d.id
"""


def take_over(raw: RawGraph, key: str) -> None:
    """Make a document one that an ingestion of the library wrote."""
    assert len(raw.run(_TAKE_OVER, {"key": key})) == 1
