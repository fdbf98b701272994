"""What rests on flagged decisions, and whether their sources still stand where they were compared.

Both are bounded reads for a worker that goes through many decisions: ids and numbers,
never a text.
"""

from collections.abc import Sequence
from uuid import UUID

from graphstore.records import Record
from graphstore.store import GraphStore

__all__ = ["MAX_COUNTED", "MAX_DECISIONS", "SourcesNow", "Stake", "sources_now", "stakes"]

MAX_DECISIONS = 200
"""Decisions of one read."""
MAX_COUNTED = 1_000
"""Dependents and tasks are not counted further."""


class Stake(Record):
    """What rests on one active decision. `version` is the decision's as of this read.

    `dependents` are the active decisions that cite it, directly or through up to seven
    others; `open_tasks` the tasks not done in which it or one of them stands. Both
    count to 1,000. `supports` are those current.
    """

    decision_id: UUID
    version: int
    author: str
    supports: int
    dependents: int
    open_tasks: int


class SourcesNow(Record):
    """Activations of documents and states of decisions, by id; what is gone is missing.

    A decision's state is its status unless that is active, else its review state.
    """

    documents: dict[str, int]
    decisions: dict[str, str]


def stakes(
    store: GraphStore, project_id: str, decision_ids: Sequence[UUID | str]
) -> dict[UUID, Stake]:
    """What rests on each of at most 200 decisions, in one read.

    Decisions that are not active in the project are missing. Raises `ValueError` for more.
    """
    wanted = list(dict.fromkeys(str(identity) for identity in decision_ids))
    if len(wanted) > MAX_DECISIONS:
        raise ValueError(f"At most {MAX_DECISIONS} decisions at once.")
    if not wanted:
        return {}
    found = store.read("stakes", {"project_id": project_id, "ids": wanted})
    return {
        UUID(identity): Stake(
            decision_id=UUID(identity),
            version=version,
            author=author,
            supports=supports,
            dependents=min(dependents, MAX_COUNTED),
            open_tasks=min(open_tasks, MAX_COUNTED),
        )
        for identity, version, author, supports, dependents, open_tasks in found
    }


def sources_now(
    store: GraphStore, *, documents: Sequence[str], decisions: Sequence[str]
) -> SourcesNow:
    """Where documents and decisions stand, in one read that costs the ids asked for."""
    if not documents and not decisions:
        return SourcesNow(documents={}, decisions={})
    asked = {"documents": list(documents), "decisions": list(decisions)}
    sources, cited = store.read("sources_now", asked)[0]
    return SourcesNow(
        documents=dict(sources),
        decisions={
            identity: state if status == "active" else status for identity, status, state in cited
        },
    )
