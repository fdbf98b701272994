"""What stands around the decisions of one choice, for comparing them, in one read."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from graphstore import rows
from graphstore.records import DecisionStatus, Document, EventKind, Record
from graphstore.store import GraphStore

__all__ = ["CitedDecision", "CitedEvent", "Surroundings", "surroundings"]

MAX_DEPENDENTS = 1000


class CitedEvent(Record):
    """A cited event. `start` is the beginning of its payload, at most 300 characters."""

    kind: EventKind
    name: str | None = None
    redacted_at: datetime | None = None
    start: str


class CitedDecision(Record):
    conclusion: str
    status: DecisionStatus


class Surroundings(Record):
    """One decision's task goal, how many cite it, and what it cites, by id.

    `dependents` are the direct active ones, at most 1,000. What was deleted is not there.
    """

    goal: str = ""
    dependents: int = 0
    documents: Mapping[UUID, Document] = {}
    events: Mapping[UUID, CitedEvent] = {}
    decisions: Mapping[UUID, CitedDecision] = {}


def surroundings(
    store: GraphStore, project_id: str, decision_ids: Sequence[UUID | str]
) -> dict[UUID, Surroundings]:
    """The surroundings of the given decisions of a project, those that exist."""
    if not decision_ids:
        return {}
    ids = [str(identity) for identity in decision_ids]
    found = store.read("board", {"project_id": project_id, "ids": ids})
    around: dict[UUID, Surroundings] = {}
    for identity, goal, dependents, documents, events, parents in found:
        cited = [rows.document(row) for row in documents if row is not None]
        around[UUID(identity)] = Surroundings(
            goal=goal or "",
            dependents=min(dependents, MAX_DEPENDENTS),
            documents={document.id: document for document in cited},
            events={
                UUID(row[0]): CitedEvent(kind=row[1], name=row[2], redacted_at=row[3], start=row[4])
                for row in events
                if row is not None and row[0] is not None
            },
            decisions={
                UUID(row[0]): CitedDecision(conclusion=row[1], status=row[2])
                for row in parents
                if row is not None
            },
        )
    return around
