"""Reaffirm a decision: it still stands, on the text of its documents as they are now."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Append, Change, Changeset, Create, Guard, Props
from graphstore.ids import derived_id, sha256
from graphstore.operations import citing
from graphstore.operations.flagging import clear_props
from graphstore.operations.judging import Judged, moved
from graphstore.operations.record_events import SPARE_NUMBERS, NewEvent
from graphstore.operations.verdict_records import verdict
from graphstore.records import (
    DocumentSupportInput,
    EventKind,
    Exhibit,
    FetchOutcome,
    Ground,
    VerdictKind,
)
from graphstore.refusals import WriteErrorCode
from graphstore.results import BlockedBy, Blocker, ReaffirmDecisionResult
from graphstore.rows import Row
from graphstore.schema import MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import REAFFIRM_DECISION


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
    cited_documents: list[Row]
    cited_chunks: list[Row]


Recover = Callable[[Row], ReaffirmDecisionResult]


def reaffirm_decision(
    store: GraphStore,
    call: Call,
    decision_id: str,
    evidence: Sequence[DocumentSupportInput],
    fetched: Sequence[FetchOutcome],
    explanation: str,
    recover: Recover,
    *,
    seen: str | None = None,
    ground: Ground | None = None,
    exhibit: Exhibit | None = None,
) -> ReaffirmDecisionResult:
    """Clear a decision's flag; `evidence` names current passages of exactly the documents it cites.

    The old document supports stay as history, new ones carry the reviewer and the
    why, and a note is appended to the task. Dependents keep their flags.

    Refusals: `decision_not_found`, `decision_not_active`, `moved`,
    `cannot_revalidate` with `blockers` (evidence that is not of the version
    current now, a document left out or not cited, a redacted event, a parent
    that is not clear), `support_event_not_found`, `support_malformed`,
    `support_required` (over 20), `request_id_reused`, `invalid_request_id`,
    `invalid_text`. Seed: history and decisions, Review after a source change.
    """
    if error := call.invalid(exhibit and exhibit.model_dump()):
        return _refuse(error)
    return write(
        store,
        REAFFIRM_DECISION,
        lambda: _gather(store, call, decision_id, evidence),
        lambda gathered: plan(
            call,
            evidence,
            fetched,
            explanation,
            gathered,
            recover,
            seen=seen,
            ground=ground,
            exhibit=exhibit,
        ),
    )


def plan_reaffirmation(
    store: GraphStore,
    call: Call,
    decision_id: str,
    evidence: Sequence[DocumentSupportInput],
    fetched: Sequence[FetchOutcome],
    *,
    seen: str | None = None,
) -> Planned[ReaffirmDecisionResult] | ReaffirmDecisionResult:
    """What `reaffirm_decision` would commit now, or why it would not; nothing is written."""
    if error := call.invalid():
        return _refuse(error)
    return plan(
        call,
        evidence,
        fetched,
        "-",
        _gather(store, call, decision_id, evidence),
        lambda _: _refuse(WriteErrorCode.DECISION_NOT_FOUND),
        seen=seen,
        ground=None,
        exhibit=None,
    )


def _gather(
    store: GraphStore, call: Call, decision_id: str, evidence: Sequence[DocumentSupportInput]
) -> Gathered:
    keys = {**call.keys(), "decision_id": decision_id, **citing.keys(evidence)}
    return Gathered(*store.read("reaffirm_decision", keys, leader=True)[0])


def plan(
    call: Call,
    evidence: Sequence[DocumentSupportInput],
    fetched: Sequence[FetchOutcome],
    explanation: str,
    gathered: Gathered,
    recover: Recover,
    *,
    seen: str | None,
    ground: Ground | None,
    exhibit: Exhibit | None,
) -> Planned[ReaffirmDecisionResult] | ReaffirmDecisionResult:
    """What reaffirming changes, given what was read."""
    if (
        replayed := call.replay(
            gathered.request, ReaffirmDecisionResult.model_validate_json, _refuse
        )
    ) is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        return recover(gathered.entry)
    judged = Judged.of(gathered)
    if judged is None:
        return _refuse(WriteErrorCode.DECISION_NOT_FOUND)
    if judged.decision["status"] != "active":
        return _refuse(WriteErrorCode.DECISION_NOT_ACTIVE)
    if differs := moved(seen, judged.fingerprint([]), dependents=False):
        return ReaffirmDecisionResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    if blockers := judged.blockers():
        # As in the library: documents first, then the rest in its order.
        first = next((b for b in blockers if b.support_kind == "document"), blockers[0])
        gone = first.cause is BlockedBy.EVENT_GONE
        code = WriteErrorCode.SUPPORT_EVENT_NOT_FOUND if gone else WriteErrorCode.CANNOT_REVALIDATE
        return _refuse(code, blockers)
    cited = _evidence(evidence, fetched, gathered, judged)
    if not isinstance(cited, citing.Cited):
        return cited
    return _planned(call, explanation, judged, cited, seen=seen, ground=ground, exhibit=exhibit)


def _evidence(
    evidence: Sequence[DocumentSupportInput],
    fetched: Sequence[FetchOutcome],
    gathered: Gathered,
    judged: Judged,
) -> citing.Cited | ReaffirmDecisionResult:
    """The new document supports, or what is wrong with the evidence."""
    if len(evidence) > citing.MAX_SUPPORTS:
        return _refuse(WriteErrorCode.SUPPORT_REQUIRED)
    cited = citing.Cited()
    blockers: list[Blocker] = []
    wanted = judged.cited_documents()
    for item in evidence:
        one = citing.resolve(
            [item], fetched, gathered.cited_documents, gathered.cited_chunks, [], []
        )
        if one is WriteErrorCode.SUPPORT_MALFORMED:
            return _refuse(one)
        if isinstance(one, WriteErrorCode):
            blockers.append(_on_document(judged, item, BlockedBy.EVIDENCE_UNREADABLE))
            continue
        props = one.props[0]
        if props["document_node_id"] not in wanted:
            blockers.append(_on_document(judged, item, BlockedBy.DOCUMENT_NOT_CITED))
        elif one.changed:
            blockers.append(_on_document(judged, item, BlockedBy.EVIDENCE_OUTDATED))
        cited.props.append({**props, "ordinal": len(cited.props)})
        cited.guards += one.guards
    given = {p["document_node_id"] for p in cited.props}
    for document_id in sorted(wanted - given - {b.ref for b in blockers}):
        document = judged.documents[document_id][0]
        blockers.append(
            Blocker(
                support_kind="document",
                ref=document_id,
                label=document.get("title") or document["document_key"],
                cause=BlockedBy.DOCUMENT_NOT_REAFFIRMED,
            )
        )
    return _refuse(WriteErrorCode.CANNOT_REVALIDATE, blockers) if blockers else cited


def _on_document(judged: Judged, item: DocumentSupportInput, cause: BlockedBy) -> Blocker:
    document_id = item.evidence_id.split(":")[2]
    document = judged.documents.get(document_id, ({}, False))[0]
    label = document.get("title") or document.get("document_key") or item.evidence_id
    return Blocker(support_kind="document", ref=document_id, label=label, cause=cause)


def _planned(
    call: Call,
    explanation: str,
    judged: Judged,
    cited: citing.Cited,
    *,
    seen: str | None,
    ground: Ground | None,
    exhibit: Exhibit | None,
) -> Planned[ReaffirmDecisionResult]:
    at = rows.iso(call.at)
    review = {
        "reviewed_by": call.actor.agent_id,
        "reviewed_at": at,
        "review_explanation": explanation,
    }
    first = max((s["ordinal"] for s in judged.supports), default=-1) + 1
    new: list[Props] = [
        {
            **props,
            "id": derived_id("Support", judged.id, "reaffirm", at, k),
            "ordinal": first + k,
            "current": True,
            "project_id": call.project_id,
            **review,
        }
        for k, props in enumerate(cited.props)
    ]
    old = [s for s in judged.current if s["kind"] == "document"]
    kept = [s for s in judged.current if s["kind"] != "document"]
    # A decision without document supports has no other place that keeps the why.
    props = {**clear_props(), **{f"ctx_{key}": value for key, value in review.items()}}
    changes = Changeset(
        guards=[
            *judged.guards(),
            *cited.guards,
            *(parent.guard() for parent in judged.parents.values()),
            *(_event_guards(judged)),
        ],
        supports_held=[judged.supports_held()],
        creates=[
            *(Create("DecisionSupport", {MARKER: True, **s}, judged.id) for s in new),
            verdict(
                call,
                VerdictKind.REAFFIRM,
                judged,
                explanation,
                ground=ground,
                exhibit=exhibit,
                supports=_replaced(old, new),
            ),
        ],
        changes=[
            *(Change("DecisionSupport", s["id"], {"current": False, **review}) for s in old),
            Change("Decision", judged.id, props),
        ],
    )
    if rows.found(judged.task):
        _note(changes, call, judged)
    after = rows.decision_of(
        {**judged.decision, **props, "ctx_version": judged.decision.get("ctx_version", 0) + 1},
        judged.task_name,
        [*kept, *new],
    )
    result = ReaffirmDecisionResult(recorded=True, decision=after, verdict_id=call.entry_id)
    changes.entries = [
        call.entry(
            Entry(
                task_id=judged.decision["task_id"],
                created=[s["id"] for s in new],
                changed={
                    judged.id: {
                        "review_state": [judged.decision["review_state"], "clear"],
                        "review_reason": [judged.decision.get("review_reason"), None],
                    }
                },
                decisions=[judged.id],
                hashes={f"{judged.id}/explanation": sha256(explanation)},
                ground=ground,
                seen=seen,
            )
        )
    ]
    changes.request = call.request(dump(result), judged.decision["task_id"])
    return Planned(changes, lambda _: result)


def _replaced(old: Sequence[Props], new: Sequence[Props]) -> Props:
    """What a withdrawal needs to know of the supports: those made, and the earlier reviews."""
    reviews = ("reviewed_by", "reviewed_at", "review_explanation")
    archived = {s["id"]: {name: s.get(name) for name in reviews} for s in old}
    return {"created": [s["id"] for s in new], "archived": archived}


def _event_guards(judged: Judged) -> list[Guard]:
    return [
        guard
        for event_id, task_id, _ in judged.events.values()
        for guard in (
            Guard("Task", task_id),
            Guard("Event", event_id, absent=("redacted_at",)),
        )
    ]


def _note(changes: Changeset, call: Call, judged: Judged) -> None:
    """The reference library's note that a decision was reaffirmed, in the task's log."""
    task_id, base = judged.task[0], judged.task[5]
    text = f"Decision {judged.id} reaffirmed."
    ids = [derived_id("Event", task_id, base + k) for k in range(1, SPARE_NUMBERS + 2)]
    note = NewEvent(EventKind.NOTE, text).stored(call, task_id)
    changes.appends.append(Append(task_id, base, ids, [note]))
    changes.guards.append(Guard("Task", task_id, low=base, high=base + SPARE_NUMBERS))


def _refuse(error: WriteErrorCode, blockers: Sequence[Blocker] = ()) -> ReaffirmDecisionResult:
    return ReaffirmDecisionResult(recorded=False, error=error, blockers=list(blockers))
