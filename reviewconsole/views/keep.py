"""Keeping one side of a conflict: first the plan, then one button that carries it out."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from graphstore.desk import Desk
from graphstore.records import Ground
from graphstore.refusals import WriteErrorCode
from graphstore.results import RejectDecisionResult
from reviewconsole import problems
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import conflict_url, conflicts_url, decision_url, keep_url, task_url
from reviewconsole.drafts import drop_draft, keep_draft, kept_draft, typed_in, why_id
from reviewconsole.pages import go, page, whole_page
from reviewconsole.settling import (
    KeepForm,
    Outcome,
    Plan,
    fresh_form,
    plan_of,
    read_plan,
    settle,
    still_kept,
)


@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, project: str, choice_key: str, decision_id: UUID) -> HttpResponse:
    """The plan for keeping the side with this decision; a post carries out what was shown."""
    scope = enter(request, project, Role.MANAGER)
    if request.method != "POST":
        return _show(request, scope, choice_key, decision_id)
    keep_draft(scope.user, project, why_id("keep", decision_id), typed_in(request.POST))
    signed = read_plan(choice_key, request.POST.get("plan", ""))
    if signed is None or not still_kept(scope, choice_key, signed):
        return _again(request, scope, choice_key, decision_id, refusal=_out_of_date())
    form = KeepForm(request.POST)
    if not form.is_valid():
        return _again(request, scope, choice_key, decision_id)
    outcomes = settle(
        scope,
        signed,
        why=form.cleaned_data["explanation"],
        ground=Ground(form.cleaned_data["ground"]),
        request_id=form.cleaned_data["request_id"],
    )
    if refused := next((o.result for o in outcomes if o.result and o.result.error), None):
        refusal = _stopped(scope, outcomes, refused)
        return _again(request, scope, choice_key, decision_id, refusal=refusal)
    drop_draft(scope.user, project, why_id("keep", decision_id))
    messages.success(request, _done_words(scope, outcomes))
    return go(request, conflict_url(project, choice_key))


def _show(request: HttpRequest, scope: Scope, choice_key: str, decision_id: UUID) -> HttpResponse:
    plan = plan_of(scope, choice_key, decision_id)
    if plan.kept is None and not scope.traces.get_decision(decision_id).found:
        raise Http404
    draft = kept_draft(scope.user, scope.project_id, why_id("keep", decision_id))
    typed = {name: values[0] for name, values in (draft.typed if draft else {}).items()}
    context = _context(scope, plan, decision_id, fresh_form(plan, typed))
    return page(request, "keep.html", context | {"draft_saved_at": draft and draft.saved_at})


def _again(
    request: HttpRequest,
    scope: Scope,
    choice_key: str,
    decision_id: UUID,
    *,
    refusal: dict[str, Any] | None = None,
) -> HttpResponse:
    """The plan as things stand now, with what was typed and what stood in the way."""
    plan = plan_of(scope, choice_key, decision_id)
    typed = {name: request.POST.get(name, "") for name in ("explanation", "ground")}
    form = fresh_form(plan, typed, sent=refusal is None)
    context = _context(scope, plan, decision_id, form) | {"refusal": refusal}
    return whole_page(request, "keep.html", context, status=refusal["status"] if refusal else 422)


def _context(scope: Scope, plan: Plan, decision_id: UUID, form: KeepForm) -> dict[str, Any]:
    project = scope.project_id
    kept = {one.id for one in plan.kept.decisions} if plan.kept else set[UUID]()
    typed = str(form["explanation"].value() or "")
    return {
        "key": plan.choice_key,
        "conflicts_url": conflicts_url(project),
        "board_url": conflict_url(project, plan.choice_key),
        "post_url": keep_url(project, plan.choice_key, decision_id),
        "kept": plan.kept,
        "kept_url": decision_url(project, plan.kept.first.id) if plan.kept else None,
        "losing": [_losing(project, desk, kept) for desk in plan.losing],
        "more": plan.more,
        "form": form,
        "refusal": None,
        "typed": [{"label": gettext("Why"), "text": typed}] if typed.strip() else [],
    }


def _losing(project: str, desk: Desk, kept: set[UUID]) -> dict[str, Any]:
    """One decision that would be rejected, and who would be flagged through it."""
    shown, depths = desk.dependents, desk.dependents.depths
    return {
        "desk": desk,
        "decision": desk.decision,
        "url": decision_url(project, desk.decision.id),
        "task_url": task_url(project, desk.decision.task_name),
        "total": len(shown.decisions),
        "total_capped": shown.truncated,
        "tasks": len({one.task_id for one in shown.decisions}),
        "own": sum(one.id in kept for one in shown.decisions),
        "dependents": [
            {
                "decision": one,
                "url": decision_url(project, one.id),
                "depth": depths.get(str(one.id), 1),
                "kept": one.id in kept,
            }
            for one in shown.decisions
        ],
    }


def _out_of_date() -> dict[str, Any]:
    problem = problems.REFUSALS[WriteErrorCode.MOVED]
    return {
        "status": problem.status,
        "sentence": gettext(
            "Something changed after you opened this page, so nothing was rejected."
        ),
        "what_to_do": gettext(problem.what_to_do),
        "outcomes": [],
    }


def _stopped(
    scope: Scope, outcomes: Sequence[Outcome], refused: RejectDecisionResult
) -> dict[str, Any]:
    """What became of each: rejected, refused with the reason, or left as it was."""
    project = scope.project_id
    problem = problems.of_refusal(refused)
    done = sum(one.rejected for one in outcomes)
    left = len(outcomes) - done - 1
    named = _conclusions(scope, outcomes)
    sentence = gettext("It stopped at the first decision, so nothing was rejected.")
    if done:
        sentence = ngettext(
            "%(count)s decision was rejected, then it stopped.",
            "%(count)s decisions were rejected, then it stopped.",
            done,
        ) % {"count": done}
    if left:
        others = ngettext(
            "%(count)s other was left as it was.", "%(count)s others were left as they were.", left
        )
        sentence = f"{sentence} {others % {'count': left}}"
    return {
        "status": problem.status,
        "sentence": sentence,
        "what_to_do": gettext("Below is what is left to do as things stand now."),
        "outcomes": [
            {
                "conclusion": named.get(one.decision_id) or gettext("A decision that is gone"),
                "url": decision_url(project, one.decision_id),
                "state": _state_of(one),
                "words": f"{gettext(problem.sentence)} {' '.join(problems.details(refused))}".strip()
                if one.result is refused
                else "",
            }
            for one in outcomes
        ],
    }


def _state_of(outcome: Outcome) -> str:
    if outcome.result is None:
        return "left"
    return "rejected" if outcome.rejected else "refused"


def _conclusions(scope: Scope, outcomes: Sequence[Outcome]) -> dict[UUID, str]:
    found = [scope.traces.get_decision(one.decision_id).decision for one in outcomes]
    return {one.id: one.conclusion for one in found if one is not None}


def _done_words(scope: Scope, outcomes: Sequence[Outcome]) -> str:
    """What was rejected, each with a link and with how many were flagged through it.

    Without their conclusions: the session keeps this, where erasure does not reach.
    """
    results = [one.result for one in outcomes if one.result is not None]
    each = format_html_join(
        "; ",
        '<a href="{}">{}</a> ({})',
        (
            (
                decision_url(scope.project_id, result.decision.id),
                gettext("decision %(number)s") % {"number": place},
                _flagged_words(result),
            )
            for place, result in enumerate(results, start=1)
            if result.decision is not None
        ),
    )
    told = ngettext(
        "Settled. %(count)s decision rejected:",
        "Settled. %(count)s decisions rejected:",
        len(results),
    ) % {"count": len(results)}
    return format_html("{} {}.", told, each)


def _flagged_words(result: RejectDecisionResult) -> str:
    flagged = len({*result.flagged, *result.arrived})
    if not flagged:
        return gettext("nothing was flagged through it")
    return ngettext(
        "%(count)s decision flagged through it", "%(count)s decisions flagged through it", flagged
    ) % {"count": f"{flagged:,}"}
