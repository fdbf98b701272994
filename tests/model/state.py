"""What a record holds, as plain values, and how flags travel in it.

Written from the seed and `RULES.md`, not from the code that it is to judge. Nothing
here knows a graph: ids are derived as the reference library derives them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.contract.seeding import derived, named

HOPS = 8
"""How far one commit carries a flag."""


@dataclass
class Event:
    id: str
    seq: int
    payload: str
    author: str
    truncated: bool = False
    redacted: bool = False


@dataclass
class Support:
    """`ref` is a document's key, an event's id or a decision's id; `seq` the version read."""

    kind: str
    ref: str
    seq: int | None = None
    current: bool = True
    gone: bool = False
    name: str = ""
    """Of an event: its task's name and its number, as it was cited."""


@dataclass
class Step:
    state: str
    kind: str
    basis: str
    result: int | None
    supports: list[Support]
    updated: int
    author: str


@dataclass
class Task:
    id: str
    project: str
    name: str
    goal: str
    events: list[Event] = field(default_factory=list[Event])
    steps: dict[str, Step] = field(default_factory=dict[str, Step])


@dataclass
class Decision:
    id: str
    project: str
    task_id: str
    task_name: str
    choice: str
    revision: int
    says: str
    author: str
    supports: list[Support]
    order: int
    status: str = "active"
    flagged: bool = False
    reason: str | None = None
    causes: set[str] = field(default_factory=set[str])
    pending: bool = False
    version: int = 1
    orphaned: bool = False
    reviewed: bool = False
    rejected_by: str | None = None

    @property
    def active(self) -> bool:
        return self.status == "active"

    @property
    def clear(self) -> bool:
        """Active and not flagged, as it is stored."""
        return self.active and not self.flagged

    @property
    def current(self) -> list[Support]:
        return [s for s in self.supports if s.current]

    @property
    def parents(self) -> list[str]:
        return list(dict.fromkeys(s.ref for s in self.supports if s.kind == "decision"))

    def flag(self, reason: str | None, causes: Iterable[str], *, pending: bool) -> None:
        self.flagged, self.reason, self.causes = True, reason, set(causes)
        self.pending = pending
        self.version += 1

    def unflag(self) -> None:
        """Clear the flag. The queue mark stays: it is about dependents."""
        self.flagged, self.reason, self.causes = False, None, set()


@dataclass
class Document:
    key: str
    texts: list[str | None] = field(default_factory=list[str | None])
    title: str | None = None

    @property
    def id(self) -> str:
        return named("Document", self.key)

    @property
    def text(self) -> str | None:
        return self.texts[-1]

    @property
    def seq(self) -> int:
        return len(self.texts)

    @property
    def cause(self) -> str:
        return f"document:{self.id}:{self.seq}"


@dataclass
class Verdict:
    id: str
    kind: str
    decision: str
    project: str
    task_id: str
    order: int
    before: Mapping[str, Any]
    flagged: list[str]
    new: str | None = None
    created: list[Support] = field(default_factory=list[Support])
    archived: list[Support] = field(default_factory=list[Support])
    withdrawn: bool = False

    @property
    def cause(self) -> str:
        return f"asked:{self.id}" if self.kind == "ask" else f"decision:{self.decision}"


@dataclass
class Request:
    operation: str
    arguments: Any
    author: str
    outcome: Any
    task_id: str | None
    emptied: bool = False


@dataclass
class State:
    """Everything that is recorded. A project is there once it has a task."""

    projects: dict[str, bool] = field(default_factory=dict[str, bool])
    """Whether flags still travel in each."""
    tasks: dict[tuple[str, str], Task] = field(default_factory=dict[tuple[str, str], Task])
    lives: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    decisions: dict[str, Decision] = field(default_factory=dict[str, Decision])
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    granted: dict[tuple[str, str], bool] = field(default_factory=dict[tuple[str, str], bool])
    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    requests: dict[tuple[str, str], Request] = field(default_factory=dict[tuple[str, str], Request])
    clock: int = 0

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def task_of(self, decision: Decision) -> Task | None:
        """Its task, unless that was deleted."""
        task = self.tasks.get((decision.project, decision.task_name))
        return task if task is not None and task.id == decision.task_id else None

    def event(self, identity: str) -> Event | None:
        found = (e for t in self.tasks.values() for e in t.events if e.id == identity)
        return next(found, None)

    def revisions(self, task_id: str, choice: str) -> list[Decision]:
        made = self.decisions.values()
        return [d for d in made if d.task_id == task_id and d.choice == choice]

    def dependents(self, identity: str) -> list[Decision]:
        """Those that cite a decision directly."""
        return [d for d in self.decisions.values() if identity in d.parents]

    def append(self, task: Task, payload: str, author: str) -> Event:
        seq = len(task.events) + 1
        identity = derived("Event", task.id, seq)
        event = Event(identity, seq, payload[:32_000], author, truncated=len(payload) > 32_000)
        task.events.append(event)
        return event

    def closure(
        self, roots: Mapping[str, Iterable[str]], hops: int = HOPS
    ) -> tuple[dict[str, set[str]], set[str]]:
        """Clear dependents level by level, with the causes that each inherits, and the last level."""
        causes = {root: set(own) for root, own in roots.items()}
        taken: dict[str, set[str]] = {}
        last: set[str] = set()
        level = [*roots]
        for depth in range(hops):
            found: dict[str, set[str]] = {}
            for parent in level:
                for d in self.dependents(parent):
                    if d.clear and d.id not in roots and d.id not in taken:
                        found.setdefault(d.id, set()).update(causes[parent])
            taken |= found
            causes |= found
            level = [*found]
            if depth == hops - 1:
                last = set(found)
        return taken, last

    def spread(
        self, project: str, roots: Mapping[str, Iterable[str]], hops: int = HOPS
    ) -> list[str]:
        """Flag the closure; returns whom."""
        taken, last = self.closure(roots, hops)
        for identity, causes in taken.items():
            d = self.decisions[identity]
            d.flag("dependency_review", causes, pending=identity in last)
        if last:
            self.projects[project] = True
        return [*taken]

    def lost(self, supports: Sequence[Support]) -> tuple[set[str], str | None]:
        """What current supports that can no longer be relied on put down as causes, and the reason."""
        causes: set[str] = set()
        removed = changed = False
        for s in supports:
            if s.kind == "document":
                document = self.documents[s.ref]
                if document.text is None or document.seq != s.seq:
                    causes.add(document.cause)
                    removed = removed or document.text is None
                    changed = True
            elif s.kind == "event":
                event = None if s.gone else self.event(s.ref)
                if event is None or event.redacted:
                    causes.add(f"event:{s.ref}")
                    removed = True
            elif s.gone or s.ref not in self.decisions:
                causes.add(f"decision:{s.ref}")
                removed = True
        return causes, "source_removed" if removed else "source_changed" if changed else None

    def inherited(self, d: Decision) -> set[str]:
        """What its parents hand down."""
        causes: set[str] = set()
        for identity in d.parents:
            parent = self.decisions.get(identity)
            if parent is None:
                continue
            if not parent.active:
                causes.add(f"decision:{identity}")
            elif parent.flagged:
                causes |= parent.causes
        return causes

    def shaken(self, d: Decision) -> bool:
        """Whether one of its parents is not clear."""
        parents = [self.decisions[i] for i in d.parents if i in self.decisions]
        return any(not parent.clear for parent in parents)

    def drain(self, project: str, units: int) -> int:
        """Expand queued decisions, oldest first, by one hop; returns how many."""
        queue = [d for d in self.decisions.values() if d.project == project and d.pending]
        queue.sort(key=lambda d: d.order)
        if not self.projects.get(project) or (queue and units == 0):
            return 0
        queue = queue[:units]
        causes = {d.id: self._started(d) for d in queue}
        for _ in range(HOPS):
            for d in queue:
                own = (causes[p] for p in d.parents if p in causes and self.decisions[p].active)
                if d.active:
                    causes[d.id] = causes[d.id].union(*own)
        for d in queue:
            d.pending = False
            if d.active and d.flagged:
                d.causes = causes[d.id]
        self.spread(project, {d.id: causes[d.id] or {f"decision:{d.id}"} for d in queue}, hops=1)
        self.projects[project] = any(
            d.pending for d in self.decisions.values() if d.project == project
        )
        return len(queue)

    def _started(self, d: Decision) -> set[str]:
        if not d.active:
            return {f"decision:{d.id}"}
        return d.causes | self.lost(d.current)[0] | self.inherited(d)
