"""Erasing: what it would do, a name typed to confirm, and the one operation. For admins."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from graphstore.erasures import DeletionPlan, RedactionPlan, receipt_id
from graphstore.results import RetentionResult
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import (
    delete_task_url,
    event_url,
    receipt_url,
    redact_event_url,
    task_url,
)
from reviewconsole.erasing import ConfirmForm, follow_up, fresh
from reviewconsole.erasure_page import counted, flag_lines, quote_lines
from reviewconsole.pages import go, page
from reviewconsole.refused import refusal

KEEP = "keep"


@require_http_methods(["GET", "HEAD", "POST"])
def delete_task(request: HttpRequest, project: str, task_name: str) -> HttpResponse:
    """Delete a task with its log, with its decisions or (`?decisions=keep`) without."""
    scope = enter(request, project, Role.ADMIN)
    whole = request.GET.get("decisions") != KEEP
    form = ConfirmForm(request.POST, expected=task_name) if request.method == "POST" else None
    if form is None or not form.is_valid():
        return _deletion_page(request, scope, task_name, whole=whole, form=form)
    sent = form.cleaned_data["request_id"]
    result = scope.retention.delete_task(
        task_name, whole, request_id=sent, seen=form.cleaned_data["seen"] or None
    )
    if result.error is not None:
        return _deletion_page(request, scope, task_name, whole=whole, refused=result)
    follow_up(scope, result)
    return go(request, receipt_url(project, receipt_id(project, sent)))


def _deletion_page(
    request: HttpRequest,
    scope: Scope,
    task_name: str,
    *,
    whole: bool,
    form: ConfirmForm | None = None,
    refused: RetentionResult | None = None,
) -> HttpResponse:
    plan = scope.retention.plan_deletion(task_name, whole)
    if plan.error is not None and refused is None:
        raise Http404
    context = {
        **_common(request, scope, plan, task_name, form, refused),
        "task_name": task_name,
        "task_url": task_url(scope.project_id, task_name),
        "post_url": delete_task_url(scope.project_id, task_name, **_kept(whole)),
        "choices": [
            (delete_task_url(scope.project_id, task_name, **_kept(True)), whole),
            (delete_task_url(scope.project_id, task_name, **_kept(False)), not whole),
        ],
        "going": [line["decision"] for line in flag_lines(scope, plan.going)],
        "counts": counted(plan.erased),
    }
    return page(request, "task_delete.html", context, status=_status(context, form))


def _kept(whole: bool) -> dict[str, str | None]:  # noqa: FBT001 - the one thing it is about
    return {"decisions": None if whole else KEEP}


@require_http_methods(["GET", "HEAD", "POST"])
def redact_event(request: HttpRequest, project: str, task_name: str, seq: int) -> HttpResponse:
    """Replace an event's text by a marker, everywhere."""
    scope = enter(request, project, Role.ADMIN)
    event = scope.history.fetch_event(task_name, seq).event
    if event is None:
        raise Http404
    expected = f"{task_name}/{seq}"
    form = ConfirmForm(request.POST, expected=expected) if request.method == "POST" else None
    refused = None
    if form is not None and form.is_valid():
        sent = form.cleaned_data["request_id"]
        result = scope.retention.redact_event(
            event.id, request_id=sent, seen=form.cleaned_data["seen"] or None
        )
        if result.error is None:
            follow_up(scope, result, "" if event.redacted_at else event.payload)
            return go(request, receipt_url(project, receipt_id(project, sent)))
        form, refused = None, result
    plan = scope.retention.plan_redaction(event.id)
    context = {
        **_common(request, scope, plan, expected, form, refused),
        "event": event,
        "task_name": task_name,
        "event_url": event_url(project, task_name, seq),
        "post_url": redact_event_url(project, task_name, seq),
    }
    return page(request, "event_redact.html", context, status=_status(context, form))


def _common(
    request: HttpRequest,
    scope: Scope,
    plan: DeletionPlan | RedactionPlan,
    expected: str,
    form: ConfirmForm | None,
    refused: RetentionResult | None,
) -> dict[str, Any]:
    """What both pages show of a plan, with a form for it; one that was sent wrong stays."""
    typed = request.POST.get("name", "")
    return {
        "plan": plan,
        "expected": expected,
        "flags": flag_lines(scope, plan.flagged),
        "quotes": quote_lines(scope, plan.quotes),
        "form": form if form is not None else fresh(expected, plan.seen, typed),
        "refusal": refusal(refused) if refused is not None else None,
    }


def _status(context: dict[str, Any], form: ConfirmForm | None) -> int:
    if context["refusal"]:
        return context["refusal"]["status"]
    return 422 if form is not None else 200
