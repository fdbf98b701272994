"""Mend decisions that are not as the rules leave them: what another writer's race or crash left."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, Guard, Link, Props, SupportsHeld
from graphstore.operations.continue_review import Queued, derived_causes, held, take_in
from graphstore.operations.flagging import clear_props, raise_queue
from graphstore.operations.record_decision import choice_count
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import MEND_DECISIONS

BATCH = 100
OVERLOOKED = {
    "source_changed": "outdated_version",
    "source_removed": "lost_source",
    "dependency_review": "fallen_parent",
}
"""What an overlooked flag's reason is counted as."""


class Damaged(NamedTuple):
    """One decision as the gather returns it."""

    queued: Queued
    has_task: bool
    says_gone: bool
    newer: list[Row]
    """[revision, id] of active revisions of its choice that came after it."""
    supports: int
    unsaid: list[Row]
    """[support id, kind] of what points to a deleted event or decision and does not say so."""
    superseded_by: list[str]

    @classmethod
    def of(cls, row: Row) -> "Damaged":
        return cls(Queued(*row[0]), *row[1:])


def mend_decisions(
    store: GraphStore, project_id: str, call: Call, ids: Sequence[str]
) -> Counter[str]:
    """Mend up to 100 decisions in one commit; returns how much of which kind was mended.

    What is flagged is queued: the drain that follows flags its dependents.
    """
    step = Call("mended", project_id, call.actor, {})
    p = {**step.keys(), "ids": list(ids)}
    tried: list[Counter[str]] = [Counter()]

    def planned(seen: Row) -> Planned[Counter[str]] | Counter[str]:
        if rows.found(seen[0]):
            # An earlier try landed and its answer was lost.
            return tried[0]
        tried[0] = Counter()
        return plan(step, [Damaged.of(row) for row in seen[2]], tried[0])

    return write(
        store,
        MEND_DECISIONS,
        lambda: store.read("mend_decisions", p, leader=True)[0],
        planned,
    )


def plan(
    call: Call, found: Sequence[Damaged], kinds: Counter[str]
) -> Planned[Counter[str]] | Counter[str]:
    """What mending these changes; `kinds` is filled with what it counts."""
    causes = derived_causes([d.queued for d in found])
    changes = Changeset(guards=[Guard("Project", call.project_id)])
    changed: dict[str, dict[str, list[Any]]] = {}
    for d in found:
        before = kinds.total()
        _mend(call, changes, d, causes[d.queued.id], kinds, changed)
        if kinds.total() > before:
            changes.guards.append(held(d.queued))
            changes.supports_held.append(SupportsHeld(d.queued.id, d.supports))
    if not kinds:
        return kinds
    queued = len(changed)
    raise_queue(changes, {call.project_id: queued}, incomplete=[call.project_id] if queued else [])
    changes.finish_projects = [call.project_id]
    flagged = [i for i, props in changed.items() if "review_state" in props]
    touched = list(dict.fromkeys(c.id for c in changes.changes if c.label == "Decision"))
    entry = Entry(
        changed=changed, flagged=flagged, decisions=touched, cause=",".join(sorted(kinds))
    )
    changes.entries = [call.entry(entry)]
    return Planned(changes, lambda _: kinds)


def _mend(
    call: Call,
    changes: Changeset,
    d: Damaged,
    causes: list[str],
    kinds: Counter[str],
    changed: dict[str, dict[str, list[Any]]],
) -> None:
    q = d.queued
    at = rows.iso(call.at)
    for identity, kind in d.unsaid:
        kinds["gone_unsaid"] += 1
        name = {"task_name": ""} if kind == "event" else {}
        changes.changes.append(Change("DecisionSupport", identity, {"ctx_gone_at": at, **name}))
    if not d.has_task and not d.says_gone:
        kinds["orphan"] += 1
        changes.changes.append(Change("Decision", q.id, {"ctx_task_gone": True}, revises=False))
    if d.newer:
        kinds["second_revision"] += 1
        changed[q.id] = {"status": ["active", "superseded"]}
        _retire(call, changes, d)
        return
    reason = q.overlooked()
    if reason is not None:
        kinds[OVERLOOKED[reason]] += 1
        changed[q.id] = {
            "review_state": ["clear", "needs_review"],
            "review_reason": [q.review_reason, reason],
        }
    if q.version is None or (q.status == "active") != (q.stance is not None):
        kinds["uncounted"] += 1
    elif q.flagged and q.stored_flagged_us is None:
        kinds["undated_flag"] += 1
    elif reason is None:
        return
    # What is queued already stays queued.
    take_in(changes, call, q, causes, reason, pending=True)


def _retire(call: Call, changes: Changeset, d: Damaged) -> None:
    """An older revision beside a newer active one: it is superseded by the newest."""
    q = d.queued
    newest: str = max(d.newer, key=lambda row: row[0])[1]
    props: Props = {**clear_props(), "status": "superseded", "review_pending": True}
    if q.stance is not None:
        changes.stances.append(choice_count(call.project_id, q.choice_key, q.stance, -1))
        props["ctx_stance"] = None
    changes.changes.append(Change("Decision", q.id, props))
    changes.guards.append(Guard("Decision", newest, _active()))
    if newest not in d.superseded_by:
        changes.links.append(Link("SUPERSEDES", newest, q.id))


def _active() -> Mapping[str, Any]:
    return {"status": "active"}


def mend_mark(store: GraphStore, project_id: str, call: Call, *, queued: bool) -> Counter[str]:
    """Set the project's mark by whether anything is queued, where it says otherwise."""
    step = Call("mended", project_id, call.actor, {})
    kind = "mark_missing" if queued else "mark_stale"
    kinds = Counter({kind: 1})
    # The mark is one of those that the finishing clause judges under the project's lock.
    changes = Changeset(
        guards=[Guard("Project", project_id)],
        finish_projects=[project_id],
        entries=[step.entry(Entry(cause=kind))],
    )
    if queued:
        # Readers who compare the epoch must see that the project moved.
        raise_queue(changes, {}, incomplete=[project_id])
    planned = Planned(changes, lambda _: kinds)

    def gather() -> Row:
        return store.read("mend_decisions", {**step.keys(), "ids": []}, leader=True)[0]

    return write(
        store, MEND_DECISIONS, gather, lambda seen: kinds if rows.found(seen[0]) else planned
    )
