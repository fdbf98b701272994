"""What an erasure would do, from the very plan that would be committed; and what one did."""

import re
from dataclasses import asdict

from graphstore import rows
from graphstore.calls import Call
from graphstore.erasures import (
    DeletionPlan,
    Quote,
    Receipt,
    ReceiptPage,
    RedactionPlan,
    job_of,
)
from graphstore.ids import derived_id
from graphstore.operations import delete_task, redact_event
from graphstore.operations.delete_task import Deletion
from graphstore.operations.deletion_job import KIND
from graphstore.operations.log_rewriting import rewriting_id
from graphstore.queries.quotes import quotes_of
from graphstore.records import Decision
from graphstore.refusals import WriteErrorCode
from graphstore.rows import Row
from graphstore.store import GraphStore

MAX_NAMED = 200
"""Decisions that a plan names; it counts all."""
_CURSOR = re.compile(r"[0-9]{1,16}")
MAX_QUOTED = 50
"""Events, and decisions, of a task whose texts are looked for elsewhere."""


def plan_redaction(store: GraphStore, call: Call, event_id: str) -> RedactionPlan:
    """The gather and the plan of `redact_event`, without its commit, and who repeats the body.

    When more than 500 decisions cite the event a job flags them, and `flagged` names none.
    """
    if error := call.invalid():
        return RedactionPlan(error=error)
    gathered = redact_event.gather(store, call, event_id)
    drafted = redact_event.draft(call, event_id, gathered)
    if isinstance(drafted, WriteErrorCode):
        return RedactionPlan(error=drafted)
    event = rows.event(gathered.event)
    quotes: list[Quote] = []
    cut = False
    if event.redacted_at is None:
        bodies = [event.payload]
        quotes, cut = quotes_of(store, call.project_id, bodies, apart_from=event_id)
    own = drafted.flagged.by_project.get(call.project_id, [])
    return RedactionPlan(
        event=event,
        task_name=rows.named("task", gathered.task)["name"],
        flagged=decisions_of(store, call.project_id, own),
        flagged_count=len(own),
        left_to_job=drafted.left_to_job,
        requests=store.read("stored_of_event", asdict(drafted.changes.scrubs[0]))[0][0],
        quotes=quotes,
        quotes_cut=cut,
        seen=drafted.seen,
    )


def plan_deletion(store: GraphStore, call: Call, deletion: Deletion) -> DeletionPlan:
    """The gather and the plan of `delete_task`, without its commit, and who repeats its texts.

    For a task that a job would delete: the counts, whom that would flag (at most 1,000),
    and the fingerprint. Looked for elsewhere are the goal, the bodies of the newest 50
    events and, with `whole`, the conclusions of the newest 50 decisions.
    """
    if error := call.invalid():
        return DeletionPlan(error=error)
    gathered, reach = delete_task.gather(store, call, deletion, shown=True)
    drafted = delete_task.draft(call, deletion, gathered, reach)
    if isinstance(drafted, WriteErrorCode):
        return DeletionPlan(error=drafted)
    task = rows.task(gathered.task)
    quotes, cut = _quotes(store, call.project_id, str(task.id), task.goal, whole=deletion.whole)
    return DeletionPlan(
        task=task,
        whole=deletion.whole,
        flagged=decisions_of(store, call.project_id, drafted.flagged),
        flagged_count=len(drafted.flagged),
        going=decisions_of(store, call.project_id, drafted.going),
        decisions=gathered.sizes[0],
        erased=drafted.erased,
        left_to_job=drafted.job_id is not None,
        quotes=quotes,
        quotes_cut=cut or task.event_seq > MAX_QUOTED,
        seen=drafted.seen,
    )


def _quotes(
    store: GraphStore, project_id: str, task_id: str, goal: str, *, whole: bool
) -> tuple[list[Quote], bool]:
    p = {"task_id": task_id, "whole": whole, "limit": MAX_QUOTED}
    bodies, conclusions = store.read("deletion_texts", p)[0]
    texts = [goal, *bodies, *conclusions]
    return quotes_of(store, project_id, texts, apart_from=task_id, stay=not whole)


def decisions_of(store: GraphStore, project_id: str, ids: list[str]) -> list[Decision]:
    """The decisions of these ids that there are, in this order, at most 200."""
    wanted = ids[:MAX_NAMED]
    if not wanted:
        return []
    found = store.read("decisions_planned", {"project_id": project_id, "ids": wanted})
    by_id = {
        decision[0]: rows.decision(decision, name or "", supports, travelling=travelling)
        for travelling, decision, name, supports in found
    }
    return [by_id[i] for i in wanted if i in by_id]


def get_receipt(store: GraphStore, project_id: str, entry_id: str) -> Receipt | None:
    """What one erasure did, with the jobs that it left."""
    p = {
        "project_id": project_id,
        "entry_id": entry_id,
        "job_id": derived_id("CtxJob", entry_id, KIND),
        "log_id": rewriting_id(entry_id),
    }
    found = store.read("get_receipt", p)
    return _receipt(found[0]) if found else None


def list_receipts(
    store: GraphStore, project_id: str, *, cursor: str | None, limit: int
) -> ReceiptPage:
    """Erasures, newest first. Raises `ValueError` for a cursor that no page gave."""
    if cursor and not _CURSOR.fullmatch(cursor):
        raise ValueError("This cursor is not one that a page gave.")
    before = int(cursor) if cursor else 2**53
    p = {"project_id": project_id, "before": before, "limit": limit + 1}
    found = store.read("list_receipts", p)
    receipts = [_receipt([row[0], None, None]) for row in found[:limit]]
    more = len(found) > limit
    return ReceiptPage(receipts=receipts, next_cursor=str(found[limit - 1][1]) if more else None)


def _receipt(row: Row) -> Receipt:
    entry, job, log = row
    identity, action, created_at, agent_id, door, task_id, flagged, gone, manifest = entry
    return Receipt.of_manifest(
        manifest,
        entry_id=identity,
        action=action,
        at=created_at,
        by=agent_id,
        door=door,
        task_id=task_id,
        flagged=flagged or [],
        gone=gone or [],
        job=job_of(rows.named("job", job)) if rows.found(job) else None,
        log=job_of(rows.named("job", log)) if rows.found(log) else None,
    )
