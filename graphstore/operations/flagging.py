"""Flags that travel: who depends on what is flagged or retired, and what that changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphstore.changeset import Change, Changeset, Guard, Late, Props, QueueRaise
from graphstore.rows import Row

MAX_FLAGS = 500
"""Flags that one commit carries; what is beyond stays queued for the drain."""
HOPS = 8
"""Levels of dependents that a gather returns."""


@dataclass(frozen=True)
class Dependent:
    """An active clear decision that depends on a root, `above` naming what it cites there."""

    id: str
    project_id: str
    task_id: str
    version: int
    created_at: str
    above: tuple[str, ...]


@dataclass(frozen=True)
class Closure:
    """The dependents of the roots, nearest first, each once; `frontier` must be expanded later."""

    dependents: list[Dependent] = field(default_factory=list[Dependent])
    frontier: frozenset[str] = frozenset()

    @property
    def complete(self) -> bool:
        return not self.frontier


def closure(levels: Sequence[Sequence[Row]], roots: Iterable[str], hops: int = HOPS) -> Closure:
    """The closure out of the levels that a gather returns, `hops` of them.

    When more than `MAX_FLAGS` are found, those whose dependents were not all taken are
    the frontier, and so are those of the last level.
    """
    taken: dict[str, Dependent] = {}
    frontier: set[str] = set()
    known = set(roots)
    for depth, level in enumerate(levels[:hops]):
        for row in level:
            dependent = Dependent(*row[:5], above=tuple(i for i in row[5] if i in known))
            if dependent.id in known or not dependent.above:
                continue
            if len(taken) >= MAX_FLAGS:
                frontier.update(dependent.above)
                continue
            taken[dependent.id] = dependent
            if depth == hops - 1:
                frontier.add(dependent.id)
        if len(level) > MAX_FLAGS:
            frontier.update(above for row in level for above in row[5] if above in known)
        known |= taken.keys()
    return Closure(list(taken.values()), frozenset(frontier))


def flag_props(reason: str | None, causes: Sequence[str], us: int, *, pending: bool) -> Props:
    """What a flag sets. `pending` queues the decision, so that its own dependents follow."""
    return {
        "review_state": "needs_review",
        "review_reason": reason,
        "review_pending": True if pending else None,
        "ctx_causes": sorted(set(causes)),
        "ctx_flagged_us": us,
    }


def clear_props() -> Props:
    """What clearing a flag sets. The queue mark stays: it is about dependents."""
    return {
        "review_state": "clear",
        "review_reason": None,
        "ctx_causes": None,
        "ctx_flagged_us": None,
    }


def flag_dependents(
    changes: Changeset,
    found: Closure,
    root_causes: Mapping[str, Sequence[str]],
    us: int,
) -> list[str]:
    """Flag the closure's dependents in `changes`, and whatever appears below until the commit.

    `root_causes` gives the causes that each root hands down. Returns the ids
    flagged, nearest first. Roots of the frontier must be queued by the caller:
    what hangs below the frontier is left to the drain, late or not.
    """
    causes: dict[str, set[str]] = {root: set(c) for root, c in root_causes.items()}
    for d in found.dependents:
        inherited = set[str]().union(*(causes.get(above, set()) for above in d.above))
        causes.setdefault(d.id, set()).update(inherited)
        changes.guards.append(
            Guard("Decision", d.id, {"status": "active", "review_state": "clear"})
        )
        pending = d.id in found.frontier
        props = flag_props("dependency_review", sorted(causes[d.id]), us, pending=pending)
        changes.changes.append(Change("Decision", d.id, props))
    groups: dict[tuple[str, ...], list[str]] = {}
    for identity in sorted(causes.keys() - found.frontier):
        groups.setdefault(tuple(sorted(causes[identity])), []).append(identity)
    changes.late += [
        Late(tuple(ids), flag_props("dependency_review", own, us, pending=True))
        for own, ids in groups.items()
    ]
    return [d.id for d in found.dependents]


def raise_queue(
    changes: Changeset, flagged: Mapping[str, int], *, incomplete: Iterable[str] = ()
) -> None:
    """Count `flagged` (project -> flags) in the projects' epochs, under their locks."""
    open_projects = set(incomplete)
    for project_id in sorted({*flagged, *open_projects}):
        count = flagged.get(project_id, 0)
        if count == 0 and project_id not in open_projects:
            if changes.late:
                # Whoever arrives late raises it, and it is locked before any decision is.
                changes.guards.append(Guard("Project", project_id))
            continue
        changes.guards.append(Guard("Project", project_id))
        changes.raises.append(QueueRaise(project_id, max(count, 1), project_id in open_projects))


def unchanged(properties: Mapping[str, Any]) -> tuple[Props, tuple[str, ...]]:
    """Properties as a guard takes them: those with a value, and those without."""
    seen = {key: value for key, value in properties.items() if value is not None}
    return seen, tuple(key for key, value in properties.items() if value is None)
