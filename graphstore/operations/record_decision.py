"""Record a decision: the conclusion for one choice, with the supports it cites."""

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Changeset, Create, Guard, Link, Props, Scope, StanceCount
from graphstore.ids import derived_id, sha256
from graphstore.operations import citing
from graphstore.operations.flagging import flag_props, raise_queue
from graphstore.records import Decision, FetchOutcome, ReviewReason, SupportInput
from graphstore.refusals import WriteErrorCode
from graphstore.results import RecordDecisionResult
from graphstore.rows import Row
from graphstore.schema import CTX_MARKER, MARKER
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import RECORD_DECISION


@dataclass(frozen=True)
class NewDecision:
    """What the caller concluded, and on what."""

    conclusion: str
    rationale: str
    supports: Sequence[SupportInput]
    fetched: Sequence[FetchOutcome] = ()
    assumptions: Sequence[str] = ()
    open_questions: Sequence[str] = ()
    explanation: str | None = None
    """Why it supersedes its predecessor, when it does."""

    def arguments(self, **more: Any) -> dict[str, Any]:
        """What the reference library's digest covers."""
        return {
            **more,
            "conclusion": self.conclusion,
            "rationale": self.rationale,
            "supports": [s.model_dump(mode="json") for s in self.supports],
            "assumptions": list(self.assumptions),
            "open_questions": list(self.open_questions),
            "fetched_evidence": [f.model_dump(mode="json") for f in self.fetched],
        }

    def cited(self, **more: Any) -> dict[str, Any]:
        """As `arguments`, without fetched evidence that no support cites."""
        evidence = citing.cited_evidence(self.supports, self.fetched)
        return {**self.arguments(**more), "fetched_evidence": evidence}


class Gathered(NamedTuple):
    request: Row
    entry: Row
    project: Row
    task: Row
    revisions: list[Row]
    documents: list[Row]
    chunks: list[Row]
    events: list[Row]
    decisions: list[Row]


Recover = Callable[[Row], RecordDecisionResult]


def record_decision(
    store: GraphStore,
    call: Call,
    task_name: str,
    choice_key: str,
    new: NewDecision,
    recover: Recover,
) -> RecordDecisionResult:
    """Record the first decision of a choice in a task.

    A source that changed since it was fetched, or a parent that is flagged, does
    not refuse the record: it is saved with `needs_review`, and a warning for the
    source. A choice without an active revision may be recorded again; a
    conclusion equal to a rejected one is saved with `rejected_before`.

    Refusals: `support_required` (none, or over 20), `task_not_found`, `choice_exists`,
    of a document cited `support_malformed`, `support_document_not_found` and
    `support_not_fetched` (no outcome, or one that is not what is there), of an event
    `support_event_not_found` and `cannot_revalidate` (redacted), of a decision
    `support_decision_not_found` and `support_decision_not_active`; `request_id_reused`,
    `invalid_request_id`, `invalid_text`, `invalid_name`, `name_too_long`. Seed: history
    and decisions, Decisions.
    """
    if not new.supports:
        return refuse(WriteErrorCode.SUPPORT_REQUIRED)
    if error := call.invalid():
        return refuse(error)
    keys = {
        **call.keys(),
        "task_name": task_name,
        "choice_key": choice_key,
        **citing.keys(new.supports),
    }
    return write(
        store,
        RECORD_DECISION,
        lambda: Gathered(*store.read("record_decision", keys, leader=True)[0]),
        lambda seen: plan(call, choice_key, new, seen, recover),
    )


def plan(
    call: Call, choice_key: str, new: NewDecision, seen: Gathered, recover: Recover
) -> Planned[RecordDecisionResult] | RecordDecisionResult:
    """What recording changes, given what was read."""
    if (
        replayed := call.replay(seen.request, RecordDecisionResult.model_validate_json, refuse)
    ) is not None:
        return replayed
    if call.landed(seen.request, seen.entry):
        return recovered(recover(seen.entry), new, seen.revisions)
    if not rows.found(seen.task):
        return refuse(WriteErrorCode.TASK_NOT_FOUND)
    if any(status == "active" for _, _, status, _ in seen.revisions):
        return refuse(WriteErrorCode.CHOICE_EXISTS)
    cited = citing.resolve(
        new.supports, new.fetched, seen.documents, seen.chunks, seen.events, seen.decisions
    )
    if isinstance(cited, WriteErrorCode):
        return refuse(cited)
    drafted = draft(call, seen.task, choice_key, new, cited, seen.revisions)
    changes = drafted.changes
    changes.guards += [
        Guard("Decision", identity, {"status": status}) for identity, _, status, _ in seen.revisions
    ]
    flagged = [drafted.id] if drafted.flagged else []
    raise_queue(changes, {call.project_id: len(flagged)})
    return drafted.planned(call, flagged)


@dataclass
class Draft:
    """A new revision on its way into a changeset."""

    id: str
    changes: Changeset
    record: Decision
    flagged: bool
    warnings: list[str]
    hashes: dict[str, str]

    def planned(
        self,
        call: Call,
        flagged: Sequence[str],
        verdict_id: str | None = None,
        entry: Entry | None = None,
    ) -> Planned[RecordDecisionResult]:
        """Close the changeset with its ledger entry and stored result."""
        result = RecordDecisionResult.model_validate(
            {
                "recorded": True,
                "decision": self.record,
                "warnings": self.warnings,
                "flagged": [i for i in flagged if i != self.id],
                "verdict_id": verdict_id,
            }
        )
        task_id = str(self.record.task_id)
        entry = entry or Entry()
        made = {"status": [None, "active"], "review_state": [None, str(self.record.review_state)]}
        self.changes.entries = [
            call.entry(
                replace(
                    entry,
                    task_id=task_id,
                    created=[self.id],
                    changed={**entry.changed, self.id: made},
                    flagged=flagged,
                    decisions=[self.id, *entry.decisions],
                    hashes=self.hashes,
                )
            )
        ]
        self.changes.request = call.request(dump(result), task_id)
        return Planned(
            self.changes,
            lambda committed: result.model_copy(update={"arrived": committed.late_ids}),
        )


def draft(
    call: Call,
    task_row: Row,
    choice_key: str,
    new: NewDecision,
    cited: citing.Cited,
    revisions: Sequence[Row],
    doomed: Collection[str] = (),
) -> Draft:
    """The next revision of a choice, with its supports, links, guards and counts.

    `doomed` are decisions that this very commit retires or flags: citing one
    flags the new decision at once.
    """
    task_id, task_name = task_row[0], task_row[2]
    revision = max((r for _, r, _, _ in revisions), default=0) + 1
    identity = derived_id("Decision", task_id, choice_key, revision)
    choice_id, stance_id = stance_ids(call.project_id, choice_key, new.conclusion)
    props: Props = {
        "id": identity,
        "task_id": task_id,
        "project_id": call.project_id,
        "choice_key": choice_key,
        "revision": revision,
        "conclusion": new.conclusion,
        "rationale": new.rationale,
        "assumptions": list(new.assumptions),
        "open_questions": list(new.open_questions),
        "author": call.actor.agent_id,
        "status": "active",
        "review_state": "clear",
        "created_at": rows.iso(call.at),
        "supersession_explanation": new.explanation,
        "ctx_version": 1,
        "ctx_stance": stance_id,
    }
    causes = [*cited.changed]
    for parent in cited.parents.values():
        if parent.id in doomed:
            causes.append(f"decision:{parent.id}")
        elif not parent.clear:
            causes += parent.causes or (f"decision:{parent.id}",)
    flagged = bool(cited.changed) or any(
        p.id in doomed or not p.clear for p in cited.parents.values()
    )
    if flagged:
        reason = "source_changed_during_recording" if cited.changed else "dependency_review"
        props |= flag_props(reason, causes, rows.microseconds(call.at), pending=False)
    support_props: list[Props] = [
        {
            **s,
            "id": derived_id("Support", identity, k),
            "current": True,
            "project_id": call.project_id,
        }
        for k, s in enumerate(cited.props)
    ]
    changes = Changeset(
        guards=[Guard("Task", task_id), *cited.guards],
        creates=[
            Create("Decision", {MARKER: True, **props}, task_id),
            *(Create("DecisionSupport", {MARKER: True, **s}, identity) for s in support_props),
        ],
        links=[Link("DEPENDS_ON", identity, parent) for parent in cited.parents],
        scopes=Scope.cited(call.project_id, cited.props),
        stances=[stance_count(call.project_id, choice_key, new.conclusion, 1)],
    )
    record = Decision.model_validate(
        {
            **{key: value for key, value in props.items() if value is not None},
            "task_name": task_name,
            "supports": support_props,
            "version": 1,
            "causes": props.get("ctx_causes") or [],
            "flagged_at": call.at if flagged else None,
        }
    )
    return Draft(
        identity,
        changes,
        record,
        flagged,
        _warnings(new, revisions, changed=bool(cited.changed)),
        {
            identity: sha256(new.conclusion),
            f"{identity}/rationale": sha256(new.rationale),
            choice_id: stance_id,
        },
    )


def _warnings(new: NewDecision, revisions: Sequence[Row], *, changed: bool) -> list[str]:
    warnings = ["source_changed_during_recording"] if changed else []
    before = [
        identity
        for identity, _, status, conclusion in revisions
        if status == "rejected" and normalised(conclusion) == normalised(new.conclusion)
    ]
    return warnings + [f"rejected_before:{identity}" for identity in before]


def recovered(
    result: RecordDecisionResult, new: NewDecision, revisions: Sequence[Row]
) -> RecordDecisionResult:
    """The result of an earlier try whose answer was lost, with the warnings that it gave."""
    reason = result.decision.review_reason if result.decision is not None else None
    changed = reason is ReviewReason.SOURCE_CHANGED_DURING_RECORDING
    return result.model_copy(update={"warnings": _warnings(new, revisions, changed=changed)})


def normalised(conclusion: str) -> str:
    """A conclusion as it counts for conflicts: composed Unicode, single blanks."""
    return " ".join(unicodedata.normalize("NFC", conclusion).split())


def stance_ids(project_id: str, choice_key: str, conclusion: str) -> tuple[str, str]:
    """The ids of a choice and of one side of it."""
    choice_id = derived_id("CtxChoice", project_id, choice_key)
    return choice_id, derived_id("CtxStance", choice_id, sha256(normalised(conclusion)))


def stance_count(project_id: str, choice_key: str, conclusion: str, by: int) -> StanceCount:
    """One active decision more or less for a conclusion; conflicts are counted as they arise."""
    _, stance_id = stance_ids(project_id, choice_key, conclusion)
    return choice_count(project_id, choice_key, stance_id, by)


def choice_count(project_id: str, choice_key: str, stance_id: str, by: int) -> StanceCount:
    """As `stance_count`, of a conclusion whose side is known by its id."""
    choice_id = derived_id("CtxChoice", project_id, choice_key)
    return StanceCount(
        choice_id,
        {CTX_MARKER: True, "project_id": project_id, "choice_key": choice_key, "stances": 0},
        stance_id,
        {CTX_MARKER: True, "project_id": project_id, "choice_id": choice_id, "active": 0},
        by,
    )


def refuse(error: WriteErrorCode) -> RecordDecisionResult:
    """A refusal of recording or superseding."""
    return RecordDecisionResult(recorded=False, error=error)
