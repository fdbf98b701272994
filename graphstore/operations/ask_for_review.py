"""Ask for review: flag an active decision because a person wants somebody to look again."""

from collections.abc import Callable

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset
from graphstore.ids import sha256
from graphstore.operations.flagging import closure, flag_dependents, flag_props, raise_queue
from graphstore.operations.judging import Judged, moved
from graphstore.operations.reject_decision import Gathered
from graphstore.operations.verdict_records import verdict
from graphstore.records import VerdictKind
from graphstore.refusals import WriteErrorCode
from graphstore.results import AskForReviewResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import ASK_FOR_REVIEW

Recover = Callable[[Row], AskForReviewResult]


def ask_for_review(
    store: GraphStore,
    call: Call,
    decision_id: str,
    reason: str,
    recover: Recover,
    *,
    seen: str | None = None,
) -> AskForReviewResult:
    """Flag an active decision and its dependents, with the cause `asked:<verdict id>`.

    The library's reason stays absent, since none of its values says so. A decision
    that waits already gets one cause more. Refusals: `explanation_required` (a blank
    reason), `decision_not_found`, `decision_not_active`, `moved`,
    `request_id_reused`, `invalid_request_id`, `invalid_text`. Source: `RULES.md` 3.
    """
    if not reason.strip():
        return _refuse(WriteErrorCode.EXPLANATION_REQUIRED)
    if error := call.invalid():
        return _refuse(error)
    keys = {**call.keys(), "decision_id": decision_id}
    return write(
        store,
        ASK_FOR_REVIEW,
        lambda: Gathered(*store.read("reject_decision", keys, leader=True)[0]),
        lambda gathered: plan(call, reason, gathered, recover, seen=seen),
    )


def plan(
    call: Call, reason: str, gathered: Gathered, recover: Recover, *, seen: str | None
) -> Planned[AskForReviewResult] | AskForReviewResult:
    """What asking changes, given what was read."""
    if (
        replayed := call.replay(gathered.request, AskForReviewResult.model_validate_json, _refuse)
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
        return AskForReviewResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    waits = judged.decision["review_state"] == "needs_review"
    cause = f"asked:{call.entry_id}"
    us = rows.microseconds(call.at)
    found = closure(gathered.closure, [judged.id])
    earlier: list[str] = judged.decision.get("ctx_causes") or []
    causes = [*earlier, cause] if waits else [cause]
    since = judged.decision.get("ctx_flagged_us", us) if waits else us
    reason_code = judged.decision.get("review_reason") if waits else None
    pending = judged.id in found.frontier or bool(waits and judged.decision.get("review_pending"))
    props = flag_props(reason_code, causes, since, pending=pending)
    changes = Changeset(guards=judged.guards(), changes=[Change("Decision", judged.id, props)])
    flagged = flag_dependents(changes, found, {judged.id: causes}, us)
    raise_queue(
        changes,
        {call.project_id: len(flagged) + 1},
        incomplete=[call.project_id] if pending or not found.complete else [],
    )
    changes.creates.append(verdict(call, VerdictKind.ASK, judged, reason, flagged=flagged))
    after = rows.decision_of(
        {**judged.decision, **props, "ctx_version": judged.decision.get("ctx_version", 0) + 1},
        judged.task_name,
        judged.current,
    )
    result = AskForReviewResult.model_validate(
        {"recorded": True, "decision": after, "verdict_id": call.entry_id, "flagged": flagged}
    )
    changes.entries = [
        call.entry(
            Entry(
                task_id=judged.decision["task_id"],
                changed={
                    judged.id: {
                        "review_state": [judged.decision["review_state"], "needs_review"],
                        "causes": [judged.decision.get("ctx_causes") or [], props["ctx_causes"]],
                    }
                },
                flagged=flagged,
                decisions=[judged.id],
                cause=cause,
                hashes={f"{judged.id}/reason": sha256(reason)},
                seen=seen,
            )
        )
    ]
    changes.request = call.request(dump(result), judged.decision["task_id"])
    return Planned(
        changes, lambda committed: result.model_copy(update={"arrived": committed.late_ids})
    )


def _refuse(error: WriteErrorCode) -> AskForReviewResult:
    return AskForReviewResult(recorded=False, error=error)
