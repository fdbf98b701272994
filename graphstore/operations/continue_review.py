"""Move flags on to dependents: the drain of the project's review queue.

The queue is `review_pending` on decisions and nothing else, so the library's
drain and this one work on it side by side (`RULES.md` 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, Guard
from graphstore.operations.flagging import Closure, closure, flag_dependents, raise_queue
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import CONTINUE_REVIEW

MAX_UNITS = 100


class Queued(NamedTuple):
    """One decision to expand or to date, with what its causes derive from."""

    id: str
    task_id: str
    status: str
    review_state: str
    review_reason: str | None
    review_pending: bool | None
    review_epoch: int | None
    version: int
    causes: list[str] | None
    flagged_us: int | None
    created_at: str
    seen_epoch: int | None
    sources: list[Row]
    """[document id, activation, recorded activation] of current document supports."""
    parents: list[Row]
    """[id, status, review_state, causes] of cited decisions."""


class Gathered(NamedTuple):
    project: Row
    queued: list[Queued]
    closure: list[list[Row]]

    @classmethod
    def of(cls, row: Row) -> "Gathered":
        project, queued, levels = row
        return cls(project, [Queued(*q) for q in queued], levels)


@dataclass(frozen=True)
class Drained:
    """What one commit of the drain did."""

    units: int
    flagged: list[str]
    more: bool
    entry_id: str | None = None


def continue_decision_review(store: GraphStore, call: Call, limit: int) -> int:
    """Expand at most `limit` queued decisions by one hop each; returns how many were.

    A call that finds nothing also clears a stale mark. Seed: history and
    decisions, Review after a source change.
    """
    left = max(0, min(limit, MAX_UNITS))
    done = 0
    while True:
        one = drain(store, Call(call.action, call.project_id, call.actor, {}), units=left, hops=1)
        done += one.units
        left -= one.units
        if one.units == 0 or left <= 0 or not one.more:
            return done


def drain(store: GraphStore, call: Call, *, units: int, hops: int) -> Drained:
    """Expand up to `units` queued decisions by up to `hops` levels (1 to 8) in one commit.

    It also dates flags that another writer set and derives their causes.
    """
    p = {"project_id": call.project_id, "limit": max(units, 1)}
    return write(
        store,
        CONTINUE_REVIEW,
        lambda: _gather(store, p),
        lambda seen: plan(call, seen, units, hops),
    )


def _gather(store: GraphStore, p: Mapping[str, Any]) -> Gathered | None:
    found = store.read("continue_review", p, leader=True)
    return Gathered.of(found[0]) if found else None


def plan(
    call: Call, seen: Gathered | None, units: int, hops: int
) -> Planned[Drained] | Drained:
    """What one step of the drain changes, given what was read."""
    if seen is None or (not seen.queued and not seen.project[1]):
        return Drained(0, [], False)
    queued = seen.queued[:units]
    if seen.queued and not queued:
        return Drained(0, [], True)
    found = closure(seen.closure[:hops], [q.id for q in queued])
    return plan_drain(call, queued, found, more=True)


def plan_drain(
    call: Call, queued: Sequence[Queued], found: Closure, *, more: bool
) -> Planned[Drained]:
    """The commit that expands `queued` over `found` and clears the mark when nothing is left."""
    us = rows.microseconds(call.at)
    causes = derived_causes(queued)
    changes = Changeset(
        guards=[Guard("Project", call.project_id)], finish_projects=[call.project_id]
    )
    for q in queued:
        changes.guards.append(_guard(q))
        props: dict[str, Any] = {"review_pending": True if q.id in found.frontier else None}
        if q.status == "active" and q.review_state == "needs_review":
            props |= {
                "ctx_causes": sorted(causes[q.id]),
                "ctx_flagged_us": q.flagged_us or us,
                "ctx_seen_epoch": q.review_epoch if q.review_epoch is not None else -1,
            }
        changes.changes.append(Change("Decision", q.id, props))
    expanded = {
        q.id: causes[q.id] or [f"decision:{q.id}"] for q in queued if q.review_pending
    }
    flagged = flag_dependents(changes, found, expanded, us)
    raise_queue(changes, {call.project_id: len(flagged)})
    changes.guards = _once(changes.guards)
    changed = {q.id: {"review_pending": [True, None]} for q in queued if q.review_pending}
    if queued or flagged:
        entry = Entry(changed=changed, flagged=flagged, decisions=[q.id for q in queued])
        changes.entries = [call.entry(entry)]
    units = sum(1 for q in queued if q.review_pending)
    return Planned(
        changes,
        lambda committed: Drained(
            units,
            [*flagged, *committed.late],
            more and (units > 0 or bool(committed.late)),
            call.entry_id if changes.entries else None,
        ),
    )


def _once(guards: Sequence[Guard]) -> list[Guard]:
    kept: dict[tuple[str, str], Guard] = {}
    for guard in guards:
        key = (guard.label, guard.id)
        if key not in kept or guard.seen:
            kept[key] = guard
    return list(kept.values())


def _guard(q: Queued) -> Guard:
    seen: dict[str, Any] = {"status": q.status, "review_state": q.review_state}
    absent: list[str] = []
    for key, value in (("ctx_version", q.version or None), ("review_pending", q.review_pending)):
        if value is None:
            absent.append(key)
        else:
            seen[key] = value
    return Guard("Decision", q.id, seen, tuple(absent))


def derived_causes(queued: Sequence[Queued]) -> dict[str, list[str]]:
    """What started each flag: kept causes, sources that moved on, and what its parents carry."""
    causes: dict[str, set[str]] = {}
    for q in queued:
        own = set(q.causes or ())
        own |= {
            f"document:{document}:{activation}"
            for document, activation, recorded in q.sources
            if document is not None and activation != recorded
        }
        for parent in q.parents:
            if parent[0] is None:
                continue
            if parent[1] != "active":
                own.add(f"decision:{parent[0]}")
            elif parent[2] == "needs_review":
                own |= set(parent[3] or ())
        causes[q.id] = own if q.status == "active" else {f"decision:{q.id}"}
    for _ in range(8):
        before = {identity: len(own) for identity, own in causes.items()}
        for q in queued:
            for parent in q.parents:
                if q.status == "active" and parent[0] in causes and parent[1] == "active":
                    causes[q.id] |= causes[parent[0]]
        if before == {identity: len(own) for identity, own in causes.items()}:
            break
    return {identity: sorted(own) for identity, own in causes.items()}
