"""Decision traces: conclusions, the supports they cite, and their review; for one project and author."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from graphstore.arguments import checked
from graphstore.calls import Call
from graphstore.operations.ask_for_review import ask_for_review
from graphstore.operations.continue_review import continue_decision_review
from graphstore.operations.reaffirm_decision import reaffirm_decision
from graphstore.operations.record_decision import NewDecision, record_decision
from graphstore.operations.reject_decision import reject_decision
from graphstore.operations.supersede_decision import supersede_decision
from graphstore.operations.withdraw_verdict import plan_withdrawal, withdraw_verdict
from graphstore.queries import browsing, conflicts, decisions, lineage, moments, verdicts
from graphstore.records import (
    Actor,
    Decision,
    DocumentSupportInput,
    Exhibit,
    FetchOutcome,
    Ground,
    SupportInput,
    VerdictKind,
    VerdictRecord,
)
from graphstore.results import (
    AskForReviewResult,
    ConflictGroup,
    ConflictList,
    DecisionHit,
    DecisionLookup,
    DecisionPage,
    DecisionPageLookup,
    DecisionReviewList,
    DependentPage,
    Lineage,
    Moments,
    ReaffirmDecisionResult,
    RecordDecisionResult,
    RejectDecisionResult,
    SupportHistoryPage,
    VerdictPage,
    WithdrawVerdictResult,
)
from graphstore.rows import Row
from graphstore.store import GraphStore

__all__ = ["DecisionTraces"]


@checked
class DecisionTraces:
    """Decisions of one project, written by one author.

    Each write takes an optional `request_id`, as in `ConversationHistory`. The
    verdicts also take `seen`, the fingerprint of what the caller was shown,
    `ground`, why it judged so, and `exhibit`, what it looked at.
    What every write is refused for, and what every method raises, is as in
    `ConversationHistory`: `invalid_request_id`, `request_id_reused`, `invalid_text`,
    `name_too_long`, `invalid_name`. A list raises `ValueError` for a cursor
    that no page gave, unless it says otherwise. Seed: history and decisions.
    """

    def __init__(
        self, store: GraphStore, *, project_id: str, agent_id: str, actor: Actor | None = None
    ) -> None:
        """Bind to a project and an author; `actor` says more about who writes, for the ledger."""
        self._store = store
        self._project_id = project_id
        self._actor = actor or Actor(agent_id=agent_id)

    def record_decision(
        self,
        task_name: str,
        choice_key: str,
        conclusion: str,
        rationale: str,
        *,
        supports: Sequence[SupportInput],
        fetched_evidence: Sequence[FetchOutcome] = (),
        assumptions: Sequence[str] = (),
        open_questions: Sequence[str] = (),
        request_id: str | None = None,
    ) -> RecordDecisionResult:
        """Record the first decision of a choice, citing 1 to 20 supports.

        Document supports need an `ok` outcome in `fetched_evidence`. See
        `operations.record_decision` for the refusals.
        """
        new = NewDecision(
            conclusion, rationale, supports, fetched_evidence, assumptions, open_questions
        )
        names = {"task_name": task_name, "choice_key": choice_key}
        call = self._call("record_decision", new.arguments(**names), request_id, new.cited(**names))
        return record_decision(
            self._store,
            call,
            task_name,
            choice_key,
            new,
            lambda entry: RecordDecisionResult(
                recorded=True, decision=self._recorded(entry), **_flags(entry, 1)
            ),
        )

    def supersede_decision(
        self,
        decision_id: UUID | str,
        conclusion: str,
        rationale: str,
        *,
        explanation: str,
        supports: Sequence[SupportInput],
        fetched_evidence: Sequence[FetchOutcome] = (),
        assumptions: Sequence[str] = (),
        open_questions: Sequence[str] = (),
        request_id: str | None = None,
        seen: str | None = None,
        ground: Ground | None = None,
        exhibit: Exhibit | None = None,
    ) -> RecordDecisionResult:
        """Record the next revision of a choice and retire this one.

        See `operations.supersede_decision` for the refusals.
        """
        new = NewDecision(
            conclusion,
            rationale,
            supports,
            fetched_evidence,
            assumptions,
            open_questions,
            explanation,
        )
        names = {"old_id": str(decision_id), "explanation": explanation}
        call = self._call(
            "supersede_decision", new.arguments(**names), request_id, new.cited(**names)
        )
        return supersede_decision(
            self._store,
            call,
            str(decision_id),
            new,
            lambda entry: RecordDecisionResult(
                recorded=True,
                decision=self._recorded(entry),
                verdict_id=entry[0],
                **_flags(entry, 2),
            ),
            seen=seen,
            ground=ground,
            exhibit=exhibit,
        )

    def reject_decision(
        self,
        decision_id: UUID | str,
        reason: str,
        *,
        request_id: str | None = None,
        seen: str | None = None,
        ground: Ground | None = None,
        exhibit: Exhibit | None = None,
    ) -> RejectDecisionResult:
        """Retire a decision without a replacement. See `operations.reject_decision`."""
        arguments = {"id": str(decision_id), "reason": reason}
        return reject_decision(
            self._store,
            self._call("reject_decision", arguments, request_id),
            str(decision_id),
            reason,
            lambda entry: RejectDecisionResult(
                recorded=True,
                decision=self._recorded(entry),
                verdict_id=entry[0],
                **_flags(entry, 1),
            ),
            seen=seen,
            ground=ground,
            exhibit=exhibit,
        )

    def reaffirm_decision(
        self,
        decision_id: UUID | str,
        evidence: Sequence[DocumentSupportInput],
        *,
        fetched_evidence: Sequence[FetchOutcome] = (),
        explanation: str = "Reaffirmed after review.",
        request_id: str | None = None,
        seen: str | None = None,
        ground: Ground | None = None,
        exhibit: Exhibit | None = None,
    ) -> ReaffirmDecisionResult:
        """Confirm a decision on current passages of exactly the documents it cites.

        See `operations.reaffirm_decision` for the refusals.
        """
        arguments: dict[str, Any] = {
            "id": str(decision_id),
            "evidence": [item.model_dump(mode="json") for item in evidence],
            "explanation": explanation,
        }
        fetched = [f.model_dump(mode="json") for f in fetched_evidence]
        ids = sorted(item.evidence_id for item in evidence)
        return reaffirm_decision(
            self._store,
            self._call(
                "reaffirm_decision",
                {**arguments, "fetched_evidence": fetched},
                request_id,
                {**arguments, "fetched_evidence": ids},
            ),
            str(decision_id),
            evidence,
            fetched_evidence,
            explanation,
            lambda entry: ReaffirmDecisionResult(
                recorded=True, decision=self._recorded(entry), verdict_id=entry[0]
            ),
            seen=seen,
            ground=ground,
            exhibit=exhibit,
        )

    def ask_for_review(
        self,
        decision_id: UUID | str,
        reason: str,
        *,
        request_id: str | None = None,
        seen: str | None = None,
    ) -> AskForReviewResult:
        """Flag an active decision because somebody should look again. See `operations.ask_for_review`."""
        arguments = {"id": str(decision_id), "reason": reason}
        return ask_for_review(
            self._store,
            self._call("ask_for_review", arguments, request_id),
            str(decision_id),
            reason,
            lambda entry: AskForReviewResult(
                recorded=True,
                decision=self._recorded(entry),
                verdict_id=entry[0],
                **_flags(entry, 1),
            ),
            seen=seen,
        )

    def withdraw_verdict(
        self, verdict_id: str, explanation: str, *, request_id: str | None = None
    ) -> WithdrawVerdictResult:
        """Take a verdict back, unless something was built on it. See `operations.withdraw_verdict`."""
        arguments = {"verdict_id": verdict_id, "explanation": explanation}
        return withdraw_verdict(
            self._store,
            self._call("withdraw_verdict", arguments, request_id),
            verdict_id,
            explanation,
            self._withdrawn,
        )

    def plan_withdrawal(self, verdict_id: str) -> WithdrawVerdictResult:
        """What `withdraw_verdict` would do, or why it would not. Nothing is written."""
        call = self._call("withdraw_verdict", {"verdict_id": verdict_id, "explanation": "-"}, None)
        return plan_withdrawal(self._store, call, verdict_id)

    def _withdrawn(self, entry: Row) -> WithdrawVerdictResult:
        """The result of an earlier try: whom it touched is told by how they stand now."""
        return WithdrawVerdictResult(
            recorded=True,
            decision=self._recorded(entry),
            verdict_id=entry[0],
            arrived=entry[4] or [],
        )

    def list_verdicts(
        self,
        agent_id: str | None = None,
        since: datetime | None = None,
        *,
        decision_id: UUID | str | None = None,
        task_id: UUID | str | None = None,
        by: str | None = None,
        kind: VerdictKind | str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> VerdictPage:
        """What became of decisions, newest first: those of `agent_id`, or of everybody.

        Holds what was judged through this library; a verdict that the reference library
        gave stands on its decision alone.
        """
        return verdicts.list_verdicts(
            self._store,
            self._project_id,
            agent_id=agent_id,
            since=since,
            decision_id=decision_id,
            task_id=task_id,
            by=by,
            kind=kind,
            cursor=cursor,
            limit=limit,
        )

    def get_verdict(self, verdict_id: str) -> VerdictRecord | None:
        """One verdict of the project, or None."""
        return verdicts.get_verdict(self._store, self._project_id, verdict_id)

    def continue_decision_review(self, *, limit: int = 100) -> int:
        """Expand at most `limit` (0 to 100) queued decisions by one hop each; returns how many."""
        call = self._call("continue_decision_review", {}, None)
        return continue_decision_review(self._store, call, limit)

    def get_decision(self, decision_id: UUID | str) -> DecisionLookup:
        """A decision of this project with its current supports."""
        return decisions.get_decision(self._store, self._project_id, decision_id)

    def list_decisions_for_review(
        self, task_name: str | None = None, *, limit: int = 20, cursor: str | None = None
    ) -> DecisionReviewList:
        """Active decisions that need review, newest first, `limit` (1 to 100) at a time."""
        return decisions.list_decisions_for_review(
            self._store, self._project_id, task_name, limit=limit, cursor=cursor
        )

    def list_moments(
        self,
        task_id: UUID | str,
        after: datetime | None,
        until: datetime | None,
        *,
        also: Sequence[UUID] = (),
        limit: int = 200,
    ) -> Moments:
        """A task's decisions and verdicts after `after` up to `until`, oldest first, for its log.

        At most `limit` (1 to 200) of each. `also` names decisions whose texts are wanted.
        """
        return moments.list_moments(
            self._store, self._project_id, task_id, after, until, also=also, limit=limit
        )

    def list_dependents(self, decision_id: UUID | str, *, limit: int = 100) -> DependentPage:
        """Active decisions that cite this one, directly or through others, nearest first."""
        return decisions.list_dependents(self._store, self._project_id, decision_id, limit=limit)

    def list_decisions(
        self,
        task_name: str,
        include_history: bool = True,  # noqa: FBT001, FBT002 - the library's signature
        limit: int = 20,
        *,
        cursor: str | None = None,
    ) -> DecisionPageLookup:
        """A task's decisions, newest first, `limit` (1 to 100) at a time."""
        return browsing.list_decisions(
            self._store,
            self._project_id,
            task_name,
            include_history=include_history,
            limit=limit,
            cursor=cursor,
        )

    def browse_decisions(
        self,
        *,
        words: str = "",
        choice_key: str = "",
        author: str = "",
        status: str = "",
        review_state: str = "",
        task_name: str = "",
        cursor: str | None = None,
        limit: int = 50,
    ) -> DecisionPage:
        """The project's decisions that are all that is asked. See `queries.browsing`."""
        return browsing.browse_decisions(
            self._store,
            self._project_id,
            words=words,
            choice_key=choice_key,
            author=author,
            status=status,
            review_state=review_state,
            task_name=task_name,
            cursor=cursor,
            limit=limit,
        )

    def search_decisions(
        self, query: str, *, task_name: str | None = None, limit: int = 20
    ) -> list[DecisionHit]:
        """Active decisions that have the words, best first, at most `limit` (1 to 100)."""
        return browsing.search_decisions(
            self._store, self._project_id, query, task_name=task_name, limit=limit
        )

    def list_support_history(
        self, decision_id: UUID | str, *, after_ordinal: int = -1, limit: int = 20
    ) -> SupportHistoryPage:
        """A decision's supports by ordinal, archived ones included, `limit` (1 to 100) at a time."""
        return browsing.list_support_history(
            self._store, self._project_id, decision_id, after_ordinal=after_ordinal, limit=limit
        )

    def list_conflicts(self, *, cursor: str | None = None, limit: int = 50) -> ConflictList:
        """Choices that active decisions of different tasks decided differently, by key.

        At most `limit` (1 to 50) groups of 50 decisions. See `queries.conflicts`.
        """
        return conflicts.list_conflicts(self._store, self._project_id, cursor=cursor, limit=limit)

    def get_conflict(self, choice_key: str) -> ConflictGroup | None:
        """The active decisions of a choice, at most 200, in conflict or not; None when unknown."""
        return conflicts.get_conflict(self._store, self._project_id, choice_key)

    def count_conflicts(self) -> int:
        """How many choices are counted as conflicts, at most 1,000."""
        return conflicts.count_conflicts(self._store, self._project_id)

    def get_lineage(self, decision_id: UUID | str, *, limit: int = 60) -> Lineage | None:
        """What a decision rests on and what rests on it, at most `limit` (1 to 60) nodes."""
        return lineage.get_lineage(self._store, self._project_id, decision_id, limit=limit)

    def _call(
        self,
        action: str,
        arguments: dict[str, Any],
        request_id: str | None,
        cited: dict[str, Any] | None = None,
    ) -> Call:
        return Call(action, self._project_id, self._actor, arguments, request_id, cited)

    def _recorded(self, entry: Row) -> Decision | None:
        """The decision that an earlier try of this call wrote, whose answer was lost."""
        return decisions.get_decision(
            self._store, self._project_id, entry[1][0], leader=True
        ).decision


def _flags(entry: Row, judged: int) -> dict[str, Any]:
    """What a ledger entry says was flagged: all its decisions after those that were written or judged."""
    return {"flagged": entry[1][judged:], "arrived": entry[4] or []}
