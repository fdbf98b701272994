"""What a console's review index is fed from: the outbox, the queue, and what others flagged.

`graphstore` writes the graph and nothing else; the open ledger entries are the
outbox. `take` also drains what is queued, so a flag that the library set a
moment ago is dated, spread and reported by the same call (`RULES.md` 6).
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from graphstore import rows
from graphstore.calls import Call
from graphstore.changeset import Change, Changeset
from graphstore.operations.continue_review import drain
from graphstore.records import Actor, Decision, Document, FlagState, Record
from graphstore.rows import Row
from graphstore.running import run_step
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import CLOSE_ENTRIES

__all__ = [
    "FeedBatch",
    "Outbox",
    "ProjectSummary",
    "QueueRow",
    "cause_documents",
    "close",
    "list_projects",
    "outbox",
    "queue_page",
    "queue_rows",
    "take",
]

OVERLAP = timedelta(hours=1)
"""How far back records of other writers are looked for: longer than any transaction."""
DRAIN_UNITS = 100
MAX_DEPENDENTS = 1000
MAX_PROJECTS = 1000
MAX_DOCUMENTS = 200
MAX_OPEN = 1000


class FeedBatch(Record):
    """What to apply to the index, then to `close`.

    `epoch`, `lock` and `looked_at` were read before anything else: store them and
    pass them back. `more` says that another call is needed.
    """

    epoch: int
    lock: int
    looked_at: datetime
    states: Sequence[FlagState] = ()
    deleted: Sequence[UUID] = ()
    """Decisions that were deleted: whatever else is kept for them must go."""
    entry_ids: Sequence[str] = ()
    more: bool = False


class QueueRow(Record):
    """One decision of a queue page, confirmed by the graph.

    `reaffirmed_at` is when it was last reaffirmed on what it stands on now, by any writer.
    """

    decision: Decision
    dependents: int
    documents: Sequence[str] = ()
    reaffirmed_at: datetime | None = None


class Outbox(Record):
    """Ledger entries that no console has taken yet."""

    waiting: int
    oldest: datetime | None = None


class ProjectSummary(Record):
    project_id: str
    review_incomplete: bool


def take(
    store: GraphStore,
    project_id: str,
    *,
    after_epoch: int | None,
    since: datetime | None = None,
    limit: int = 200,
    actor: Actor | None = None,
    slow: bool = True,
) -> FeedBatch:
    """The states of decisions that changed since the index was last fed.

    One read when nothing happened, at most two more and one commit otherwise.
    `after_epoch` None means that there is no index yet: then every flagged
    decision is reported, in as many reads as that takes. One step of an open job is done,
    too; of a slow one, the rewriting of the engine's log, only where the caller may wait.
    """
    looked_at = datetime.now(UTC)
    recent = (since or looked_at) - OVERLAP
    p = {
        "project_id": project_id,
        "epoch": after_epoch if after_epoch is not None else 0,
        "recent": rows.iso(recent),
        "limit": limit,
    }
    found = store.read("feed", p, leader=True)
    if not found:
        return FeedBatch(epoch=0, lock=0, looked_at=looked_at)
    project, entries, touched, gone, queued, drained, foreign, jobs = found[0]
    states = {s.decision_id: s for s in (_state(row) for row in touched)}
    deleted = [s for row in gone for s in _deleted(row)]
    states |= {s.decision_id: s for s in deleted}
    call = Call(
        "flag_observed",
        project_id,
        actor or Actor(agent_id="review-console", door="job"),
        {},
    )
    more = len(entries) >= limit
    ran, left = run_step(store, project_id, call.actor, slow=slow) if jobs else (None, False)
    if ran != "flag_citers" and (queued or drained or foreign or project[1]):
        others = list(dict.fromkeys([*drained, *foreign]))
        step = drain(store, call, units=DRAIN_UNITS, hops=8, others=others)
        states |= {s.decision_id: s for s in step.states}
        entries = [*entries, *([step.entry_id] if step.entry_id else [])]
        more = more or step.more or step.units >= DRAIN_UNITS
    more = more or left or ran is not None
    if after_epoch is None:
        states = {s.decision_id: s for s in _all_flagged(store, project_id)} | states
    # A look that did not reach the end of a list must be repeated from where it began.
    cut_drained, cut_foreign = len(drained) >= limit, len(foreign) >= limit
    return FeedBatch(
        epoch=(after_epoch or 0) if cut_drained else project[2],
        lock=project[3],
        looked_at=(since or looked_at) if cut_foreign else looked_at,
        states=list(states.values()),
        deleted=[s.decision_id for s in deleted],
        entry_ids=entries,
        more=more or cut_drained or cut_foreign,
    )


def _state(row: Row) -> FlagState:
    identity, task_id, status, review_state, reason, version, flagged_us, created_at = row[:8]
    causes, inferred_us = row[8:]
    flagged = status == "active" and review_state == "needs_review"
    return FlagState(
        decision_id=identity,
        task_id=task_id,
        flagged=flagged,
        reason=reason if flagged else None,
        version=version,
        flagged_us=flagged_us if flagged else None,
        created_us=rows.microseconds_of(created_at),
        causes=(causes or []) if flagged else [],
        inferred=flagged and flagged_us == inferred_us,
    )


def _deleted(row: Row) -> list[FlagState]:
    """The states of decisions that were deleted: nothing waits there any more."""
    task_id, created_at, ids, versions = row
    return [
        FlagState(
            decision_id=identity,
            task_id=task_id,
            flagged=False,
            version=version,
            created_us=rows.microseconds_of(created_at),
        )
        for identity, version in zip(ids, versions, strict=True)
    ]


def _all_flagged(store: GraphStore, project_id: str) -> list[FlagState]:
    page, after = 500, ""
    states: dict[UUID, FlagState] = {}
    while True:
        found = store.read("flagged", {"project_id": project_id, "after": after, "limit": page})
        before = len(states)
        states |= {s.decision_id: s for s in (_state(row) for row in found)}
        if len(found) < page:
            return list(states.values())
        # More than a page of one instant would stand still: then widen the page.
        if len(states) == before:
            page *= 2
        after = found[-1][7]


def close(store: GraphStore, entry_ids: Sequence[str]) -> None:
    """Mark ledger entries as taken, once what they say is safe in the index."""
    if entry_ids:
        changes = [Change("CtxTrace", identity, {"ctx_open": None}) for identity in entry_ids]
        planned = Planned[None](Changeset(changes=changes), lambda _: None)
        write(store, CLOSE_ENTRIES, lambda: None, lambda _: planned)


def queue_rows(
    store: GraphStore, project_id: str, decision_ids: Sequence[UUID | str], *, clear: bool = False
) -> list[QueueRow]:
    """The given decisions that are still active and not clear, in the given order, in one read.

    With `clear` also those that are.
    """
    return queue_page(store, project_id, decision_ids, clear=clear)[0]


def queue_page(
    store: GraphStore,
    project_id: str,
    decision_ids: Sequence[UUID | str],
    document_ids: Sequence[UUID | str] = (),
    *,
    clear: bool = False,
) -> tuple[list[QueueRow], dict[str, Document]]:
    """As `queue_rows`, and in the same read documents by their ids, as far as there are such.

    Documents belong to no project: name only those that decisions of this one cite.
    """
    if not decision_ids and not document_ids:
        return [], {}
    wanted = [str(identity) for identity in decision_ids]
    named = [str(identity) for identity in document_ids]
    p = {"project_id": project_id, "ids": wanted, "documents": named}
    by_id: dict[str, QueueRow] = {}
    documents: dict[str, Document] = {}
    for travelling, found, task_name, dependents, moved, reaffirmed in store.read("queue_rows", p):
        if dependents is None:
            document = rows.document(found)
            documents[str(document.id)] = document
            continue
        flagged = rows.named("decision", found).get("review_state") == "needs_review"
        if not (flagged or clear):
            continue
        record = rows.decision(found, task_name or "", travelling=travelling)
        by_id[str(record.id)] = QueueRow(
            decision=record,
            dependents=min(dependents, MAX_DEPENDENTS),
            documents=sorted(moved),
            reaffirmed_at=datetime.fromisoformat(reaffirmed) if reaffirmed else None,
        )
    return [by_id[identity] for identity in wanted if identity in by_id], documents


def cause_documents(
    store: GraphStore, project_id: str, document_ids: Sequence[str]
) -> dict[str, Document]:
    """The documents among these ids that the project may read, by id, in one read.

    At most 200: an index of flags knows documents by id, and whoever shows one needs
    its key and title.
    """
    wanted = list(dict.fromkeys(document_ids))[:MAX_DOCUMENTS]
    if not wanted:
        return {}
    found = store.read("cause_documents", {"project_id": project_id, "ids": wanted})
    documents = [rows.document(row) for row, in_scope in found if in_scope]
    return {str(document.id): document for document in documents}


def list_projects(store: GraphStore) -> list[ProjectSummary]:
    """Every project of the graph, by id, at most 1,000."""
    return [
        ProjectSummary(project_id=row[0], review_incomplete=row[1])
        for row in store.read("projects", {"limit": MAX_PROJECTS})
    ]


def outbox(store: GraphStore, project_id: str) -> Outbox:
    """How many ledger entries no console has taken, at most 1,000, and the oldest's time."""
    waiting, oldest = store.read("outbox", {"project_id": project_id, "limit": MAX_OPEN})[0]
    return Outbox(waiting=waiting, oldest=rows.at_microseconds(oldest) if oldest else None)
