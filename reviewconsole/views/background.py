"""What works in the background of a project. For managers and admins."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.review_feed import outbox
from reviewconsole.access import Role, enter
from reviewconsole.addresses import retention_url
from reviewconsole.background_page import (
    job_line,
    last_sweep,
    left_over,
    mended_days,
    queue_failures,
)
from reviewconsole.pages import page


@require_safe
def show_jobs(request: HttpRequest, project: str) -> HttpResponse:
    """Open jobs, the outbox, what the sweep mended, and what failed; two reads of the graph."""
    scope = enter(request, project, Role.MANAGER)
    context = {
        "jobs": [job_line(job) for job in scope.retention.list_jobs()],
        "retention_url": retention_url(project) if scope.may(Role.ADMIN) else None,
        "outbox": outbox(scope.store, project),
        "sweep": last_sweep(project),
        "days": mended_days(project),
        "left": left_over(project),
        "failures": queue_failures(project),
    }
    return page(request, "jobs.html", context)
