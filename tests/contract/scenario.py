"""A project in which every operation meets every other on the same records.

`scope` <- `days` <- `mail` <- `letter` depend on each other; `days` also cites a
passage of the policy and the first event of task `t`, `scope` the second. `letter`
stands in task `u`. Step `running` of task `t` is in progress. `old` was
rejected, and `heir`, which cites it and `scope`, waits for that alone.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphstore.operations.record_events import NewEvent
from graphstore.records import EventKind, StepKind, StepResultBasis, StepState
from tests.contract.looking import Props
from tests.contract.seeding import Heard, Passage, Seed, derived, digest, named
from tests.contract.world import DAYS, DAYS_15, POLICY, POLICY_15, POLICY_45, Work, evidence, on

CALM = "calm"
"""Nothing is flagged, and all was recorded by us."""
FLAGGED = "flagged"
"""The policy has moved on; `days` and its dependents are flagged and wait for verdicts."""
TRAVELLING = "travelling"
"""The library moved the policy on: `days` is flagged and queued, its dependents are not yet."""
STATES = (CALM, FLAGGED, TRAVELLING)
CHOICES = ("scope", "days", "mail", "letter", "leaf", "citer", "old", "heir")


@dataclass(frozen=True)
class Scene:
    """The names of one such project."""

    project: str
    state: str

    @property
    def policy(self) -> str:
        """The key of the document."""
        return f"{self.project}-policy"

    @property
    def policy_id(self) -> str:
        """The id of the document."""
        return named("Document", self.policy)

    @property
    def event(self) -> str:
        """The id of the event that `days` cites."""
        return derived("Event", derived(self.project, "t"), 1)

    def decision(self, choice: str, revision: int = 1) -> str:
        """The id of a decision."""
        task = "u" if choice == "letter" else "t"
        return derived("Decision", derived(self.project, task), choice, revision)

    @property
    def cited(self) -> Passage:
        """The passage that `days` was recorded on."""
        return Passage(self.policy, POLICY, DAYS)

    @property
    def current(self) -> Passage:
        """The passage as it stands before anything happens here."""
        moved = Passage(self.policy, POLICY_15, DAYS_15, seq=2)
        return self.cited if self.state == CALM else moved

    def build(self, seed: Seed) -> None:
        """Write it, past the code under test."""
        travelling = self.state == TRAVELLING
        seed.project_node(review_incomplete=travelling, review_epoch=int(travelling))
        seed.task("t", "How long?", "Where?")
        seed.task("u")
        seed.step("running", "in_progress")
        texts = [POLICY] if self.state == CALM else [POLICY, POLICY_15]
        seed.document(self.policy, *texts)
        for choice, task, cited in (
            ("scope", "t", [Heard("t", 2)]),
            ("days", "t", [self.cited, Heard("t", 1), self.decision("scope")]),
            ("mail", "t", [self.decision("days")]),
            ("letter", "u", [self.decision("mail")]),
        ):
            seed.decision(choice, *cited, task=task, **self._props(choice))
            if not travelling:
                seed.counted(choice, f"Conclusion of {choice}")
        self._rejected(seed)

    @property
    def verdict(self) -> str:
        """The id of the verdict that rejected `old`."""
        return derived("CtxTrace", self.project, "the rejection of old")

    def _rejected(self, seed: Seed) -> None:
        """`old` with its rejection, and `heir`, which it flagged."""
        retired: Props = {"status": "rejected", "rejection_reason": "Wrong.", "rejected_by": "boss"}
        old = seed.decision("old", Heard("t", 2), ctx_version=2, **retired)
        waits: Props = {
            "review_state": "needs_review",
            "review_reason": "dependency_review",
            "ctx_causes": [f"decision:{old}"],
            "ctx_flagged_us": 1,
            "ctx_version": 2,
        }
        counted: Props = {"ctx_stance": self._stance("heir")} if self.state != TRAVELLING else {}
        heir = seed.decision("heir", old, self.decision("scope"), **waits, **counted)
        if counted:
            seed.counted("heir", "Conclusion of heir")
        undo = {"before": {"status": "active", "review_state": "clear"}}
        verdict: Props = {
            "_ctx_record": True,
            "id": self.verdict,
            "project_id": self.project,
            "kind": "reject",
            "decision_id": old,
            "task_id": derived(self.project, "t"),
            "choice_key": "old",
            "revision": 1,
            "decision_author": "agent",
            "by": "boss",
            "at": "2026-11-02T09:00:00+00:00",
            "us": 1,
            "why": "Wrong.",
            "flagged": [heir],
            "undo_json": json.dumps(undo),
        }
        seed.create("CtxVerdict", [verdict])

    def _stance(self, choice: str) -> str:
        choice_id = derived("CtxChoice", self.project, choice)
        return derived("CtxStance", choice_id, digest(f"Conclusion of {choice}"))

    def _props(self, choice: str) -> Props:
        flag = {"review_state": "needs_review", "review_reason": "source_changed"}
        if self.state == TRAVELLING:
            return flag | {"review_pending": True} if choice == "days" else {}
        ours = {"ctx_version": 1, "ctx_stance": self._stance(choice)}
        if self.state == CALM or choice == "scope":
            return ours
        reason = "source_changed" if choice == "days" else "dependency_review"
        cause = {"ctx_causes": [f"document:{self.policy_id}:2"], "ctx_flagged_us": 1}
        return ours | flag | cause | {"review_reason": reason, "ctx_version": 2}


Act = Callable[[Work, Scene, str | None], Any]
"""One call of one operation, with a request id or without."""


def _record_dependent(w: Work, s: Scene, request_id: str | None) -> Any:
    supports = on(s.decision("days"), s.decision("mail"))
    return w.traces.record_decision(
        "t", "leaf", f"Leaf of {w.agent}", "r", **supports, request_id=request_id
    )


def _record_citer(w: Work, s: Scene, request_id: str | None) -> Any:
    supports = on(s.current, Heard("t", 1), s.decision("scope"))
    return w.traces.record_decision(
        "t", "citer", f"Citer of {w.agent}", "r", **supports, request_id=request_id
    )


def _supersede(w: Work, s: Scene, request_id: str | None) -> Any:
    return w.traces.supersede_decision(
        s.decision("days"),
        f"Days of {w.agent}",
        "r",
        explanation="Changed.",
        **on(s.current, Heard("t", 1), s.decision("scope")),
        request_id=request_id,
    )


def _supersede_parent(w: Work, s: Scene, request_id: str | None) -> Any:
    return w.traces.supersede_decision(
        s.decision("scope"),
        f"Scope of {w.agent}",
        "r",
        explanation="Changed.",
        **on(Heard("t", 2)),
        request_id=request_id,
    )


def _reject(choice: str) -> Act:
    return lambda w, s, request_id: w.traces.reject_decision(
        s.decision(choice), f"Rejected by {w.agent}", request_id=request_id
    )


def _reaffirm(w: Work, s: Scene, request_id: str | None) -> Any:
    return w.traces.reaffirm_decision(
        s.decision("days"),
        **evidence(s.current),
        explanation=f"Reaffirmed by {w.agent}",
        request_id=request_id,
    )


def _reaffirm_child(w: Work, s: Scene, request_id: str | None) -> Any:
    return w.traces.reaffirm_decision(
        s.decision("mail"), [], explanation=f"Reaffirmed by {w.agent}", request_id=request_id
    )


def _events(w: Work, s: Scene, request_id: str | None) -> Any:
    del s
    made = [NewEvent(EventKind.NOTE, f"{k} by {w.agent}") for k in range(3)]
    return w.history.record_events("t", made, request_id=request_id)


def _task(w: Work, s: Scene, request_id: str | None) -> Any:
    del s
    return w.history.create_task("new", f"Goal of {w.agent}", request_id=request_id)


def _event(w: Work, s: Scene, request_id: str | None) -> Any:
    del s
    said = f"Said by {w.agent}"
    return w.history.record_event(
        "t", EventKind.MESSAGE, role="user", payload=said, request_id=request_id
    )


def _step(w: Work, s: Scene, request_id: str | None) -> Any:
    return w.history.set_step(
        "t",
        "running",
        StepState.COMPLETED,
        kind=StepKind.ANALYSIS,
        result_event_seq=1,
        result_basis=StepResultBasis.SUPPORTED,
        **on(s.current, Heard("t", 2), s.decision("scope")),
        request_id=request_id,
    )


def _resume(w: Work, s: Scene, request_id: str | None) -> Any:
    del s
    return w.history.resume_task("t", request_id=request_id)


def _continue(w: Work, s: Scene, request_id: str | None) -> Any:
    del s, request_id
    return w.traces.continue_decision_review(limit=1)


def _delete(*, whole: bool) -> Act:
    return lambda w, _, request_id: w.retention.delete_task("t", whole, request_id=request_id)


OPERATIONS: dict[str, Act] = {
    "create_task": _task,
    "record_event": _event,
    "record_events": _events,
    "set_step": _step,
    "resume_task": _resume,
    "record_decision": _record_citer,
    "record_dependent": _record_dependent,
    "supersede_decision": _supersede,
    "supersede_parent": _supersede_parent,
    "reject_decision": _reject("days"),
    "reject_parent": _reject("scope"),
    "reject_child": _reject("mail"),
    "reaffirm_decision": _reaffirm,
    "reaffirm_child": _reaffirm_child,
    "ask_for_review": lambda w, s, r: w.traces.ask_for_review(
        s.decision("days"), f"Asked by {w.agent}", request_id=r
    ),
    "withdraw_verdict": lambda w, s, r: w.traces.withdraw_verdict(
        s.verdict, f"Taken back by {w.agent}", request_id=r
    ),
    "continue_decision_review": _continue,
    "put_document": lambda w, s, r: w.documents.put_document(s.policy, POLICY_45, request_id=r),
    "remove_document": lambda w, s, r: w.documents.remove_document(s.policy, request_id=r),
    "grant_document": lambda w, s, r: w.documents.grant_document(s.policy, request_id=r),
    "revoke_document": lambda w, s, r: w.documents.revoke_document(s.policy, request_id=r),
    "redact_event": lambda w, s, r: w.retention.redact_event(s.event, request_id=r),
    "delete_task": _delete(whole=True),
    "delete_task_only": _delete(whole=False),
}
"""Every operation, most of them on `days`, some on what it cites or on what cites it."""
