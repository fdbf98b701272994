"""Take in the decisions that other writers recorded before this console looked at their graph."""

from graphstore.calls import Call
from graphstore.operations.continue_review import drain
from graphstore.records import Actor, Record
from graphstore.store import GraphStore

__all__ = ["AdoptSlice", "adopt_slice"]

SLICE = 200


class AdoptSlice(Record):
    """What one slice took in. `cursor` None means that nothing is left."""

    cursor: str | None
    decisions: int


def adopt_slice(
    store: GraphStore, project_id: str, cursor: str | None = None, *, actor: Actor | None = None
) -> AdoptSlice:
    """Adopt up to 200 decisions: date their flags, derive causes, count their side of the choice.

    Resumable and repeatable: what was adopted is not looked at again. Queued flags
    travel on in the same commits.
    """
    found = store.read(
        "unadopted", {"project_id": project_id, "after": cursor or "", "limit": SLICE}, leader=True
    )
    if not found:
        return AdoptSlice(cursor=None, decisions=0)
    call = Call("adopt", project_id, actor or Actor(agent_id="review-console", door="command"), {})
    drain(store, call, units=SLICE, hops=8, others=[row[0] for row in found])
    return AdoptSlice(cursor=min(row[1] for row in found), decisions=len(found))
