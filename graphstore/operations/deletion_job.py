"""Delete a large task by a job: hidden in one commit, then taken away in bounded ones.

While the job runs the task's marker is false, so that no read and no write, ours or the
library's, finds it. The order is: its decisions, its events from the newest on, its
steps; then what repeats its name elsewhere; the task itself last (`RULES.md` 7, 8).
Each commit guards and raises the job's step, so two runners cannot both do one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, Create, ErasePart, Guard, Props
from graphstore.ids import derived_id, tombstone_id
from graphstore.operations.erasing import (
    EMPTIED,
    Cite,
    Made,
    as_seen,
    as_stored,
    as_support,
    erased_choices,
    flag_those_left,
    mark_gone,
    one_less,
    scrub_steps,
    without_name,
)
from graphstore.operations.flagging import raise_queue, unchanged
from graphstore.operations.log_rewriting import rewriting, rewriting_id
from graphstore.records import Actor, ReviewReason
from graphstore.rows import Row
from graphstore.schema import CTX_MARKER, MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import ERASE_PART

KIND = "delete_task"
MAX_CITES = 1_000
"""Supports that one commit marks as gone; what is cited more often takes several."""
MAX_NAMED = 1_000
"""Decisions whose ids a job keeps, of those that it flagged or will flag."""


class Phase(StrEnum):
    """What a job takes away now, in this order."""

    DECISIONS = "decisions"
    EVENTS = "events"
    STEPS = "steps"
    OTHERS = "others"
    """Steps of other tasks that name it."""
    REQUESTS = "requests"
    """Stored results of what wrote under it."""
    STORED = "stored"
    """Stored results that repeat its name or its id."""
    LAST = "last"


_READS = {
    Phase.DECISIONS: "deletion_decisions",
    Phase.EVENTS: "deletion_events",
    Phase.STEPS: "deletion_steps",
    Phase.OTHERS: "deletion_others",
    Phase.REQUESTS: "deletion_requests",
    Phase.STORED: "deletion_stored",
    Phase.LAST: "deletion_last",
}
"""What is gathered for one commit."""


@dataclass(frozen=True)
class Bounds:
    """How much one commit takes: `at_once` of a task that goes whole, the rest of a job's."""

    at_once: int = 10_000
    events: int = 2_000
    decisions: int = 200


@dataclass(frozen=True)
class Job:
    """A deletion's job, as the `job` columns of the schema."""

    props: Props

    @classmethod
    def of(cls, row: Row) -> "Job":
        return cls(rows.named("job", row))

    def __getitem__(self, key: str) -> Any:
        return self.props.get(key)

    @property
    def running(self) -> bool:
        return bool(self.props.get("ctx_open"))

    @property
    def phase(self) -> Phase:
        return Phase(self.props["phase"])


def reach_of(store: GraphStore, task_id: str, *, whole: bool) -> list[str]:
    """Active decisions elsewhere that a deletion would flag, at most 1,000, oldest first."""
    p = {"task_id": task_id, "whole": whole, "limit": MAX_NAMED}
    return [row[0] for row in store.read("deletion_reach", p, leader=True)]


def hidden(
    call: Call,
    changes: Changeset,
    task: Props,
    erased: Mapping[str, int],
    bounds: Bounds,
    *,
    whole: bool,
) -> str:
    """Hide the task and leave the job, in `changes`; returns the job's id."""
    job_id = derived_id("CtxJob", call.entry_id, KIND)
    changes.changes.append(Change("Task", task["id"], {MARKER: False, "ctx_deleting": job_id}))
    changes.creates.append(
        Create(
            "CtxJob",
            {
                CTX_MARKER: True,
                "id": job_id,
                "kind": KIND,
                "project_id": call.project_id,
                "project_ids": [call.project_id],
                "task_id": task["id"],
                "whole": whole,
                "entry_id": call.entry_id,
                "request_node": call.request_id
                and derived_id("Request", call.project_id, call.request_id),
                "created_at": rows.iso(call.at),
                "us": rows.microseconds(call.at),
                "by": call.actor.agent_id,
                "state": "open",
                "ctx_open": True,
                "step": 0,
                "phase": Phase.DECISIONS.value,
                "high": task["event_seq"],
                "last_seq": task["event_seq"],
                "after": "",
                "batch_events": bounds.events,
                "batch_decisions": bounds.decisions,
                "total_events": erased["events"],
                "total_decisions": erased.get("decisions", 0),
                "total_steps": erased["steps"],
                "total_requests": erased["requests"],
                "flagged": [],
                "flagged_count": 0,
            },
        )
    )
    changes.entries = [
        call.entry(
            Entry(
                task_id=task["id"],
                changed={task["id"]: {"status": [task["status"], None]}},
                cause=f"task:{task['id']}",
                erased={},
            )
        )
    ]
    return job_id


@dataclass
class Seen:
    """What one commit rests on."""

    entry: Row
    job: Job | None
    task: Props
    found: list[Row]
    cites: list[Cite]


def erase_part(store: GraphStore, project_id: str, actor: Actor, job_id: str) -> bool:
    """Take away the next part of a task; returns whether more is left to do.

    False, too, for a job that is paused, called off or done.
    """
    call = Call("erase_part", project_id, actor, {})
    return write(
        store, ERASE_PART, lambda: _gather(store, call, job_id), lambda seen: _plan(call, seen)
    )


def _gather(store: GraphStore, call: Call, job_id: str) -> Seen:
    found = store.read("deletion_job", {**call.keys(), "job_id": job_id}, leader=True)
    if not found:
        return Seen([None], None, {}, [], [])
    entry, row, task_row = found[0]
    job, task = Job.of(row), rows.named("task", task_row)
    if not job.running or rows.found(entry):
        return Seen(entry, job, task, [], [])
    phase, name = job.phase, task.get("name", "")
    p: dict[str, Any] = {
        "task_id": job["task_id"],
        "project_id": call.project_id,
        "whole": job["whole"],
        "low": max(0, job["high"] - job["batch_events"]),
        "high": job["high"],
        "after": job["after"] or "",
        "named": as_support(name),
        "words": as_stored(name),
        "cites": MAX_CITES + 1,
        "limit": job["batch_decisions" if phase is Phase.DECISIONS else "batch_events"],
    }
    given = store.read(_READS[phase], p, leader=True)
    return Seen(entry, job, task, given[0][0], [Cite(*row) for row in given[0][1]])


def _plan(call: Call, seen: Seen) -> Planned[bool] | bool:
    job = seen.job
    if job is None or not job.running:
        return False
    if rows.found(seen.entry):
        return True
    changes = Changeset(
        guards=[Guard("CtxJob", job["id"], {"step": job["step"], "ctx_open": True})]
    )
    entry = _Part(call, job, seen, changes).plan()
    changes.entries = [call.entry(entry)]
    more = job.phase is not Phase.LAST or changes.erase_part is None
    return Planned(changes, lambda _: more)


@dataclass
class _Part:
    """One commit of a job, being planned."""

    call: Call
    job: Job
    seen: Seen
    changes: Changeset

    def plan(self) -> Entry:
        flagged = self._flag(self.seen.cites[:MAX_CITES])
        # What is cited too often for one commit goes once all its citers are marked.
        over = len(self.seen.cites) > MAX_CITES
        after = {} if over else _TAKE[self.job.phase](self)
        gone = after.pop("gone", [])
        erased = {key: after[key] for key in list(after) if key.startswith("erased_")}
        begun = self.job["begun"] or bool(self.changes.changes or self.changes.erase_part)
        self.changes.changes.append(
            Change(
                "CtxJob",
                self.job["id"],
                {
                    **after,
                    **{key: (self.job[key] or 0) + number for key, number in erased.items()},
                    "step": self.job["step"] + 1,
                    "begun": begun or None,
                    "flagged": [*(self.job["flagged"] or []), *flagged][:MAX_NAMED],
                    "flagged_count": (self.job["flagged_count"] or 0) + len(flagged),
                },
            )
        )
        return Entry(
            task_id=self.job["task_id"],
            changed=self._changed(flagged, gone),
            flagged=flagged,
            gone=[(d.id, (d.version or 0) + 1) for d in gone],
            cause=f"task:{self.job['task_id']}",
        )

    def _changed(self, flagged: Sequence[str], gone: Sequence[Made]) -> dict[str, Any]:
        before = {c.decision_id: c for c in self.seen.cites}
        return {d.id: {"status": [d.status, None]} for d in gone} | {
            i: {
                "review_state": [before[i].review_state, "needs_review"],
                "review_reason": [before[i].review_reason, ReviewReason.SOURCE_REMOVED],
            }
            for i in flagged
        }

    def _flag(self, cites: Sequence[Cite]) -> list[str]:
        """Flag who cites what goes now, and mark that it is gone."""
        project = self.call.project_id
        flags = flag_those_left(self.call, self.changes, cites)
        mark_gone(self.call, self.changes, cites)
        self.changes.changes += [Change("Decision", i, props) for i, props in flags.items()]
        raise_queue(self.changes, {project: len(flags)}, incomplete=[project] if flags else [])
        return list(flags)

    def _support_ids(self) -> tuple[str, ...]:
        return tuple(c.support_id for c in self.seen.cites)

    def decisions(self) -> Props:
        """Take decisions away, or mark those that stay."""
        made = [Made(*row) for row in self.seen.found]
        if not made:
            return {"phase": Phase.EVENTS.value}
        changes, job = self.changes, self.job
        for d in made:
            changes.guards += [
                as_seen(d.id, d.status, d.review_state, d.version),
                Guard("Decision", d.id, *unchanged({"ctx_stance": d.stance})),
            ]
        if not job["whole"]:
            gone: Props = {"ctx_task_gone": True}
            changes.changes += [Change("Decision", d.id, gone, revises=False) for d in made]
            return {}
        changes.stances = [one_less(self.call, d) for d in made if d.stance is not None]
        changes.erase_part = ErasePart(
            job["task_id"],
            self._support_ids(),
            decision_ids=tuple(sorted(d.id for d in made)),
            choice_ids=erased_choices(self.call.project_id, made),
        )
        return {"erased_decisions": len(made), "gone": made}

    def events(self) -> Props:
        """Take the newest events away."""
        high = self.job["high"]
        if high <= 0:
            return {"phase": Phase.STEPS.value}
        low = max(0, high - self.job["batch_events"])
        task_id = self.job["task_id"]
        self.changes.erase_part = ErasePart(task_id, self._support_ids(), low, high)
        return {"high": low, "erased_events": len(self.seen.found)}

    def steps(self) -> Props:
        """Take steps away."""
        ids = tuple(row[0] for row in self.seen.found)
        if not ids:
            return {"phase": Phase.OTHERS.value, "after": ""}
        self.changes.erase_part = ErasePart(self.job["task_id"], step_ids=ids)
        return {"erased_steps": len(ids)}

    def others(self) -> Props:
        """Take the name out of what steps of other tasks rest on."""
        steps = self.seen.found
        if not steps:
            return {"phase": Phase.REQUESTS.value, "after": ""}
        scrub_steps(self.changes, steps, self._events())
        return {"after": max(rows.named("step", row)["id"] for row in steps)}

    def requests(self) -> Props:
        """Empty the stored results of what wrote under the task."""
        ids = [row[0] for row in self.seen.found]
        if not ids:
            return {"phase": Phase.STORED.value, "after": ""}
        emptied: Props = {"result_json": EMPTIED, "ctx_task_id": None}
        self.changes.changes += [Change("Request", i, emptied) for i in ids]
        return {"erased_requests": len(ids)}

    def stored(self) -> Props:
        """Empty what the library stored for it, and take its name out of any other result."""
        found = self.seen.found
        if not found:
            return {"phase": Phase.LAST.value, "after": ""}
        theirs = [row[0] for row in found if row[2]]
        named = [row[:2] for row in found if not row[2]]
        emptied: Props = {"result_json": EMPTIED}
        self.changes.changes += [Change("Request", i, emptied) for i in theirs]
        self.changes.changes += without_name(named, self.seen.task["name"], self._events())
        return {"after": max(row[0] for row in found), "erased_requests": len(theirs)}

    def last(self) -> Props:
        """Remove the task, unless the library wrote below it while it was being hidden."""
        attached = self.seen.found
        if attached:
            # Newest first again, from the last of them.
            high = max((row[0] or 0) for row in attached)
            return {"phase": Phase.EVENTS.value, "high": high}
        changes, job = self.changes, self.job
        changes.erase_part = ErasePart(job["task_id"], close=True)
        name = self.seen.task.get("name")
        if name is not None:
            changes.changes.append(
                Change("CtxTombstone", tombstone_id(self.call.project_id, name), {"deleting": None})
            )
        changes.creates.append(rewriting(self.call))
        return {
            "ctx_open": None,
            "state": "done",
            "finished_at": rows.iso(self.call.at),
            "log_job": rewriting_id(self.call.entry_id),
        }

    def _events(self) -> set[str]:
        task_id, last = self.job["task_id"], self.job["last_seq"]
        return {derived_id("Event", task_id, k) for k in range(1, last + 1)}


_TAKE = {
    Phase.DECISIONS: _Part.decisions,
    Phase.EVENTS: _Part.events,
    Phase.STEPS: _Part.steps,
    Phase.OTHERS: _Part.others,
    Phase.REQUESTS: _Part.requests,
    Phase.STORED: _Part.stored,
    Phase.LAST: _Part.last,
}
