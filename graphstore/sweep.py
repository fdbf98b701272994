"""The sweep: once a minute, whatever other writers left undone or wrong is found and mended.

Its cost follows what changed. `survey` looks once at the whole graph: at sources that changed
lately, and in turn at a few records of each kind, since some damage leaves no date. `sweep`
looks at what changed lately in one project, carries its flags and mends what it finds, each
mend a guarded commit of its own with a ledger entry (`RULES.md` 6). What it cannot mend it
counts and leaves.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import batched
from typing import Any

from graphstore import rows
from graphstore.calls import Call
from graphstore.faults import Contended, CorruptRecord
from graphstore.operations.continue_review import drain
from graphstore.operations.mend_decisions import BATCH, mend_decisions, mend_mark
from graphstore.operations.mend_records import Mended, erase_copies, mend_choices, mend_tasks
from graphstore.records import Actor, Record
from graphstore.running import run_slice
from graphstore.store import GraphStore

__all__ = ["Survey", "Suspects", "Swept", "survey", "sweep"]

OVERLAP = timedelta(hours=1)
"""How far back is looked again: longer than any transaction."""
IN_TURN = 200
"""How many records of each kind one survey looks at in turn."""
DRAIN_UNITS = 100
MAX_STEPS = 20
"""How many slices of jobs and steps of the drain one sweep of a project does."""
KINDS = ("Task", "Decision", "Request", "CtxChoice")


@dataclass
class Suspects:
    """What a survey found in one project. Ids."""

    decisions: list[str] = field(default_factory=list[str])
    redacted: list[str] = field(default_factory=list[str])
    """Redacted events whose copies nobody has looked for."""
    tasks: list[str] = field(default_factory=list[str])
    deleted_tasks: list[str] = field(default_factory=list[str])
    """Tasks that are gone and of which a stored result still tells."""
    choices: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Survey:
    """One look at the whole graph. `place` is where the next one goes on."""

    looked_at: datetime
    place: Mapping[str, Any]
    by_project: Mapping[str, Suspects]

    def of(self, project_id: str) -> Suspects:
        return self.by_project.get(project_id, Suspects())


class Swept(Record):
    """What one sweep of a project did.

    `mended` counts by kind of damage, `left` by the reason for which something stays as it is.
    `looked_at` and `epoch` were read before anything else: pass them on, `epoch` when it is
    an hour old. `more` says that flags are still on their way.
    """

    looked_at: datetime
    epoch: int = 0
    mended: Mapping[str, int] = {}
    left: Mapping[str, int] = {}
    more: bool = False


def survey(
    store: GraphStore, *, since: datetime | None = None, place: Mapping[str, Any] | None = None
) -> Survey:
    """Look once at sources that changed and at the next records in turn. One read.

    `since` is when the last survey looked; an hour before it is looked at again.
    """
    looked_at = datetime.now(UTC)
    start = place or {}
    p: dict[str, Any] = {"recent": rows.iso((since or looked_at) - OVERLAP), "limit": IN_TURN}
    for kind in KINDS:
        at = start.get(kind)
        p[kind] = at if isinstance(at, str) else ""
        p[f"from_{kind}"] = at if isinstance(at, int) else 0
    on_sources, redacted, tasks, decisions, requests, choices, places = store.read(
        "survey", p, leader=True
    )[0]
    by_project: dict[str, Suspects] = {}
    for name, found in (
        ("decisions", [*on_sources, *decisions]),
        ("redacted", redacted),
        ("tasks", tasks),
        ("deleted_tasks", requests),
        ("choices", choices),
    ):
        for project_id, identity in found:
            suspects = by_project.setdefault(project_id, Suspects())
            getattr(suspects, name).append(identity)
    return Survey(looked_at, dict(zip(KINDS, places, strict=True)), by_project)


def sweep(
    store: GraphStore,
    project_id: str,
    *,
    since: datetime | None = None,
    actor: Actor | None = None,
    after_epoch: int = 0,
    surveyed: Survey | None = None,
) -> Swept:
    """Carry the project's flags and mend what is damaged in it.

    One read when nothing is to be done, with `surveyed` at hand; otherwise its own survey is
    one more. `since` is when the last sweep looked, None for never; `after_epoch` is the
    project's epoch an hour before. Nothing is raised for what others keep changing: it is left
    for the next sweep.
    """
    looked_at = datetime.now(UTC)
    suspects = (surveyed or survey(store, since=since)).of(project_id)
    recent = (since or looked_at) - OVERLAP
    p = {
        "project_id": project_id,
        "recent": rows.iso(recent),
        "us": rows.microseconds(recent),
        "epoch": after_epoch,
        "ids": suspects.decisions,
    }
    call = Call("mended", project_id, actor or Actor(agent_id="review-console", door="job"), {})
    found = store.read("sweep", p, leader=True)
    if not found:
        return Swept(looked_at=looked_at)
    project, queued, jobs, flagging, decisions, tasks = found[0]
    epoch = project[2]
    work = _Work(store, project_id, call)
    if queued != project[1] and not flagging:
        work.does(lambda: Mended(mend_mark(store, project_id, call, queued=queued), Counter()))
    if queued or jobs:
        work.carry()
        # What is still on its way looks like damage below what was just carried.
        _, queued, _, flagging, decisions, tasks = store.read("sweep", p, leader=True)[0]
    if decisions and not (queued or flagging):
        work.mend_decisions(decisions)
        work.carry()
    work.mend_records(suspects, tasks)
    return Swept(
        looked_at=looked_at,
        epoch=epoch,
        mended=dict(work.mended),
        left=dict(work.left),
        more=work.more,
    )


class _Work:
    """What one sweep of one project has done so far."""

    def __init__(self, store: GraphStore, project_id: str, call: Call) -> None:
        self.store, self.project_id, self.call = store, project_id, call
        self.mended: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self.more = False
        self._steps = 0

    def does(self, mend: Callable[[], Mended], *, counted: bool = True) -> bool:
        """Mend something; what others keep changing, or nobody can read, is left.

        Returns False for the latter, which is not `counted` when it is to be tried in parts.
        """
        try:
            done = mend()
        except Contended:
            self.left["contended"] += 1
        except (CorruptRecord, ValueError):
            self.left["unreadable"] += counted
            return False
        else:
            self.mended += done.kinds
            self.left += done.left
        return True

    def each(self, ids: Sequence[str], mend: Callable[[Sequence[str]], Mended]) -> None:
        """Mend some at a time, and one by one where one of them cannot be read."""
        for some in batched(dict.fromkeys(ids), BATCH):
            if not self.does(partial(mend, some), counted=len(some) == 1) and len(some) > 1:
                for one in some:
                    self.does(partial(mend, [one]))

    def carry(self) -> None:
        """Run the project's jobs and carry its flags on, as far as one sweep goes."""
        try:
            self._carry()
        except Contended:
            self.left["contended"] += 1
            self.more = True
        except (CorruptRecord, ValueError):
            self.left["unreadable"] += 1

    def _carry(self) -> None:
        while self._steps < MAX_STEPS:
            self._steps += 1
            if run_slice(self.store, self.project_id, self.call.actor):
                continue
            observed = Call("flag_observed", self.project_id, self.call.actor, {})
            done = drain(self.store, observed, units=DRAIN_UNITS, hops=8)
            if not (done.units or done.more):
                return
        self.more = True

    def mend_decisions(self, ids: Sequence[str]) -> None:
        """Mend decisions."""

        def mend(some: Sequence[str]) -> Mended:
            done = mend_decisions(self.store, self.project_id, self.call, some)
            return Mended(done, Counter())

        self.each(ids, mend)

    def mend_records(self, suspects: Suspects, tasks: Sequence[str]) -> None:
        """Mend logs, steps, counts and stored results."""
        own = (self.store, self.project_id, self.call)
        self.each([*suspects.tasks, *tasks], partial(mend_tasks, *own))
        self.each(suspects.choices, partial(mend_choices, *own))
        if suspects.redacted or suspects.deleted_tasks:
            self.does(lambda: erase_copies(*own, suspects.redacted, suspects.deleted_tasks))
