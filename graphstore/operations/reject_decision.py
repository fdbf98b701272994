"""Reject a decision: retire it without a replacement, and flag its dependents."""

from collections.abc import Callable
from typing import NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset
from graphstore.ids import sha256
from graphstore.operations.flagging import clear_props, closure, flag_dependents, raise_queue
from graphstore.operations.judging import Judged, moved
from graphstore.operations.record_decision import stance_count
from graphstore.operations.verdict_records import verdict
from graphstore.records import Exhibit, Ground, VerdictKind
from graphstore.refusals import WriteErrorCode
from graphstore.results import RejectDecisionResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import REJECT_DECISION


class Gathered(NamedTuple):
    request: Row
    entry: Row
    project: Row
    task: Row
    decision: Row
    supports: list[Row]
    documents: list[Row]
    events: list[Row]
    parents: list[Row]
    direct_dependents: list[str]
    closure: list[list[Row]]


def reject_decision(
    store: GraphStore,
    call: Call,
    decision_id: str,
    reason: str,
    recover: Callable[[Row], RejectDecisionResult],
    *,
    seen: str | None = None,
    ground: Ground | None = None,
    exhibit: Exhibit | None = None,
) -> RejectDecisionResult:
    """Retire an active decision; its record and supports stay, its review state becomes clear.

    `seen` is the fingerprint of what the caller was shown. Refusals:
    `decision_not_found`, `decision_not_active`, `moved`, `request_id_reused`,
    `invalid_request_id`, `invalid_text`. Seed: history and decisions, Decisions.
    """
    if error := call.invalid(exhibit and exhibit.model_dump()):
        return _refuse(error)
    return write(
        store,
        REJECT_DECISION,
        lambda: _gather(store, call, decision_id),
        lambda gathered: plan(
            call, reason, gathered, recover, seen=seen, ground=ground, exhibit=exhibit
        ),
    )


def plan_rejection(
    store: GraphStore, call: Call, decision_id: str, reason: str, *, seen: str | None = None
) -> Planned[RejectDecisionResult] | RejectDecisionResult:
    """What `reject_decision` would commit now, or why it would not; nothing is written."""
    if error := call.invalid():
        return _refuse(error)
    gathered = _gather(store, call, decision_id)
    lost = _refuse(WriteErrorCode.DECISION_NOT_FOUND)
    return plan(call, reason, gathered, lambda _: lost, seen=seen, ground=None, exhibit=None)


def _gather(store: GraphStore, call: Call, decision_id: str) -> Gathered:
    keys = {**call.keys(), "decision_id": decision_id}
    return Gathered(*store.read("reject_decision", keys, leader=True)[0])


def plan(
    call: Call,
    reason: str,
    gathered: Gathered,
    recover: Callable[[Row], RejectDecisionResult],
    *,
    seen: str | None,
    ground: Ground | None,
    exhibit: Exhibit | None,
) -> Planned[RejectDecisionResult] | RejectDecisionResult:
    """What rejecting changes, given what was read."""
    if (
        replayed := call.replay(gathered.request, RejectDecisionResult.model_validate_json, _refuse)
    ) is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        return recover(gathered.entry)
    judged = Judged.of(gathered)
    if judged is None:
        return _refuse(WriteErrorCode.DECISION_NOT_FOUND)
    if judged.decision["status"] != "active":
        return _refuse(WriteErrorCode.DECISION_NOT_ACTIVE)
    now = judged.fingerprint(gathered.direct_dependents)
    if differs := moved(seen, now, dependents=True):
        return RejectDecisionResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    found = closure(gathered.closure, [judged.id])
    props = {
        "status": "rejected",
        "rejection_reason": reason,
        "rejected_by": call.actor.agent_id,
        "ctx_rejected_at": rows.iso(call.at),
        "ctx_stance": None,
        **clear_props(),
        "review_pending": True if judged.id in found.frontier else None,
    }
    changes = Changeset(
        guards=judged.guards(),
        supports_held=[judged.supports_held()],
        changes=[Change("Decision", judged.id, props)],
    )
    if "ctx_stance" in judged.decision:
        changes.stances.append(
            stance_count(
                call.project_id, judged.decision["choice_key"], judged.decision["conclusion"], -1
            )
        )
    flagged = flag_dependents(
        changes, found, {judged.id: [f"decision:{judged.id}"]}, rows.microseconds(call.at)
    )
    raise_queue(
        changes,
        {call.project_id: len(flagged)},
        incomplete=[] if found.complete else [call.project_id],
    )
    after = rows.decision_of(
        {**judged.decision, **props, "ctx_version": judged.decision.get("ctx_version", 0) + 1},
        judged.task_name,
        judged.current,
    )
    result = RejectDecisionResult.model_validate(
        {
            "recorded": True,
            "decision": after,
            "flagged": flagged,
            "verdict_id": call.entry_id,
        }
    )
    changes.creates.append(
        verdict(
            call,
            VerdictKind.REJECT,
            judged,
            reason,
            ground=ground,
            exhibit=exhibit,
            flagged=flagged,
        )
    )
    changes.entries = [
        call.entry(
            Entry(
                task_id=judged.decision["task_id"],
                changed={
                    judged.id: {
                        "status": ["active", "rejected"],
                        "review_state": [judged.decision["review_state"], "clear"],
                        "review_reason": [judged.decision.get("review_reason"), None],
                    }
                },
                flagged=flagged,
                decisions=[judged.id],
                cause=f"decision:{judged.id}",
                hashes={f"{judged.id}/reason": sha256(reason)},
                ground=ground,
                seen=seen,
            )
        )
    ]
    changes.request = call.request(dump(result), judged.decision["task_id"])
    return Planned(
        changes, lambda committed: result.model_copy(update={"arrived": committed.late_ids})
    )


def _refuse(error: WriteErrorCode) -> RejectDecisionResult:
    return RejectDecisionResult(recorded=False, error=error)
