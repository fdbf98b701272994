"""Flag whoever cites a document or an event that changed, and those who depend on them.

Up to 500 citers are flagged in the commit that changes the source. More are left
to a job in the graph, which that commit writes: until it is done its projects
read as unfinished, and whoever comes by takes the next slice (`RULES.md` 5, 7).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, CitersHeld, Create, Guard
from graphstore.ids import derived_id
from graphstore.operations.flagging import (
    MAX_FLAGS,
    closure,
    flag_dependents,
    flag_props,
    raise_queue,
    unchanged,
)
from graphstore.records import ReviewReason
from graphstore.rows import Row
from graphstore.schema import CTX_MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import FLAG_CITERS


class Citer(NamedTuple):
    """One current support with its decision, as the `citers` clause returns it."""

    support_id: str
    decision_id: str
    project_id: str
    task_id: str
    status: str
    review_state: str
    review_reason: str | None
    version: int | None
    causes: list[str] | None
    flagged_us: int | None
    recorded_seq: int | None


@dataclass(frozen=True)
class Source:
    """What changed. `cause` is `document:<id>:<seq>` or `event:<id>`."""

    cause: str
    reason: ReviewReason
    document_id: str = ""
    event_id: str = ""
    seq: int = 0

    @property
    def replaced(self) -> str:
        """The beginning of causes that this one takes the place of."""
        return f"document:{self.document_id}:" if self.document_id else self.cause

    def touches(self, citer: Citer) -> bool:
        """Whether the citer stands on what is no longer current."""
        older = not self.document_id or (citer.recorded_seq or 0) < self.seq
        return citer.status == "active" and older


@dataclass
class Flagged:
    """The flags that a commit sets, by project, with what direct citers were before."""

    by_project: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    changed: dict[str, dict[str, list[Any]]] = field(
        default_factory=dict[str, dict[str, list[Any]]]
    )

    def add(self, project_id: str, decision_id: str) -> None:
        self.by_project.setdefault(project_id, []).append(decision_id)

    def counts(self) -> Counter[str]:
        return Counter({project: len(ids) for project, ids in self.by_project.items()})

    def entries(self, call: Call, own: Entry, cause: str) -> list[dict[str, Any]]:
        """One ledger entry for each project touched; `own` says more in the caller's."""
        entries: list[dict[str, Any]] = []
        for project in dict.fromkeys([call.project_id, *self.by_project]):
            ids = self.by_project.get(project, [])
            at_home = project == call.project_id
            changed: Mapping[str, Any] = {i: self.changed[i] for i in ids if i in self.changed}
            entries.append(
                call.entry(
                    Entry(
                        task_id=own.task_id if at_home else None,
                        created=own.created if at_home else (),
                        changed={**own.changed, **changed},
                        flagged=ids,
                        cause=cause,
                        hashes=own.hashes,
                        erased=own.erased if at_home else None,
                    ),
                    project,
                )
            )
        return entries


def flag_citers(
    changes: Changeset,
    call: Call,
    source: Source,
    citers: Sequence[Row],
    projects: Sequence[str],
    levels: Sequence[Sequence[Row]],
) -> Flagged:
    """Flag the citers and their dependents in `changes`, or leave a job that will."""
    found = [Citer(*row) for row in citers]
    if len(found) > MAX_FLAGS:
        changes.creates.append(_job(call, source, projects))
        raise_queue(changes, {}, incomplete=projects)
        return Flagged()
    key, ref = (
        ("document_node_id", source.document_id)
        if source.document_id
        else ("event_id", source.event_id)
    )
    changes.citers_held.append(CitersHeld(key, ref, tuple(sorted(c.support_id for c in found))))
    touched = {c.decision_id: c for c in found if source.touches(c)}
    # A retired citer that comes back meanwhile would stand clear on what is gone.
    changes.guards += [
        Guard("Decision", c.decision_id, {"status": c.status})
        for c in {c.decision_id: c for c in found if c.decision_id not in touched}.values()
    ]
    us = rows.microseconds(call.at)
    below = closure(levels, [i for i, c in touched.items() if c.review_state == "clear"])
    flagged = Flagged()
    roots: dict[str, list[str]] = {}
    for identity, citer in touched.items():
        causes = _flag(changes, flagged, source, citer, us, pending=identity in below.frontier)
        if citer.review_state == "clear":
            roots[identity] = causes
    project_of = {d.id: d.project_id for d in below.dependents}
    for identity in flag_dependents(changes, below, roots, us):
        flagged.add(project_of[identity], identity)
    unfinished = {c.project_id for c in touched.values()} if below.frontier else ()
    raise_queue(changes, flagged.counts(), incomplete=unfinished)
    return flagged


def _flag(
    changes: Changeset,
    flagged: Flagged,
    source: Source,
    citer: Citer,
    us: int,
    *,
    pending: bool,
) -> list[str]:
    """Flag one citer. An earlier flag keeps its time and its other causes."""
    waits = citer.review_state == "needs_review"
    kept = [c for c in citer.causes or () if waits and not c.startswith(source.replaced)]
    causes = sorted({*kept, source.cause})
    since = citer.flagged_us if waits and citer.flagged_us else us
    props = flag_props(source.reason, causes, since, pending=pending)
    if not pending:
        # The queue mark of an earlier flag is not ours to lift.
        del props["review_pending"]
    seen, absent = unchanged(
        {
            "status": citer.status,
            "review_state": citer.review_state,
            "ctx_version": citer.version,
        }
    )
    changes.guards.append(Guard("Decision", citer.decision_id, seen, absent))
    changes.changes.append(Change("Decision", citer.decision_id, props))
    flagged.add(citer.project_id, citer.decision_id)
    flagged.changed[citer.decision_id] = {
        "review_state": [citer.review_state, "needs_review"],
        "review_reason": [citer.review_reason, source.reason],
        "causes": [citer.causes or [], causes],
    }
    return causes


def _job(call: Call, source: Source, projects: Sequence[str]) -> Create:
    return Create(
        "CtxJob",
        {
            CTX_MARKER: True,
            "id": derived_id("CtxJob", source.cause),
            "kind": "flag_citers",
            "cause": source.cause,
            "reason": source.reason,
            "document_id": source.document_id,
            "event_id": source.event_id,
            "seq": source.seq,
            "project_ids": sorted(projects),
            "created_at": rows.iso(call.at),
            "us": rows.microseconds(call.at),
            "ctx_open": True,
        },
    )


@dataclass(frozen=True)
class Job:
    """An open flagging job."""

    id: str
    source: Source
    project_ids: list[str]

    @classmethod
    def of(cls, row: Row) -> "Job":
        identity, cause, reason, document_id, event_id, seq, project_ids = row
        source = Source(cause, ReviewReason(reason), document_id, event_id, seq)
        return cls(identity, source, project_ids)


def open_jobs(store: GraphStore, project_id: str) -> list[Job]:
    """The flagging jobs that a project waits for, oldest first."""
    found = store.read("jobs", {"project_id": project_id}, leader=True)
    return [Job.of(row) for kind, *row in found if kind == "flag_citers"]


def finish_jobs(store: GraphStore, call: Call) -> list[str]:
    """Run every job that the call's project waits for to its end; returns the project's new flags."""
    ids: list[str] = []
    for job in open_jobs(store, call.project_id):
        while (flagged := flag_slice(store, call, job)) is not None:
            ids += flagged
    return ids


def flag_slice(store: GraphStore, call: Call, job: Job) -> list[str] | None:
    """Flag the job's next 500 citers, or close it and return None.

    Their dependents are queued for the drain. Returns the decisions of the call's project among them.
    """
    source = job.source
    step = Call("flag_citers", call.project_id, call.actor, {})
    p = {
        **step.keys(),
        "job_id": job.id,
        "document_id": source.document_id,
        "event_id": source.event_id,
        "seq": source.seq,
        "cause": source.cause,
    }
    return write(
        store,
        FLAG_CITERS,
        lambda: store.read("flag_slice", p, leader=True),
        lambda seen: _plan_slice(step, job, seen),
    )


def _plan_slice(call: Call, job: Job, seen: Sequence[Row]) -> Planned[list[str] | None] | None:
    if not seen:
        return None
    entry, (_, is_open, _), found = seen[0]
    if rows.found(entry):
        # An earlier try landed and its answer was lost.
        return entry[1]
    if not is_open:
        return None
    citers = {c.decision_id: c for c in (Citer(*row) for row in found)}
    changes = Changeset()
    if not citers:
        changes.guards = [Guard("Project", project) for project in job.project_ids]
        changes.changes.append(Change("CtxJob", job.id, {"ctx_open": None}))
        changes.finish_projects = list(job.project_ids)
        changes.entries = [call.entry(Entry(cause=job.source.cause))]
        return Planned(changes, lambda _: None)
    us = rows.microseconds(call.at)
    flagged = Flagged()
    for citer in citers.values():
        clear = citer.review_state == "clear"
        _flag(changes, flagged, job.source, citer, us, pending=clear)
    raise_queue(changes, flagged.counts(), incomplete=flagged.by_project)
    changes.entries = flagged.entries(call, Entry(), job.source.cause)
    own = flagged.by_project.get(call.project_id, [])
    return Planned(changes, lambda _: own)
