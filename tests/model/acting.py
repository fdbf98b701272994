"""The same calls on the real record, and the same picture read back from it."""

from collections.abc import Callable, Sequence
from typing import Any

from graphstore.desk import open_desk
from graphstore.operations.record_events import NewEvent
from graphstore.records import (
    DecisionSupportInput,
    DocumentSupport,
    DocumentSupportInput,
    EventKind,
    EventSupport,
    EventSupportInput,
    FetchOutcome,
    Support,
    SupportInput,
)
from graphstore.store import GraphStore
from tests.contract.seeding import Passage
from tests.contract.world import Work
from tests.model.calls import Call, Outcome, Spec

HOW = {"read": 8, "unread": 24, "forged": 40}
"""How many characters of a version are cited: each way of citing has a passage of its own."""


class Acting:
    """The operations on one store."""

    def __init__(self, store: GraphStore) -> None:
        self.store = store
        self._works: dict[tuple[str, str], Work] = {}

    def work(self, project: str, agent: str = "reader") -> Work:
        """One caller's operations, kept as a caller keeps them."""
        key = (project, agent)
        if key not in self._works:
            # The raw graph is only for looking, which nobody does here.
            self._works[key] = Work(self.store, None, project, agent)  # type: ignore[arg-type]
        return self._works[key]

    def do(self, call: Call) -> tuple[Outcome, str]:
        """What the call answers, and the id of the verdict that it wrote."""
        act: Callable[..., Any] = getattr(self, f"_{call.op}")
        result = act(self.work(call.project, call.agent), call, **call.args)
        if isinstance(result, int):
            return Outcome(None, {"units": result}), ""
        if not result.recorded:
            facts = {"moved": result.moved} if result.moved else {}
            return Outcome(str(result.error), facts), ""
        return Outcome(None, FACTS[call.op](result)), getattr(result, "verdict_id", None) or ""

    def page(self, project: str, decision_id: str) -> str:
        """The fingerprint of a decision's page."""
        desk = open_desk(self.store, project, decision_id)
        assert desk is not None
        return desk.seen

    def plan(self, project: str, key: str, text: str | None) -> str:
        """The fingerprint of what a new version would do."""
        documents = self.work(project).documents
        if text is None:
            return documents.plan_remove_document(key).seen
        return documents.plan_put_document(key, text).seen

    def plan_redaction(self, project: str, event_id: str) -> str:
        """The fingerprint of what a redaction would do."""
        return self.work(project).retention.plan_redaction(event_id).seen

    def plan_deletion(self, project: str, name: str, *, whole: bool) -> str:
        """The fingerprint of what a deletion would do."""
        return self.work(project).retention.plan_deletion(name, whole).seen

    # History

    def _create_task(self, w: Work, call: Call, task_name: str, goal: str) -> Any:
        return w.history.create_task(task_name, goal, request_id=call.request_id)

    def _record_event(self, w: Work, call: Call, task_name: str, payload: str) -> Any:
        return w.history.record_event(
            task_name, EventKind.NOTE, payload=payload, request_id=call.request_id
        )

    def _record_events(self, w: Work, call: Call, task_name: str, payloads: Sequence[str]) -> Any:
        events = [NewEvent(EventKind.NOTE, payload) for payload in payloads]
        return w.history.record_events(task_name, events, request_id=call.request_id)

    def _set_step(
        self,
        w: Work,
        call: Call,
        task_name: str,
        name: str,
        state: str,
        kind: str,
        basis: str,
        result: int | None,
        supports: Sequence[Spec],
    ) -> Any:
        return w.history.set_step(
            task_name,
            name,
            state,
            kind=kind,
            result_event_seq=result,
            result_basis=basis,
            **_cited(supports),
            request_id=call.request_id,
        )

    def _resume_task(self, w: Work, call: Call, task_name: str) -> Any:
        return w.history.resume_task(task_name, request_id=call.request_id)

    # Decisions

    def _record_decision(
        self, w: Work, call: Call, task_name: str, choice_key: str, says: str,
        supports: Sequence[Spec],
    ) -> Any:  # fmt: skip
        return w.traces.record_decision(
            task_name, choice_key, says, "r", **_cited(supports), request_id=call.request_id
        )

    def _supersede(
        self, w: Work, call: Call, decision_id: str, says: str, explanation: str,
        supports: Sequence[Spec],
    ) -> Any:  # fmt: skip
        return w.traces.supersede_decision(
            decision_id, says, "r", explanation=explanation, **_cited(supports),
            request_id=call.request_id, seen=_seen(call),
        )  # fmt: skip

    def _reject(self, w: Work, call: Call, decision_id: str, reason: str) -> Any:
        return w.traces.reject_decision(
            decision_id, reason, request_id=call.request_id, seen=_seen(call)
        )

    def _reaffirm(
        self, w: Work, call: Call, decision_id: str, evidence: Sequence[Spec], explanation: str
    ) -> Any:
        return w.traces.reaffirm_decision(
            decision_id,
            [s for s in map(_support, evidence) if isinstance(s, DocumentSupportInput)],
            fetched_evidence=_fetched(evidence),
            explanation=explanation,
            request_id=call.request_id,
            seen=_seen(call),
        )

    def _ask(self, w: Work, call: Call, decision_id: str, reason: str) -> Any:
        return w.traces.ask_for_review(
            decision_id, reason, request_id=call.request_id, seen=_seen(call)
        )

    def _withdraw(self, w: Work, call: Call, verdict_id: str, explanation: str) -> Any:
        return w.traces.withdraw_verdict(verdict_id, explanation, request_id=call.request_id)

    def _continue_review(self, w: Work, call: Call, limit: int) -> Any:
        return w.traces.continue_decision_review(limit=limit)

    # Documents and retention

    def _put_document(self, w: Work, call: Call, document_key: str, text: str) -> Any:
        return w.documents.put_document(
            document_key, text, request_id=call.request_id, seen=_seen(call)
        )

    def _remove_document(self, w: Work, call: Call, document_key: str) -> Any:
        return w.documents.remove_document(
            document_key, request_id=call.request_id, seen=_seen(call)
        )

    def _grant_document(self, w: Work, call: Call, document_key: str) -> Any:
        return w.documents.grant_document(document_key, request_id=call.request_id)

    def _revoke_document(self, w: Work, call: Call, document_key: str) -> Any:
        return w.documents.revoke_document(document_key, request_id=call.request_id)

    def _redact_event(self, w: Work, call: Call, event_id: str) -> Any:
        return w.retention.redact_event(event_id, request_id=call.request_id, seen=_seen(call))

    def _delete_task(self, w: Work, call: Call, name: str, whole: bool) -> Any:
        return w.retention.delete_task(name, whole, request_id=call.request_id, seen=_seen(call))

    # Reading back

    def read(self, project: str, keys: Sequence[str]) -> dict[str, Any]:
        """The project as readers find it, and these documents."""
        w = self.work(project)
        tasks = w.history.list_tasks(limit=200).tasks
        decisions = w.traces.browse_decisions(limit=100)
        assert not decisions.truncated
        return {
            "tasks": {t.name: (str(t.id), t.goal, t.event_seq) for t in tasks},
            "events": {t.name: self._events(w, t.name) for t in tasks},
            "steps": {t.name: self._steps(w, t.name) for t in tasks},
            "decisions": {str(d.id): _decision(d) for d in decisions.decisions},
            "queue": [str(d.id) for d in w.traces.list_decisions_for_review(limit=100).decisions],
            "conflicts": {
                group.choice_key: sorted(str(d.id) for d in group.decisions)
                for group in w.traces.list_conflicts().groups
            },
            "documents": {key: self._document(w, key) for key in keys},
        }

    @staticmethod
    def _events(w: Work, task: str) -> list[Any]:
        found = w.history.list_events(task, limit=200).events
        return [(e.seq, str(e.id), e.payload, e.author, e.redacted_at is not None) for e in found]

    @staticmethod
    def _steps(w: Work, task: str) -> dict[str, Any]:
        return {
            s.name: (
                s.state, s.kind, s.result_basis, s.result_event_seq, s.updated_seq, s.set_by,
                s.result_validity if s.state == "completed" else None,
                sorted(map(_cites, s.result_supports), key=str),
            )
            for s in w.history.list_steps(task, limit=200).steps
        }  # fmt: skip

    @staticmethod
    def _document(w: Work, key: str) -> Any:
        found = w.documents.get_document(key, scope=frozenset([key]))
        if found.document is None:
            return None
        readable = w.documents.get_document(key).found
        return found.document.activation_seq, found.text, found.granted, readable


def _steps_to_do(r: Any) -> dict[str, Any]:
    return {
        "marked": sorted(r.marked_unknown),
        "to_do": sorted(s.name for s in r.to_do),
        "recheck": sorted(s.name for s in r.recheck),
    }


def _judged(r: Any) -> dict[str, Any]:
    return {"decision": str(r.decision.id), "flagged": _ids(r.flagged)}


def _put(r: Any) -> dict[str, Any]:
    return {"flagged": r.flagged, "unchanged": r.unchanged}


def _erased(r: Any) -> dict[str, Any]:
    return {"affected": sorted(r.affected_decision_ids)}


FACTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "create_task": lambda r: {"task": str(r.task.id)},
    "record_event": lambda r: {"events": [(str(r.event.id), r.event.seq)]},
    "record_events": lambda r: {"events": [(str(e.id), e.seq) for e in r.events]},
    "set_step": lambda r: {"step": (r.step.name, r.step.state)},
    "resume_task": _steps_to_do,
    "record_decision": lambda r: {"decision": str(r.decision.id), "warnings": r.warnings},
    "supersede": lambda r: {**_judged(r), "warnings": r.warnings},
    "reject": _judged,
    "ask": _judged,
    "reaffirm": lambda r: {"decision": str(r.decision.id)},
    "withdraw": lambda r: {"lifted": _ids(r.lifted), "kept": _ids(r.kept)},
    "put_document": _put,
    "remove_document": _put,
    "grant_document": lambda _: {},
    "revoke_document": lambda _: {},
    "redact_event": _erased,
    "delete_task": _erased,
}
"""What the model can tell of the result of each operation."""


def _ids(found: Any) -> list[str]:
    return sorted(str(identity) for identity in found)


def _decision(d: Any) -> Any:
    return {
        "status": d.status,
        "state": d.review_state,
        "reason": d.review_reason,
        "causes": sorted(d.causes),
        "version": d.version,
        "says": d.conclusion,
        "author": d.author,
        "rejected_by": d.rejected_by,
        "orphaned": d.task_deleted,
        "supports": sorted(map(_cites, d.supports), key=str),
    }


def _cites(s: Support) -> tuple[str, str, int | None, bool]:
    if isinstance(s, DocumentSupport):
        return ("document", s.document_key, s.recorded_activation_seq, False)
    if isinstance(s, EventSupport):
        return ("event", str(s.event_id), None, s.gone_at is not None)
    return ("decision", str(s.decision_id), None, s.gone_at is not None)


def _seen(call: Call) -> str | None:
    return call.seen.fingerprint if call.seen is not None else None


def _passage(spec: Spec) -> Passage:
    return Passage(spec.ref, spec.text, spec.text[: HOW[spec.how] + spec.seq % 16], spec.seq)


def _support(spec: Spec) -> SupportInput:
    match spec.kind:
        case "document":
            return _passage(spec).support
        case "event":
            return EventSupportInput(task_name=spec.ref, seq=spec.seq)
        case "decision":
            return DecisionSupportInput(decision_id=spec.ref)
        case _:
            return DocumentSupportInput(evidence_id="ev1:nothing")


def _fetched(specs: Sequence[Spec]) -> list[FetchOutcome]:
    found: list[FetchOutcome] = []
    for spec in specs:
        if spec.kind == "document" and spec.how != "unread":
            outcome = _passage(spec).outcome
            forged = {"text": "Invented."} if spec.how == "forged" else {}
            found.append(outcome.model_copy(update=forged))
    return found


def _cited(specs: Sequence[Spec]) -> dict[str, Any]:
    return {"supports": [_support(s) for s in specs], "fetched_evidence": _fetched(specs)}
