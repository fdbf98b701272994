"""Taking a verdict back: what it would do, why, and what stands in the way."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.http import require_http_methods

from graphstore.records import ReviewState, VerdictKind, VerdictRecord
from graphstore.results import WithdrawVerdictResult
from reviewconsole import problems
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import ask_url, decision_url, verdict_url, withdraw_url
from reviewconsole.drafts import drop_draft, keep_draft, kept_draft, typed_in, why_id
from reviewconsole.last_verdict import forget_verdict
from reviewconsole.note_form import NoteForm, fresh_note, note_again
from reviewconsole.pages import go, page, whole_page
from reviewconsole.refused import refusal
from reviewconsole.said import Said
from reviewconsole.verdict_words import may_withdraw, row_of
from reviewconsole.verdicts import level_index

_BUILT = Said(
    {
        "judged": gettext_noop("was judged since"),
        "recorded": gettext_noop("was recorded on it since"),
        "flagged": gettext_noop("was flagged again since"),
    }
)


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, project: str, verdict_id: UUID) -> HttpResponse:
    """What taking it back would do, and a field for the reason; a post takes it back.

    Reviewers take back what they gave themselves, managers also what others gave.
    """
    scope = enter(request, project, Role.REVIEWER)
    verdict = scope.traces.get_verdict(str(verdict_id))
    if verdict is None:
        raise Http404
    if not may_withdraw(scope, verdict):
        raise PermissionDenied
    if request.method == "POST":
        return _withdraw(request, scope, verdict)
    draft = kept_draft(scope.user, project, why_id("withdraw", verdict_id))
    typed = draft.typed.get("explanation", [""])[0] if draft else ""
    return page(
        request, "withdraw.html", _context(scope, verdict, fresh_note(typed=typed, at_once=True))
    )


def _withdraw(request: HttpRequest, scope: Scope, verdict: VerdictRecord) -> HttpResponse:
    form = NoteForm(request.POST)
    if not form.is_valid():
        return page(request, "withdraw.html", _context(scope, verdict, form), status=422)
    result = scope.traces.withdraw_verdict(
        verdict.id, form.why, request_id=form.cleaned_data["request_id"]
    )
    if result.error is not None:
        return _refused(request, scope, verdict, result)
    drop_draft(scope.user, scope.project_id, why_id("withdraw", UUID(verdict.id)))
    forget_verdict(request, verdict.id)
    level_index(scope)
    messages.success(request, _done_words(scope, verdict, result))
    return go(request, decision_url(scope.project_id, verdict.decision_id))


def _refused(
    request: HttpRequest, scope: Scope, verdict: VerdictRecord, result: WithdrawVerdictResult
) -> HttpResponse:
    """The page as things stand now, with what was typed and what stood in the way."""
    key = why_id("withdraw", UUID(verdict.id))
    keep_draft(scope.user, scope.project_id, key, typed_in(request.POST))
    again = scope.traces.get_verdict(verdict.id) or verdict
    shown = refusal(result)
    context = _context(scope, again, note_again(request.POST)) | {"refusal": shown}
    if not context["open"]:
        forget_verdict(request, verdict.id)
    return whole_page(request, "withdraw.html", context, status=shown["status"])


def _context(scope: Scope, verdict: VerdictRecord, form: NoteForm) -> dict[str, Any]:
    """The page with what would happen now: one read."""
    project = scope.project_id
    plan = scope.traces.plan_withdrawal(verdict.id)
    typed = str(form["explanation"].value() or "")
    return {
        "verdict": row_of(scope, verdict),
        "open": plan.error is None,
        "closed_words": _closed_words(verdict, plan),
        "what_it_does": _what_it_does(verdict, plan),
        "lifted": len(plan.lifted),
        "kept": len(plan.kept),
        "built": [
            {
                "label": one.label,
                "words": _BUILT[one.what],
                "url": decision_url(project, one.decision_id),
            }
            for one in plan.built
        ],
        "ask_url": _ask_instead(project, verdict) if plan.built else None,
        "form": form,
        "post_url": withdraw_url(project, verdict.id),
        "verdict_url": verdict_url(project, verdict.id),
        "decision_url": decision_url(project, verdict.decision_id),
        "refusal": None,
        "typed": [{"label": gettext("Why"), "text": typed}] if typed.strip() else [],
    }


def _closed_words(verdict: VerdictRecord, plan: WithdrawVerdictResult) -> str:
    if plan.error is None:
        return ""
    if verdict.kind == VerdictKind.WITHDRAW:
        return gettext(
            "This took a verdict back. It cannot be taken back itself; judge the decision again."
        )
    if verdict.withdrawn_at is not None:
        return gettext("It was taken back already.")
    return gettext(problems.of_refusal(plan).sentence)


def _what_it_does(verdict: VerdictRecord, plan: WithdrawVerdictResult) -> list[str]:
    """What becomes of the decision, and of a revision that replaced it."""
    after = plan.decision
    waits = after is not None and after.review_state == ReviewState.NEEDS_REVIEW
    match verdict.kind:
        case VerdictKind.REAFFIRM:
            again = gettext(
                "The decision waits for review again, on the evidence that it cited before."
            )
            stays = gettext("The decision stays as it is, on the evidence that it cited before.")
            return [again if waits else stays]
        case VerdictKind.REJECT:
            flagged = gettext("The decision is active again, and waits for review.")
            return [flagged if waits else gettext("The decision is active again, and clear.")]
        case VerdictKind.SUPERSEDE:
            active = (
                gettext("Revision %(number)s is active again, and waits for review.")
                if waits
                else gettext("Revision %(number)s is active again, and clear.")
            )
            return [
                active % {"number": verdict.revision},
                gettext("The revision that replaced it is rejected; its record stays."),
            ]
        case _:
            keeps = gettext("The decision keeps waiting, for another cause.")
            return [keeps if waits else gettext("The decision no longer waits.")]


def _ask_instead(project: str, verdict: VerdictRecord) -> str | None:
    """Where somebody asks for review of what stands now; a rejected decision does not stand."""
    if verdict.kind == VerdictKind.REJECT:
        return None
    return ask_url(project, verdict.new_decision_id or verdict.decision_id)


def _done_words(scope: Scope, verdict: VerdictRecord, result: WithdrawVerdictResult) -> str:
    told = [gettext("Verdict taken back.")]
    if lifted := len(result.lifted):
        clear = ngettext(
            "%(count)s decision that it had flagged is clear again.",
            "%(count)s decisions that it had flagged are clear again.",
            lifted,
        )
        told.append(clear % {"count": f"{lifted:,}"})
    if kept := len(result.kept):
        stay = ngettext(
            "%(count)s decision stays flagged for another cause.",
            "%(count)s decisions stay flagged for another cause.",
            kept,
        )
        told.append(stay % {"count": f"{kept:,}"})
    return format_html(
        '{} <a href="{}">{}</a>',
        " ".join(told),
        verdict_url(scope.project_id, verdict.id),
        gettext("What was taken back"),
    )
