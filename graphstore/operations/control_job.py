"""Pause, resume or call off the deletion of a large task."""

from collections.abc import Sequence
from enum import StrEnum

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Changeset, Guard, Props
from graphstore.erasures import JobResult, job_of
from graphstore.ids import tombstone_id
from graphstore.operations.deletion_job import KIND, Job
from graphstore.refusals import WriteErrorCode
from graphstore.results import RetentionResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import CONTROL_JOB


class Control(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"


STATES = {Control.PAUSE: "paused", Control.RESUME: "open", Control.CANCEL: "cancelled"}


def control_job(store: GraphStore, call: Call, job_id: str, control: Control) -> JobResult:
    """Hold a deletion, let it go on, or call it off.

    Calling it off shows the task again as it was, and is possible until the first part of
    it is gone; from then on a deletion can only be held. What asks for the state that the
    job has changes nothing. Refusals: `job_not_found`, `job_closed` (done, called off, or
    of a kind that cannot be held), `deletion_begun`, `invalid_text`. Rules of the record,
    7 and 8.
    """
    if error := call.invalid():
        return _refuse(error)
    keys = {**call.keys(), "job_id": job_id}
    return write(
        store,
        CONTROL_JOB,
        lambda: store.read("deletion_job", keys, leader=True),
        lambda found: plan(call, control, found),
    )


def plan(call: Call, control: Control, found: Sequence[Row]) -> Planned[JobResult] | JobResult:
    """What holding a job changes, given what was read."""
    if not found:
        return _refuse(WriteErrorCode.JOB_NOT_FOUND)
    _, row, task_row = found[0]
    job, task = Job.of(row), rows.named("task", task_row)
    if job["kind"] != KIND:
        return _refuse(WriteErrorCode.JOB_CLOSED)
    if job["state"] == STATES[control]:
        return JobResult(recorded=True, job=job_of(job.props))
    if job["state"] not in ("open", "paused"):
        return _refuse(WriteErrorCode.JOB_CLOSED)
    if control is Control.CANCEL and job["begun"]:
        return _refuse(WriteErrorCode.DELETION_BEGUN)
    after: Props = {
        "state": STATES[control],
        "ctx_open": True if control is Control.RESUME else None,
    }
    changes = Changeset(
        guards=[Guard("CtxJob", job["id"], {"step": job["step"], "state": job["state"]})]
    )
    if control is Control.CANCEL:
        after["finished_at"] = rows.iso(call.at)
        _show_again(call, changes, job, task)
    changes.changes.append(Change("CtxJob", job["id"], after))
    state = {"state": [job["state"], after["state"]]}
    changes.entries = [
        call.entry(
            Entry(
                task_id=job["task_id"], changed={job["id"]: state}, cause=f"task:{job['task_id']}"
            )
        )
    ]
    result = JobResult(recorded=True, job=job_of({**job.props, **after}))
    return Planned(changes, lambda _: result)


def _show_again(call: Call, changes: Changeset, job: Job, task: Props) -> None:
    changes.restores = [job["task_id"]]
    identity = tombstone_id(call.project_id, task["name"])
    changes.changes.append(Change("CtxTombstone", identity, {"deleting": None}))
    if job["request_node"]:
        called_off = RetentionResult(recorded=False, error=WriteErrorCode.DELETION_CANCELLED)
        stored: Props = {"result_json": called_off.model_dump_json()}
        changes.changes.append(Change("Request", job["request_node"], stored))


def _refuse(error: WriteErrorCode) -> JobResult:
    return JobResult(recorded=False, error=error)
