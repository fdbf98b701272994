"""Move flags on to dependents: the drain of the project's review queue.

The queue is `review_pending` on decisions and nothing else, so the library's
drain and this one work on it side by side (`RULES.md` 3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, Guard, Scope
from graphstore.operations.flagging import (
    Closure,
    closure,
    flag_dependents,
    flag_props,
    raise_queue,
)
from graphstore.operations.record_decision import stance_count
from graphstore.records import FlagState
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import CONTINUE_REVIEW

MAX_UNITS = 100


class Queued(NamedTuple):
    """One decision to expand or to take in, with what its causes derive from."""

    id: str
    task_id: str
    status: str
    review_state: str
    review_reason: str | None
    review_pending: bool | None
    review_epoch: int | None
    version: int | None
    stored_causes: list[str] | None
    stored_flagged_us: int | None
    stored_inferred_us: int | None
    """Equal to the former as long as the flag is another writer's, dated by a drain."""
    created_at: str
    choice_key: str
    conclusion: str
    stance: str | None
    reviewed_at: str | None
    sources: list[Row]
    """[kind, id, activation now, activation cited, gone] of its supports; of kind `gone`
    the cause itself stands for the id of what was deleted."""
    parents: list[Row]
    """[id, status, review state, causes] of cited decisions."""
    documents: list[Row]
    """[id, key] of the documents that its current supports cite."""

    @property
    def flagged(self) -> bool:
        return self.status == "active" and self.review_state == "needs_review"

    @property
    def flagged_us(self) -> int | None:
        """When its flag was dated here; None when another writer cleared that flag since."""
        us = self.stored_flagged_us if self.flagged else None
        reviewed = rows.microseconds_of(self.reviewed_at) if self.reviewed_at else 0
        return us if us is not None and us > reviewed else None

    def overlooked(self) -> str | None:
        """The reason for which it should be flagged and is not: another writer's race."""
        if self.status != "active" or self.review_state != "clear":
            return None
        lost = [gone for _, identity, _, _, gone in self.sources if identity is not None]
        if any(lost):
            return "source_removed"
        if any(now != cited for _, identity, now, cited, _ in self.sources if identity is not None):
            return "source_changed"
        shaken = any(
            status != "active" or state == "needs_review"
            for identity, status, state, _ in self.parents
            if identity is not None
        )
        return "dependency_review" if shaken else None

    def state(self, causes: Sequence[str], us: int, overlooked: str | None) -> FlagState:
        """Its state after the drain has dated it at `us`, or flagged it for what was overlooked."""
        flagged = self.flagged or overlooked is not None
        return FlagState(
            decision_id=UUID(self.id),
            task_id=UUID(self.task_id),
            flagged=flagged,
            reason=overlooked or self.review_reason if flagged else None,
            version=(self.version or 0) + (overlooked is not None),
            flagged_us=(self.flagged_us or us) if flagged else None,
            created_us=rows.microseconds_of(self.created_at),
            causes=list(causes) if flagged else [],
            inferred=self.inferred,
        )

    @property
    def inferred(self) -> bool:
        """Whether another writer set its flag, so that causes and date are what a drain found."""
        return self.flagged and self.flagged_us in (None, self.stored_inferred_us)


class Gathered(NamedTuple):
    entry: Row
    project: Row
    queued: list[Queued]
    others: list[Queued]
    closure: list[list[Row]]

    @classmethod
    def of(cls, row: Row) -> "Gathered":
        entry, project, queued, others, levels = row
        return cls(
            entry, project, [Queued(*q) for q in queued], [Queued(*q) for q in others], levels
        )


@dataclass(frozen=True)
class Drained:
    """What one commit of the drain did.

    `states` are those of the decisions it dated or flagged, as they are now;
    `entry_id` is its ledger entry, unless decisions arrived late, whose state
    only the next read of that entry can give.
    """

    units: int
    more: bool
    states: list[FlagState]
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
        if one.units == 0 or left <= 0:
            return done


def drain(
    store: GraphStore, call: Call, *, units: int, hops: int, others: Sequence[str] = ()
) -> Drained:
    """Expand up to `units` queued decisions by up to `hops` levels (1 to 8) in one commit.

    It also takes in `others`, decisions that another writer flagged or recorded:
    it dates their flags, derives the causes and counts their side of the choice.
    """
    p = {**call.keys(), "ids": list(others), "limit": max(units, 1)}
    tried = [0]

    def planned(seen: Gathered | None) -> Planned[Drained] | Drained:
        if seen is not None and rows.found(seen.entry):
            # An earlier try landed and its answer was lost: its open entry tells the states.
            return Drained(tried[0], True, [])
        tried[0] = min(units, len(seen.queued)) if seen is not None else 0
        return plan(call, seen, units, hops)

    return write(store, CONTINUE_REVIEW, lambda: _gather(store, p), planned)


def _gather(store: GraphStore, p: Mapping[str, Any]) -> Gathered | None:
    found = store.read("continue_review", p, leader=True)
    return Gathered.of(found[0]) if found else None


def plan(call: Call, seen: Gathered | None, units: int, hops: int) -> Planned[Drained] | Drained:
    """What one step of the drain changes, given what was read."""
    if seen is None or not (seen.queued or seen.others or seen.project[1]):
        return Drained(0, False, [])
    queued = seen.queued[:units]
    if seen.queued and not queued:
        return Drained(0, True, [])
    found = closure(seen.closure, [q.id for q in queued], hops)
    known = {q.id for q in queued}
    others = [q for q in seen.others if q.id not in known]
    return _planned(call, queued, others, found)


def _planned(
    call: Call, queued: Sequence[Queued], others: Sequence[Queued], found: Closure
) -> Planned[Drained]:
    us = rows.microseconds(call.at)
    looked_at = [*queued, *others]
    causes = derived_causes(looked_at)
    changes = Changeset(
        guards=[Guard("Project", call.project_id)], finish_projects=[call.project_id]
    )
    states: list[FlagState] = []
    overlooked: dict[str, str] = {}
    for q in looked_at:
        reason = q.overlooked()
        if reason is not None:
            overlooked[q.id] = reason
        changes.guards.append(held(q))
        take_in(changes, call, q, causes[q.id], reason, pending=q.id in found.frontier)
        states.append(q.state(causes[q.id], us, reason))
    expanded = {q.id: causes[q.id] or [f"decision:{q.id}"] for q in queued}
    flagged = flag_dependents(changes, found, expanded, us)
    states += [
        FlagState(
            decision_id=UUID(d.id),
            task_id=UUID(d.task_id),
            flagged=True,
            reason="dependency_review",
            version=d.version + 1,
            flagged_us=us,
            created_us=rows.microseconds_of(d.created_at),
            causes=_causes_of(changes, d.id),
        )
        for d in found.dependents
    ]
    left = bool(found.frontier or overlooked)
    raise_queue(
        changes,
        {call.project_id: len(flagged) + len(overlooked)},
        incomplete=[call.project_id] if left else [],
    )
    changes.guards = _once(changes.guards)
    if looked_at or flagged:
        changes.entries = [call.entry(_entry(queued, others, overlooked, flagged, found))]
    return Planned(
        changes,
        lambda committed: Drained(
            len(queued),
            left or bool(committed.late),
            states,
            call.entry_id if changes.entries and not committed.late else None,
        ),
    )


def take_in(
    changes: Changeset,
    call: Call,
    q: Queued,
    causes: list[str],
    overlooked: str | None,
    *,
    pending: bool,
) -> None:
    """Date its flag, count its side of the choice, lift or keep its queue mark."""
    us = rows.microseconds(call.at)
    props: dict[str, Any] = {}
    if q.version is None:
        # Another writer recorded it: nobody has put its documents into the project's list yet.
        changes.scopes += [Scope(call.project_id, *document) for document in q.documents]
    if q.review_pending:
        props["review_pending"] = True if pending else None
    if (q.status == "active") != (q.stance is not None):
        active = q.status == "active"
        count = stance_count(call.project_id, q.choice_key, q.conclusion, 1 if active else -1)
        changes.stances.append(count)
        props["ctx_stance"] = count.stance_id if active else None
    if q.flagged:
        props |= {
            "ctx_causes": causes,
            "ctx_flagged_us": q.flagged_us or us,
            "ctx_seen_epoch": q.review_epoch if q.review_epoch is not None else -1,
        }
        if q.flagged_us is None:
            props["ctx_inferred_us"] = us
    if overlooked is not None:
        # Its own dependents follow with the next step of the drain.
        props |= flag_props(overlooked, causes, us, pending=True)
    changes.changes.append(Change("Decision", q.id, props, revises=overlooked is not None))


def _entry(
    queued: Sequence[Queued],
    others: Sequence[Queued],
    overlooked: Mapping[str, str],
    flagged: Sequence[str],
    found: Closure,
) -> Entry:
    changed: dict[str, dict[str, list[Any]]] = {
        q.id: {"review_pending": [True, None]} for q in queued if q.id not in found.frontier
    }
    for identity, reason in overlooked.items():
        changed[identity] = {
            "review_state": ["clear", "needs_review"],
            "review_reason": [None, reason],
        }
    return Entry(
        changed=changed,
        flagged=[*flagged, *overlooked],
        decisions=[q.id for q in (*queued, *others)],
    )


def _causes_of(changes: Changeset, decision_id: str) -> list[str]:
    return next(
        c.props["ctx_causes"]
        for c in changes.changes
        if c.id == decision_id and "ctx_causes" in c.props
    )


def _once(guards: Sequence[Guard]) -> list[Guard]:
    kept: dict[tuple[str, str], Guard] = {}
    for guard in guards:
        key = (guard.label, guard.id)
        if key not in kept or guard.seen:
            kept[key] = guard
    return list(kept.values())


def held(q: Queued) -> Guard:
    seen: dict[str, Any] = {"status": q.status, "review_state": q.review_state}
    absent: list[str] = []
    for key, value in (
        ("ctx_version", q.version),
        ("review_pending", q.review_pending),
        ("ctx_stance", q.stance),
    ):
        if value is None:
            absent.append(key)
        else:
            seen[key] = value
    return Guard("Decision", q.id, seen, tuple(absent))


def derived_causes(queued: Sequence[Queued]) -> dict[str, list[str]]:
    """What started each flag: kept causes, sources that moved on, and what its parents carry."""
    causes = {q.id: own_causes(q) for q in queued}
    # Parents may stand in the same batch; eight rounds carry a cause as far as one commit flags.
    for _ in range(8):
        before = sum(map(len, causes.values()))
        for q in queued:
            for parent in q.parents:
                if q.status == "active" and parent[1] == "active":
                    causes[q.id] |= causes.get(parent[0], set())
        if before == sum(map(len, causes.values())):
            break
    return {identity: sorted(own) for identity, own in causes.items()}


def own_causes(q: Queued) -> set[str]:
    """What started the flag of one decision, or would have started it."""
    if q.status != "active":
        return {f"decision:{q.id}"}
    own = set(q.stored_causes or ()) if q.flagged_us is not None else set[str]()
    for kind, identity, now, cited, gone in q.sources:
        if identity is None:
            continue
        if kind == "gone":
            own.add(identity)
        elif kind == "event" and gone:
            own.add(f"event:{identity}")
        elif kind == "document" and (gone or now != cited):
            own.add(f"document:{identity}:{now}")
    for parent_id, status, review_state, carried in q.parents:
        if parent_id is not None and status != "active":
            own.add(f"decision:{parent_id}")
        elif review_state == "needs_review":
            own |= set(carried or ())
    return own
