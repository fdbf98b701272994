"""Delete a task: it goes with its log, its steps and, if wanted, its decisions, from everywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Create, Erase, Guard, LivesHeld, Props
from graphstore.ids import derived_id, tombstone_id
from graphstore.operations.deletion_job import Bounds, hidden, reach_of
from graphstore.operations.erasing import (
    EMPTIED,
    Cite,
    Made,
    as_seen,
    as_stored,
    as_support,
    erased_choices,
    fingerprint,
    flag_those_left,
    mark_gone,
    moved,
    one_less,
    scrub_steps,
    without_name,
)
from graphstore.operations.flagging import raise_queue, unchanged
from graphstore.operations.log_rewriting import rewriting
from graphstore.records import ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.results import RetentionResult
from graphstore.rows import Row
from graphstore.schema import CTX_MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import DELETE_TASK, HIDE_TASK


class Gathered(NamedTuple):
    request: Row
    entry: Row
    lives: int | None
    task: Row
    cited_by: str | None
    sizes: list[int]
    large: bool
    decisions: list[Row]
    cites: list[Row]
    requests: list[Row]
    steps: list[Row]


@dataclass(frozen=True)
class Deletion:
    """What is to be deleted: the task of that name, `whole` with its decisions."""

    name: str
    whole: bool
    bounds: Bounds

    def keys(self, call: Call) -> dict[str, Any]:
        """What the gather needs."""
        return {
            **call.keys(),
            "name": self.name,
            "named": as_support(self.name),
            "words": as_stored(self.name),
            "tombstone_id": tombstone_id(call.project_id, self.name),
            "whole": self.whole,
            "at_once": self.bounds.at_once,
        }


@dataclass(frozen=True)
class Draft:
    """A deletion that was planned and not yet carried out."""

    changes: Changeset
    flagged: list[str]
    going: list[str]
    """Decisions that go with the task."""
    erased: dict[str, int]
    seen: str
    job_id: str | None = None


def delete_task(
    store: GraphStore, call: Call, deletion: Deletion, *, seen: str | None = None
) -> RetentionResult:
    """Remove the task, its events and its steps, with its decisions or without.

    Decisions that stay keep their task's id and read as `task_deleted`. Active decisions
    that cite a deleted event or decision are flagged `source_removed`, queued so that
    their own dependents follow with the drain, and reported; what they cited is marked as
    gone, so that nothing that takes its id later stands in for it. Stored results of
    requests are replaced by `task_not_found`. The name may be used again, by a task with
    another id.

    One commit for up to 10,000 records. A larger task is hidden in one commit, which
    leaves a job (`left_to_job`, `job_id`) that takes the rest away in bounded commits and
    flags as it goes; a repeat of the request id finds the job. `seen` is the fingerprint
    of the plan that the caller was shown. Refusals: `task_not_found`, `moved`,
    `deletion_cancelled` (the request's job was called off), `request_id_reused`,
    `invalid_request_id`, `invalid_text`. Seed: history and decisions, Retention.
    """
    if error := call.invalid():
        return _refuse(error)
    return write(
        store,
        DELETE_TASK,
        lambda: gather(store, call, deletion, shown=seen is not None),
        lambda gathered: plan(call, deletion, *gathered, seen=seen),
    )


def gather(
    store: GraphStore, call: Call, deletion: Deletion, *, shown: bool
) -> tuple[Gathered, list[str]]:
    """What the plan needs; of a large task that was shown to somebody also whom it flags."""
    found = Gathered(*store.read("delete_task", deletion.keys(call), leader=True)[0])
    if not (shown and found.large):
        return found, []
    return found, reach_of(store, found.task[0], whole=deletion.whole)


def plan(
    call: Call,
    deletion: Deletion,
    gathered: Gathered,
    reach: list[str],
    *,
    seen: str | None = None,
) -> Planned[RetentionResult] | RetentionResult:
    """What deleting changes, given what was read."""
    replayed = call.replay(gathered.request, RetentionResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        return RetentionResult(recorded=True, affected_decision_ids=gathered.entry[1])
    drafted = draft(call, deletion, gathered, reach)
    if isinstance(drafted, WriteErrorCode):
        return _refuse(drafted)
    if differs := moved(seen, drafted.seen, PARTS):
        return RetentionResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    result = RetentionResult(
        recorded=True,
        affected_decision_ids=[] if drafted.job_id else drafted.flagged,
        left_to_job=drafted.job_id is not None,
        job_id=drafted.job_id,
    )
    drafted.changes.request = call.request(dump(result), gathered.task[0])
    return Planned(drafted.changes, lambda _: result, HIDE_TASK if drafted.job_id else None)


def draft(
    call: Call, deletion: Deletion, gathered: Gathered, reach: list[str]
) -> Draft | WriteErrorCode:
    """The deletion as it would be carried out, in one commit or by a job."""
    if not rows.found(gathered.task):
        return WriteErrorCode.TASK_NOT_FOUND
    task = rows.named("task", gathered.task)
    decisions, steps, supports, verdicts, requests = gathered.sizes
    erased = {"events": task["event_seq"], "steps": steps, "requests": requests} | (
        {"decisions": decisions, "supports": supports, "verdicts": verdicts}
        if deletion.whole
        else {}
    )
    cited, uncited = unchanged({"ctx_cited_by": gathered.cited_by})
    changes = Changeset(
        guards=[
            Guard("Project", call.project_id),
            # Every event has a number, so an unchanged last number means the same events.
            Guard("Task", task["id"], cited, uncited, task["event_seq"], task["event_seq"]),
        ],
        lives_held=[LivesHeld(tombstone_id(call.project_id, deletion.name), gathered.lives or 0)],
    )
    if gathered.large:
        job = hidden(call, changes, task, erased, deletion.bounds, whole=deletion.whole)
        _bury(call, changes, deletion.name, gathered.lives, job)
        seen = _shown(task, erased, reach)
        return Draft(changes, reach, [], erased, seen, job)
    _bury(call, changes, deletion.name, gathered.lives, None)
    going, flagged = _at_once(call, deletion, gathered, task, changes, erased)
    seen = _shown(task, erased, flagged)
    return Draft(changes, flagged, going, erased, seen)


def _at_once(
    call: Call,
    deletion: Deletion,
    gathered: Gathered,
    task: Props,
    changes: Changeset,
    erased: dict[str, int],
) -> tuple[list[str], list[str]]:
    """Take everything in one commit; returns the decisions that go and those flagged."""
    made = [Made(*row) for row in gathered.decisions]
    going = {d.id for d in made} if deletion.whole else set[str]()
    cites = sorted(
        (Cite(*row) for row in gathered.cites), key=lambda c: (c.created_at, c.decision_id)
    )
    staying = [c for c in cites if c.decision_id not in going]
    for d in made:
        changes.guards += [
            as_seen(d.id, d.status, d.review_state, d.version),
            Guard("Decision", d.id, *unchanged({"ctx_stance": d.stance})),
        ]
    flags = flag_those_left(call, changes, staying)
    mark_gone(call, changes, staying)
    if deletion.whole:
        changes.stances = [one_less(call, d) for d in made if d.stance is not None]
    else:
        for d in made:
            flags.setdefault(d.id, {})["ctx_task_gone"] = True
    flagged = [i for i, props in flags.items() if "review_state" in props]
    changes.changes += [
        Change("Decision", i, props, revises="review_state" in props) for i, props in flags.items()
    ]
    raise_queue(
        changes,
        {call.project_id: len(flagged)},
        incomplete=[call.project_id] if flagged else [],
    )
    events = {derived_id("Event", task["id"], k) for k in range(1, task["event_seq"] + 1)}
    changes.changes += without_name(gathered.requests, deletion.name, events)
    scrub_steps(changes, gathered.steps, events)
    changes.erase = Erase(
        task_id=task["id"],
        project_id=call.project_id,
        whole=deletion.whole,
        made=len(made),
        support_ids=tuple(c.support_id for c in cites),
        choice_ids=erased_choices(call.project_id, made),
        emptied=EMPTIED,
    )
    changes.creates.append(rewriting(call))
    entry = _entry(task, made, flagged, staying, erased, include_decisions=deletion.whole)
    changes.entries = [call.entry(entry)]
    return sorted(going), flagged


PARTS = ("task", "dependents")
"""Of a fingerprint."""


def _shown(task: Props, erased: dict[str, int], flagged: Sequence[str]) -> str:
    """The fingerprint of what a plan shows."""
    parts = {"task": [task["id"], sorted(erased.items())], "dependents": sorted(flagged)}
    return fingerprint(parts, PARTS)


def _bury(call: Call, changes: Changeset, name: str, lives: int | None, job_id: str | None) -> None:
    """Count one more life of the name, under the project's lock."""
    identity = tombstone_id(call.project_id, name)
    if lives is None:
        props = {CTX_MARKER: True, "id": identity, "project_id": call.project_id, "lives": 1}
        changes.creates.append(Create("CtxTombstone", {**props, "deleting": job_id}))
    else:
        changes.changes.append(
            Change("CtxTombstone", identity, {"lives": lives + 1, "deleting": job_id})
        )


def _entry(
    task: Props,
    made: Sequence[Made],
    flagged: Sequence[str],
    staying: Sequence[Cite],
    erased: dict[str, int],
    *,
    include_decisions: bool,
) -> Entry:
    changed: dict[str, dict[str, list[Any]]] = {task["id"]: {"status": [task["status"], None]}}
    if include_decisions:
        changed |= {d.id: {"status": [d.status, None]} for d in made}
    changed |= {
        c.decision_id: {
            "review_state": [c.review_state, "needs_review"],
            "review_reason": [c.review_reason, ReviewReason.SOURCE_REMOVED],
        }
        for c in staying
        if c.decision_id in flagged
    }
    return Entry(
        task_id=task["id"],
        changed=changed,
        flagged=flagged,
        gone=[(d.id, (d.version or 0) + 1) for d in made if include_decisions],
        cause=f"task:{task['id']}",
        erased=erased,
    )


def _refuse(error: WriteErrorCode) -> RetentionResult:
    return RetentionResult(recorded=False, error=error)
