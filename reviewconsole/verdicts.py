"""From a valid verdict form to the one operation that it asks for, and what follows it."""

import logging
from uuid import UUID

from graphstore.faults import StoreFault
from graphstore.records import Exhibit
from graphstore.results import ReaffirmDecisionResult, RecordDecisionResult, RejectDecisionResult
from reviewconsole.access import Scope
from reviewconsole.claims import judging
from reviewconsole.context import note_conflicts
from reviewconsole.drafts import drop_draft
from reviewconsole.flow import note_verdict, wake
from reviewconsole.forms import VerdictForm
from reviewconsole.jobs import catch_up_later
from reviewconsole.offers import WHOLE
from reviewconsole.review_index import catch_up

__all__ = ["VerdictResult", "follow_up", "give", "level_index"]

logger = logging.getLogger(__name__)

VerdictResult = ReaffirmDecisionResult | RecordDecisionResult | RejectDecisionResult


def give(
    scope: Scope, decision_id: UUID, form: VerdictForm, exhibit: Exhibit | None = None
) -> VerdictResult:
    """Submit the verdict. The evidence is fetched here, never taken from the form.

    Raises `Claimed` when somebody else holds the decision.
    """
    with judging(scope.user, scope.project_id, decision_id) as judgement:
        result = _given(scope, decision_id, form, exhibit)
        judgement.settle(result)
    return result


def _given(
    scope: Scope, decision_id: UUID, form: VerdictForm, exhibit: Exhibit | None
) -> VerdictResult:
    match form.verdict_chosen:
        case "reaffirm":
            return _reaffirm(scope, decision_id, form, exhibit)
        case "supersede":
            return _supersede(scope, decision_id, form, exhibit)
        case _:
            return scope.traces.reject_decision(
                str(decision_id),
                form.cleaned_data["explanation"],
                request_id=form.cleaned_data["request_id"],
                seen=form.cleaned_data["seen"],
                ground=form.ground_chosen,
                exhibit=exhibit,
            )


def _reaffirm(
    scope: Scope, decision_id: UUID, form: VerdictForm, exhibit: Exhibit | None
) -> ReaffirmDecisionResult:
    evidence = form.evidence
    ids = [support.evidence_id for support in evidence]
    fetched = scope.documents.fetch_evidence(ids, max_chars=WHOLE) if ids else []
    why = form.cleaned_data["explanation"]
    return scope.traces.reaffirm_decision(
        str(decision_id),
        evidence,
        fetched_evidence=fetched,
        request_id=form.cleaned_data["request_id"],
        seen=form.cleaned_data["seen"],
        ground=form.ground_chosen,
        exhibit=exhibit,
        **({"explanation": why} if why else {}),
    )


def _supersede(
    scope: Scope, decision_id: UUID, form: VerdictForm, exhibit: Exhibit | None
) -> RecordDecisionResult:
    supports = form.kept_supports
    ids = form.kept_evidence_ids
    fetched = scope.documents.fetch_evidence(ids, max_chars=WHOLE) if ids else []
    return scope.traces.supersede_decision(
        str(decision_id),
        form.cleaned_data["conclusion"],
        form.cleaned_data["rationale"],
        explanation=form.cleaned_data["explanation"],
        supports=supports,
        fetched_evidence=fetched,
        assumptions=form.lines("assumptions"),
        open_questions=form.lines("open_questions"),
        request_id=form.cleaned_data["request_id"],
        seen=form.cleaned_data["seen"],
        ground=form.ground_chosen,
        exhibit=exhibit,
    )


def follow_up(scope: Scope, decision_id: UUID) -> None:
    """Bring the console's own rows level with a verdict that is in the graph.

    Nothing here may undo or hide that verdict: when the graph stops answering now,
    a worker or the next queue page does the rest.
    """
    drop_draft(scope.user, scope.project_id, decision_id)
    note_verdict(scope.user, scope.project_id)
    wake(scope.project_id, decision_id)
    level_index(scope)


def level_index(scope: Scope) -> None:
    """Have index and frame follow what was just written, now or a little later."""
    note_conflicts(scope, None)
    try:
        level = catch_up(scope.store, scope.project_id, closing=False)
    except StoreFault as fault:
        logger.warning("the index follows later: %s", type(fault).__name__)
        level = False
    if not level:
        catch_up_later(scope.project_id)
