"""Have the engine's own files forget what was erased.

FalkorDB keeps every statement in its append-only file until that is rewritten. Each
commit that erases leaves an open job, so that the rewriting is not lost when a process
dies in between; whoever runs the jobs of a project does it once for all of them.
"""

from graphstore import rows
from graphstore.calls import Call
from graphstore.changeset import Change, Changeset, Create, Guard
from graphstore.ids import derived_id
from graphstore.records import Actor
from graphstore.schema import CTX_MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import CLOSE_JOBS

__all__ = ["KIND", "rewrite_log", "rewriting", "rewriting_id"]

KIND = "rewrite_log"


def rewriting_id(entry_id: str) -> str:
    """The id of the job that an erasing commit leaves, from that of its ledger entry."""
    return derived_id("CtxJob", entry_id, KIND)


def rewriting(call: Call) -> Create:
    """The job, for the commit that erases."""
    return Create(
        "CtxJob",
        {
            CTX_MARKER: True,
            "id": rewriting_id(call.entry_id),
            "kind": KIND,
            "project_id": call.project_id,
            "project_ids": [call.project_id],
            "entry_id": call.entry_id,
            "created_at": rows.iso(call.at),
            "us": rows.microseconds(call.at),
            "state": "open",
            "ctx_open": True,
        },
    )


def rewrite_log(store: GraphStore, project_id: str, actor: Actor) -> None:
    """Rewrite the engine's log and close the jobs that were waiting for that before it began."""
    waiting = _waiting(store, project_id)
    if not waiting:
        return
    outcome = store.rewrite_log()
    call = Call("close_jobs", project_id, actor, {})

    def plan(now: list[str]) -> Planned[None] | None:
        ids = [identity for identity in now if identity in waiting]
        if not ids:
            return None
        done = {
            "ctx_open": None,
            "state": "done",
            "outcome": outcome,
            "finished_at": rows.iso(call.at),
        }
        changes = Changeset(
            guards=[Guard("CtxJob", identity, {"ctx_open": True}) for identity in ids],
            changes=[Change("CtxJob", identity, done) for identity in ids],
        )
        return Planned(changes, lambda _: None)

    write(store, CLOSE_JOBS, lambda: _waiting(store, project_id), plan)


def _waiting(store: GraphStore, project_id: str) -> list[str]:
    found = store.read("jobs", {"project_id": project_id}, leader=True)
    return [row[1] for row in found if row[0] == KIND]
