"""Asking for review of a decision that nothing flagged."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from graphstore.desk import Desk, open_desk
from graphstore.records import DecisionStatus
from graphstore.results import AskForReviewResult
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import ask_url, decision_url, task_url, withdraw_url
from reviewconsole.desk_page import impact_of
from reviewconsole.drafts import drop_draft, keep_draft, kept_draft, typed_in, why_id
from reviewconsole.filters import read_filters
from reviewconsole.last_verdict import note_last_verdict
from reviewconsole.note_form import NoteForm, fresh_note, note_again
from reviewconsole.pages import go, page, whole_page
from reviewconsole.refused import refusal
from reviewconsole.verdicts import level_index


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, project: str, decision_id: UUID) -> HttpResponse:
    """What asking would do, and a field for the reason; a post asks."""
    scope = enter(request, project, Role.REVIEWER)
    if request.method == "POST":
        return _ask(request, scope, decision_id)
    desk = _desk(scope, decision_id)
    draft = kept_draft(scope.user, project, why_id("ask", decision_id))
    typed = draft.typed.get("explanation", [""])[0] if draft else ""
    return page(request, "ask.html", _context(request, scope, desk, fresh_note(desk.seen, typed)))


def _ask(request: HttpRequest, scope: Scope, decision_id: UUID) -> HttpResponse:
    form = NoteForm(request.POST)
    if not form.is_valid():
        desk = _desk(scope, decision_id)
        return page(request, "ask.html", _context(request, scope, desk, form), status=422)
    result = scope.traces.ask_for_review(
        str(decision_id),
        form.why,
        request_id=form.cleaned_data["request_id"],
        seen=form.cleaned_data["seen"] or None,
    )
    if result.error is not None:
        return _refused(request, scope, decision_id, result)
    drop_draft(scope.user, scope.project_id, why_id("ask", decision_id))
    level_index(scope)
    note_last_verdict(request, scope.project_id, result.verdict_id)
    messages.success(request, _done_words(scope, result))
    return go(request, decision_url(scope.project_id, decision_id, **read_filters(request).query()))


def _refused(
    request: HttpRequest, scope: Scope, decision_id: UUID, result: AskForReviewResult
) -> HttpResponse:
    """The page as things stand now, with what was typed and what stood in the way."""
    keep_draft(scope.user, scope.project_id, why_id("ask", decision_id), typed_in(request.POST))
    desk = _desk(scope, decision_id)
    shown = refusal(result)
    form = note_again(request.POST, desk.seen)
    context = _context(request, scope, desk, form) | {"refusal": shown}
    return whole_page(request, "ask.html", context, status=shown["status"])


def _desk(scope: Scope, decision_id: UUID) -> Desk:
    desk = open_desk(scope.store, scope.project_id, str(decision_id))
    if desk is None:
        raise Http404
    return desk


def _context(request: HttpRequest, scope: Scope, desk: Desk, form: NoteForm) -> dict[str, Any]:
    project, decision, query = scope.project_id, desk.decision, read_filters(request).query()
    typed = str(form["explanation"].value() or "")
    return {
        "decision": decision,
        "decision_url": decision_url(project, decision.id, **query),
        "task_url": task_url(project, decision.task_name),
        "active": decision.status == DecisionStatus.ACTIVE,
        "impact": impact_of(desk),
        "form": form,
        "post_url": ask_url(project, decision.id, **query),
        "refusal": None,
        "typed": [{"label": _("Why"), "text": typed}] if typed.strip() else [],
    }


def _done_words(scope: Scope, result: AskForReviewResult) -> str:
    flagged = len({*result.flagged, *result.arrived})
    told = _("Asked for review. It waits in the queue now.")
    if flagged:
        told = ngettext(
            "Asked for review. It waits in the queue now, and so does %(count)s decision that "
            "rests on it.",
            "Asked for review. It waits in the queue now, and so do %(count)s decisions that "
            "rest on it.",
            flagged,
        ) % {"count": f"{flagged:,}"}
    if result.verdict_id is None:
        return told
    undo = withdraw_url(scope.project_id, result.verdict_id)
    return format_html('{} <a href="{}" data-undo>{}</a>', told, undo, _("Undo"))
