"""What was erased: the list, each receipt at its own address, and jobs that still go on."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from graphstore.erasures import JobResult, Receipt
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import receipt_url, retention_url
from reviewconsole.erasure_page import flag_lines, job_of, receipt_of
from reviewconsole.jobs import run_jobs
from reviewconsole.pages import go, page
from reviewconsole.refused import refusal
from reviewconsole.said import Said

DONE = Said(
    {
        "pause": gettext_noop("The deletion is paused."),
        "resume": gettext_noop("The deletion goes on."),
        "cancel": gettext_noop("The deletion is called off; the task is there as it was."),
    }
)


@require_safe
def show_retention(request: HttpRequest, project: str) -> HttpResponse:
    """Jobs that go on, and what was erased so far, newest first."""
    scope = enter(request, project, Role.ADMIN)
    cursor = request.GET.get("after") or None
    try:
        shown = scope.retention.list_receipts(cursor=cursor)
    except ValueError:
        raise Http404 from None
    jobs = [one for one in scope.retention.list_jobs() if one.kind == "delete_task"]
    context = {
        "jobs": [
            {**job_of(job), "url": receipt_url(project, job.entry_id)}
            for job in jobs
            if job.entry_id
        ],
        "receipts": [receipt_of(scope, receipt) for receipt in shown.receipts],
        "next_url": retention_url(project, after=shown.next_cursor) if shown.next_cursor else None,
        "first_url": retention_url(project) if cursor else None,
    }
    return page(request, "retention.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def receipt(request: HttpRequest, project: str, entry_id: UUID) -> HttpResponse:
    """One erasure; a post holds its job, lets it go on, or calls it off."""
    scope = enter(request, project, Role.ADMIN)
    found = scope.retention.get_receipt(entry_id)
    if found is None:
        raise Http404
    result = None
    if request.method == "POST":
        result = _control(scope, found, request.POST.get("then", ""))
        if result.error is None:
            messages.success(request, DONE[request.POST["then"]])
            run_jobs(project)
            return go(request, receipt_url(project, entry_id))
        found = scope.retention.get_receipt(entry_id) or found
    return _receipt_page(request, scope, found, result)


def _control(scope: Scope, found: Receipt, then: str) -> JobResult:
    if found.job is None or then not in DONE:
        raise Http404
    retention, job_id = scope.retention, found.job.id
    act = {
        "pause": retention.pause_job,
        "resume": retention.resume_job,
        "cancel": retention.cancel_job,
    }
    return act[then](job_id)


def _receipt_page(
    request: HttpRequest, scope: Scope, found: Receipt, result: JobResult | None
) -> HttpResponse:
    shown = receipt_of(scope, found)
    refused = refusal(result) if result is not None else None
    flagged = scope.retention.flagged_by(found)
    context: dict[str, Any] = {
        "item": shown,
        "flags": flag_lines(scope, flagged),
        "flagged_count": found.job.flagged_count if found.job else len(found.flagged),
        "retention_url": retention_url(scope.project_id),
        "here": receipt_url(scope.project_id, found.entry_id),
        "moves": shown["log_waits"] or bool(shown["job"] and shown["job"]["moves"]),
        "refusal": refused,
    }
    status = refused["status"] if refused else 200
    return page(request, "receipt.html", context, fragment="progress", status=status)
