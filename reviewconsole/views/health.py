"""Whether the console can work: for supervisors and load balancers."""

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.faults import StoreFault
from graphstore.review_feed import list_projects
from reviewconsole.stores import store


@login_not_required
@require_safe
def show_health(_request: HttpRequest) -> HttpResponse:
    """`ok`, or 503 with a line for each part that is down. Says nothing else to strangers."""
    down = [line for line in (_database(), _graph()) if line]
    return HttpResponse(
        "\n".join(down) or "ok", status=503 if down else 200, content_type="text/plain"
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "database: does not answer"
    return ""


def _graph() -> str:
    try:
        list_projects(store())
    except StoreFault:
        return "graph: does not answer"
    return ""
