"""What a verdict would do, from the very plan that would be committed, and what that means for others.

A plan names the decisions that its commit flags. What they rest on besides, whose tasks
they belong to and which results of steps turn with them is read once for all of them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call
from graphstore.changeset import Changeset
from graphstore.operations.reaffirm_decision import plan_reaffirmation
from graphstore.operations.record_decision import NewDecision
from graphstore.operations.reject_decision import plan_rejection
from graphstore.operations.step_results import standing_of, support_block
from graphstore.operations.supersede_decision import plan_supersession
from graphstore.records import (
    Actor,
    DecisionSupport,
    DocumentSupportInput,
    FetchOutcome,
    Record,
    ReviewState,
    StepSummary,
    SupportInput,
)
from graphstore.refusals import WriteErrorCode
from graphstore.results import Blocker, WriteResult
from graphstore.store import GraphStore, Planned, Row, steady

__all__ = ["Affected", "Impact", "StepTurned", "VerdictPlans"]

MAX_LISTED = 50


class Affected(Record):
    """A decision that the verdict would flag; `left` of its `supports` would still be clear.

    `hops` is 1 for one that cites the judged decision itself. The conclusion is cut.
    """

    decision_id: str
    conclusion: str
    task_id: str
    task_name: str
    hops: int
    supports: int
    left: int


class StepTurned(Record):
    """A completed step whose result may be used now, and may not after the verdict."""

    task_name: str
    name: str


class Impact(Record):
    """What one verdict would do, or why it would be refused: then `error` is set, and nothing else.

    `affected` are the decisions that it flags, those that lose their last clear support
    first, at most 50; the counts are of all that the commit flags, at most 500. What lies
    beyond that a job flags: then `complete` is False. `already` counts active decisions
    that rest on it and are flagged as it is, `citing` those active ones that cite it
    itself: on a retired decision they can never be reaffirmed. `tasks` are those of the decisions that it
    flags, `steps` at most 50 of the `steps_turned`. `born_flagged` is about the new
    revision of a supersession.
    """

    error: WriteErrorCode | None = None
    blockers: Sequence[Blocker] = ()
    moved: Sequence[str] = ()
    direct: int = 0
    transitive: int = 0
    loses_last: int = 0
    keeps: int = 0
    already: int = 0
    citing: int = 0
    affected: Sequence[Affected] = ()
    tasks: Sequence[str] = ()
    steps: Sequence[StepTurned] = ()
    steps_turned: int = 0
    complete: bool = True
    born_flagged: bool = False
    born_causes: Sequence[str] = ()

    @property
    def flags(self) -> int:
        return self.direct + self.transitive


class _Read(NamedTuple):
    before: Row
    after: Row
    affected: list[Row]
    levels: list[list[Row]]
    steps: list[Row]


class VerdictPlans:
    """The plans of verdicts on one project's decisions, by one author. Nothing is written."""

    def __init__(self, store: GraphStore, *, project_id: str, actor: Actor) -> None:
        self._store = store
        self._project_id = project_id
        self._actor = actor

    def reject(self, decision_id: str, *, seen: str | None = None) -> Impact:
        """What rejecting it would do; two reads, three when results of steps rest on it."""
        call = self._call("reject_decision", {"id": decision_id, "reason": "-"})
        outcome = plan_rejection(self._store, call, decision_id, "-", seen=seen)
        return self._impact(decision_id, outcome)

    def supersede(
        self,
        decision_id: str,
        conclusion: str,
        rationale: str,
        *,
        supports: Sequence[SupportInput],
        fetched_evidence: Sequence[FetchOutcome] = (),
        seen: str | None = None,
    ) -> Impact:
        """What replacing it by this revision would do; reads as `reject`."""
        new = NewDecision(conclusion, rationale, supports, fetched_evidence, explanation="-")
        call = self._call("supersede_decision", new.arguments(old_id=decision_id))
        outcome = plan_supersession(self._store, call, decision_id, new, seen=seen)
        return self._impact(decision_id, outcome)

    def reaffirm(
        self,
        decision_id: str,
        evidence: Sequence[DocumentSupportInput],
        fetched: Sequence[FetchOutcome] = (),
        *,
        seen: str | None = None,
    ) -> Impact:
        """What reaffirming it would do: it flags nobody; one read."""
        arguments = {"id": decision_id, "evidence": [one.model_dump() for one in evidence]}
        call = self._call("reaffirm_decision", arguments)
        outcome = plan_reaffirmation(self._store, call, decision_id, evidence, fetched, seen=seen)
        return Impact() if isinstance(outcome, Planned) else _refused(outcome)

    def _call(self, action: str, arguments: dict[str, Any]) -> Call:
        return Call(action, self._project_id, self._actor, arguments)

    def _impact(self, decision_id: str, outcome: Any) -> Impact:
        if not isinstance(outcome, Planned):
            return _refused(outcome)
        changes: Changeset = outcome.changeset
        flagged = _flags_of(changes)
        p = {"project_id": self._project_id, "decision_id": decision_id, "flagged": flagged}
        found = steady(lambda: self._store.read("impact", p))
        if not found:
            return Impact(error=WriteErrorCode.DECISION_NOT_FOUND)
        read = _Read(*found[0])
        fallen = {decision_id, *flagged}
        affected = _affected(read, fallen)
        turned = self._turned(read, fallen)
        born = [c.props for c in changes.creates if c.label == "Decision"]
        causes: list[str] = [c for props in born for c in props.get("ctx_causes") or ()]
        direct = sum(one.hops == 1 for one in affected)
        last = sum(one.left == 0 for one in affected)
        return Impact(
            direct=direct,
            transitive=len(affected) - direct,
            loses_last=last,
            keeps=len(affected) - last,
            already=len(_already(read, decision_id)),
            citing=len(read.levels[0]),
            affected=affected[:MAX_LISTED],
            tasks=sorted({one.task_name for one in affected}),
            steps=turned[:MAX_LISTED],
            steps_turned=len(turned),
            complete=not any(one.incomplete for one in changes.raises),
            born_flagged=any(props["review_state"] == ReviewState.NEEDS_REVIEW for props in born),
            born_causes=causes,
        )

    def _turned(self, read: _Read, fallen: set[str]) -> list[StepTurned]:
        """Steps whose results nothing keeps from being used now, but these decisions will."""
        steps = [(task, rows.step(step)) for task, there, step in read.steps if there]
        touched = [(task, step) for task, step in steps if _rests_on(step, fallen)]
        if not touched:
            return []
        supports = [support for _, step in touched for support in step.result_supports]
        standing = standing_of(self._store, self._project_id, supports)
        return [
            StepTurned(task_name=task, name=step.name)
            for task, step in touched
            if not any(support_block(one, standing) for one in step.result_supports)
        ]


def _flags_of(changes: Changeset) -> list[str]:
    """The decisions that the changeset flags, in its order: nearest first."""
    return [
        change.id
        for change in changes.changes
        if change.label == "Decision"
        and change.props.get("review_state") == ReviewState.NEEDS_REVIEW
    ]


def _affected(read: _Read, fallen: set[str]) -> list[Affected]:
    hops = _hops(read.levels)
    found: list[Affected] = []
    for identity, conclusion, task_id, task_name, standing in read.affected:
        left = sum(bool(clear) and parent not in fallen for _, clear, parent in standing)
        found.append(
            Affected(
                decision_id=identity,
                conclusion=conclusion,
                task_id=task_id,
                task_name=task_name or "",
                hops=hops.get(identity, 1),
                supports=len(standing),
                left=left,
            )
        )
    return sorted(found, key=lambda one: (one.left > 0, one.hops))


def _hops(levels: Sequence[Sequence[Row]]) -> dict[str, int]:
    hops: dict[str, int] = {}
    for depth, level in enumerate(levels, 1):
        for identity, _, _ in level:
            hops.setdefault(identity, depth)
    return hops


def _already(read: _Read, decision_id: str) -> set[str]:
    return {
        identity
        for level in read.levels
        for identity, _, state in level
        if state == ReviewState.NEEDS_REVIEW and identity != decision_id
    }


def _rests_on(step: StepSummary, decisions: set[str]) -> bool:
    return any(
        str(one.decision_id) in decisions
        for one in step.result_supports
        if isinstance(one, DecisionSupport)
    )


def _refused(result: WriteResult) -> Impact:
    return Impact(error=result.error, blockers=result.blockers, moved=result.moved)
