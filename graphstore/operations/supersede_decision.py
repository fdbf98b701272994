"""Supersede a decision: the next revision of its choice, which retires it and flags its dependents."""

from typing import NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry
from graphstore.changeset import Change, Link
from graphstore.operations import citing
from graphstore.operations.flagging import clear_props, closure, flag_dependents, raise_queue
from graphstore.operations.judging import Judged, moved
from graphstore.operations.record_decision import (
    NewDecision,
    Recover,
    draft,
    recovered,
    refuse,
    stance_count,
)
from graphstore.operations.verdict_records import verdict
from graphstore.records import Exhibit, Ground, VerdictKind
from graphstore.refusals import WriteErrorCode
from graphstore.results import RecordDecisionResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import SUPERSEDE_DECISION


class Gathered(NamedTuple):
    request: Row
    entry: Row
    project: Row
    task: Row
    revisions: list[Row]
    cited_documents: list[Row]
    cited_chunks: list[Row]
    cited_events: list[Row]
    cited_decisions: list[Row]
    decision: Row
    supports: list[Row]
    documents: list[Row]
    events: list[Row]
    parents: list[Row]
    direct_dependents: list[str]
    closure: list[list[Row]]


def supersede_decision(
    store: GraphStore,
    call: Call,
    decision_id: str,
    new: NewDecision,
    recover: Recover,
    *,
    seen: str | None = None,
    ground: Ground | None = None,
    exhibit: Exhibit | None = None,
) -> RecordDecisionResult:
    """Record the next revision, retire `decision_id`, flag who depends on it.

    `seen` is the fingerprint of what the caller was shown. Refusals:
    `explanation_required`, `supersede_target_invalid` (not there, or not the
    newest active revision), `moved`, and those of `record_decision`. Seed:
    history and decisions, Decisions and Review after a source change.
    """
    if not (new.explanation or "").strip():
        return refuse(WriteErrorCode.EXPLANATION_REQUIRED)
    if error := call.invalid(exhibit and exhibit.model_dump()):
        return refuse(error)
    return write(
        store,
        SUPERSEDE_DECISION,
        lambda: _gather(store, call, decision_id, new),
        lambda gathered: plan(
            call, new, gathered, recover, seen=seen, ground=ground, exhibit=exhibit
        ),
    )


def plan_supersession(
    store: GraphStore, call: Call, decision_id: str, new: NewDecision, *, seen: str | None = None
) -> Planned[RecordDecisionResult] | RecordDecisionResult:
    """What `supersede_decision` would commit now, or why it would not; nothing is written."""
    if error := call.invalid():
        return refuse(error)
    gathered = _gather(store, call, decision_id, new)
    lost = refuse(WriteErrorCode.SUPERSEDE_TARGET_INVALID)
    return plan(call, new, gathered, lambda _: lost, seen=seen, ground=None, exhibit=None)


def _gather(store: GraphStore, call: Call, decision_id: str, new: NewDecision) -> Gathered:
    keys = {**call.keys(), "decision_id": decision_id, **citing.keys(new.supports)}
    return Gathered(*store.read("supersede_decision", keys, leader=True)[0])


def plan(
    call: Call,
    new: NewDecision,
    gathered: Gathered,
    recover: Recover,
    *,
    seen: str | None,
    ground: Ground | None,
    exhibit: Exhibit | None,
) -> Planned[RecordDecisionResult] | RecordDecisionResult:
    """What superseding changes, given what was read."""
    if (
        replayed := call.replay(gathered.request, RecordDecisionResult.model_validate_json, refuse)
    ) is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        return recovered(recover(gathered.entry), new, gathered.revisions)
    old = Judged.of(gathered)
    if old is None or not rows.found(gathered.task):
        return refuse(WriteErrorCode.SUPERSEDE_TARGET_INVALID)
    active = [revision for _, revision, status, _ in gathered.revisions if status == "active"]
    if not active or old.decision["revision"] != max(active):
        return refuse(WriteErrorCode.SUPERSEDE_TARGET_INVALID)
    found = closure(gathered.closure, [old.id])
    now = old.fingerprint(gathered.direct_dependents)
    if differs := moved(seen, now, dependents=True):
        return RecordDecisionResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    cited = citing.resolve(
        new.supports,
        new.fetched,
        gathered.cited_documents,
        gathered.cited_chunks,
        gathered.cited_events,
        gathered.cited_decisions,
    )
    if isinstance(cited, WriteErrorCode):
        return refuse(cited)
    # The old decision is guarded whole below; as a parent it would be guarded twice.
    cited.guards = [g for g in cited.guards if g.id != old.id]
    drafted = draft(
        call,
        gathered.task,
        old.decision["choice_key"],
        new,
        cited,
        gathered.revisions,
        doomed={old.id, *(d.id for d in found.dependents)},
    )
    changes = drafted.changes
    changes.guards += old.guards()
    changes.supports_held.append(old.supports_held())
    pending = {"review_pending": True if old.id in found.frontier else None}
    changes.changes.append(
        Change(
            "Decision",
            old.id,
            {"status": "superseded", "ctx_stance": None, **clear_props(), **pending},
        )
    )
    changes.links.append(Link("SUPERSEDES", drafted.id, old.id))
    if "ctx_stance" in old.decision:
        changes.stances.append(
            stance_count(
                call.project_id, old.decision["choice_key"], old.decision["conclusion"], -1
            )
        )
    flagged = flag_dependents(
        changes, found, {old.id: [f"decision:{old.id}"]}, rows.microseconds(call.at)
    )
    changes.creates.append(
        verdict(
            call,
            VerdictKind.SUPERSEDE,
            old,
            new.explanation or "",
            ground=ground,
            exhibit=exhibit,
            flagged=flagged,
            new_decision_id=drafted.id,
        )
    )
    flagged += [drafted.id] if drafted.flagged else []
    raise_queue(
        changes,
        {call.project_id: len(flagged)},
        incomplete=[] if found.complete else [call.project_id],
    )
    return drafted.planned(
        call,
        flagged,
        call.entry_id,
        Entry(
            decisions=[old.id],
            changed={
                old.id: {
                    "status": [old.decision["status"], "superseded"],
                    "review_state": [old.decision["review_state"], "clear"],
                    "review_reason": [old.decision.get("review_reason"), None],
                }
            },
            cause=f"decision:{old.id}",
            ground=ground,
            seen=seen,
        ),
    )
