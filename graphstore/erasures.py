"""What erasing returns: plans, receipts, and the jobs that carry on what is large."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from graphstore import rows
from graphstore.ids import derived_id
from graphstore.records import Decision, Event, Record, Task
from graphstore.refusals import WriteErrorCode
from graphstore.results import WriteResult


class RetentionJob(Record):
    """Work that goes on in bounded commits, and how far it is.

    `kind` is `delete_task`, `flag_citers` or `rewrite_log`; `state` is `open`, `paused`,
    `cancelled` or `done`. `step` counts the commits after the first. `flagged` are ids of
    decisions that a deletion flagged, at most 1,000 of `flagged_count`. `outcome` says what
    became of the engine's log: `rewritten`, or why not (see `GraphStore.rewrite_log`).
    """

    id: str
    kind: str
    state: str
    created_at: datetime
    finished_at: datetime | None = None
    task_id: str | None = None
    entry_id: str | None = None
    by: str | None = None
    step: int = 0
    begun: bool = False
    phase: str = ""
    whole: bool = True
    total_events: int = 0
    total_decisions: int = 0
    total_steps: int = 0
    total_requests: int = 0
    erased_events: int = 0
    erased_decisions: int = 0
    erased_steps: int = 0
    erased_requests: int = 0
    flagged: list[str] = []
    flagged_count: int = 0
    outcome: str | None = None
    log_job: str | None = None

    @property
    def cancellable(self) -> bool:
        """Whether it can be called off: nothing is gone yet."""
        return self.kind == "delete_task" and not self.begun and self.state in ("open", "paused")

    @property
    def share(self) -> float:
        """How much of the events, decisions, steps and requests is gone, 0 to 1."""
        total = self.total_events + self.total_decisions + self.total_steps + self.total_requests
        gone = self.erased_events + self.erased_decisions + self.erased_steps + self.erased_requests
        if self.state == "done":
            return 1.0
        return min(1.0, gone / total) if total else 0.0


def job_of(props: Mapping[str, Any]) -> RetentionJob:
    """A job from its properties. One that flags citers has no state but being open."""
    state = props.get("state") or ("open" if props.get("ctx_open") else "done")
    return rows.record(RetentionJob, {**props, "state": state})


QuoteKind = Literal["decision", "verdict", "event", "document"]


class Quote(Record):
    """A place that repeats a text that is to be erased, with the words around it.

    `kind` is `decision`, `verdict`, `event` or `document`; `label` a choice key, a task's
    name or a document's key; `seq` a revision or an event's number.
    """

    kind: QuoteKind
    ref: str
    label: str
    seq: int | None = None
    passage: str


class RedactionPlan(Record):
    """What redacting an event would do; nothing is written.

    `error` says why it would be refused. `flagged` are decisions of the project that would
    be flagged, at most 200 of `flagged_count`; `left_to_job`: over 500 cite the event, and
    a job flags them. `requests` stored results lose the body. `quotes` repeat it elsewhere
    and stay; `quotes_cut`: not all places are listed. Pass `seen` to the write, which then
    refuses `moved` when things differ.
    """

    error: WriteErrorCode | None = None
    event: Event | None = None
    task_name: str = ""
    flagged: list[Decision] = []
    flagged_count: int = 0
    left_to_job: bool = False
    requests: int = 0
    quotes: list[Quote] = []
    quotes_cut: bool = False
    seen: str = ""


class DeletionPlan(Record):
    """What deleting a task would do; nothing is written.

    As `RedactionPlan`. `erased` counts what goes by kind; `going` are decisions that go, at
    most 200. `decisions` counts the task's own, which stay unless `whole`. `left_to_job`:
    the task is too large for one commit; it disappears at once and goes by a job.
    """

    error: WriteErrorCode | None = None
    task: Task | None = None
    whole: bool = True
    flagged: list[Decision] = []
    flagged_count: int = 0
    going: list[Decision] = []
    decisions: int = 0
    erased: dict[str, int] = {}
    left_to_job: bool = False
    quotes: list[Quote] = []
    quotes_cut: bool = False
    seen: str = ""


class Receipt(Record):
    """What one redaction or deletion did, from its ledger entry: ids, counts and hashes.

    `job` is the deletion that goes on, `log` the rewriting of the engine's own files.
    """

    entry_id: str
    action: str
    at: datetime
    by: str
    door: str
    task_id: str | None = None
    flagged: list[str] = []
    gone: list[str] = []
    erased: dict[str, int] = {}
    hashes: dict[str, str] = {}
    actor: dict[str, str] = {}
    request: str | None = None
    job: RetentionJob | None = None
    log: RetentionJob | None = None

    @classmethod
    def of_manifest(cls, manifest: str, **more: Any) -> "Receipt":
        """With what only the manifest of the entry says."""
        told: dict[str, Any] = json.loads(manifest)
        return cls(
            erased=told.get("erased", {}),
            hashes=told.get("hashes", {}),
            actor=told.get("actor", {}),
            request=told.get("request"),
            **more,
        )


def receipt_id(project_id: str, request_id: str) -> str:
    """Under which id the receipt of what a request id asked for will be found."""
    return derived_id("CtxTrace", project_id, request_id)


class ReceiptPage(Record):
    receipts: list[Receipt] = []
    next_cursor: str | None = None


class JobResult(WriteResult):
    job: RetentionJob | None = None
