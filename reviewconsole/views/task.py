"""One task: goal, steps, and its timeline by pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.records import EventPage
from reviewconsole.access import enter
from reviewconsole.addresses import decision_url, task_url, tasks_url
from reviewconsole.pages import page
from reviewconsole.timeline import timeline

PAGE = 50


@require_safe
def show_task(request: HttpRequest, project: str, task_name: str) -> HttpResponse:
    """The task with one page of its events."""
    scope = enter(request, project)
    after = _after(request)
    found = scope.history.get_task(task_name)
    if found.view is None:
        raise Http404
    events = scope.history.list_events(task_name, after_seq=after, limit=PAGE)
    context = {
        "view": found.view,
        "tasks_url": tasks_url(project),
        "decisions": [
            {"decision": decision, "url": decision_url(project, decision.id)}
            for decision in found.view.decisions
        ],
        "events": timeline(
            project,
            events.events,
            found.view.decisions,
            first_page=after == 0,
            last_page=not events.truncated,
        ),
        **_pages(project, task_name, after, events),
    }
    return page(request, "task.html", context)


def _after(request: HttpRequest) -> int:
    """The number before the first event: `after`, or one less than the number jumped to."""
    first = _number(request.GET.get("from", ""))
    return first - 1 if first else _number(request.GET.get("after", ""))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _pages(project: str, task_name: str, after: int, shown: EventPage) -> dict[str, object]:
    last = shown.events[-1].seq if shown.events else after
    previous = task_url(project, task_name, after=max(0, after - PAGE) or None)
    return {
        "first_seq": shown.events[0].seq if shown.events else 0,
        "last_seq": last,
        "next_url": task_url(project, task_name, after=last) if shown.truncated else None,
        "previous_url": previous if after else None,
    }
