"""One task: goal, steps, and its timeline by pages."""

from datetime import datetime
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.records import Event
from graphstore.results import Moments
from reviewconsole.access import Scope, enter
from reviewconsole.addresses import decision_url, task_url, tasks_url
from reviewconsole.pages import go, page
from reviewconsole.timeline import timeline

PAGE = 50


@require_safe
def show_task(request: HttpRequest, project: str, task_name: str) -> HttpResponse:
    """The task with one page of its events, and what was decided between them."""
    scope = enter(request, project)
    view = scope.history.get_task(task_name).view
    if view is None:
        return go(request, task_url(project, _name_of(scope, task_name)))
    after = _after(request)
    events, since, more = _events(scope, task_name, after)
    until = events[-1].at if events and more else None
    beyond = after > 0 and since is None
    moments = Moments() if beyond else scope.traces.list_moments(view.task.id, since, until)
    context = {
        "view": view,
        "tasks_url": tasks_url(project),
        "decisions": [
            {"decision": decision, "url": decision_url(project, decision.id)}
            for decision in view.decisions
        ],
        "events": timeline(project, events, moments.decisions, until),
        **_pages(project, task_name, after, events, more=more),
    }
    return page(request, "task.html", context)


def _name_of(scope: Scope, text: str) -> str:
    """The name of the task with this id, since a link may carry either."""
    try:
        found = scope.history.find_task(UUID(text)).view
    except ValueError:
        found = None
    if found is None:
        raise Http404
    return found.task_name


def _events(scope: Scope, task_name: str, after: int) -> tuple[list[Event], datetime | None, bool]:
    """The page's events, when the event before them was, and whether more follow.

    What was decided after the last event of the page before belongs to this one.
    """
    before = 1 if after else 0
    shown = scope.history.list_events(task_name, after_seq=after - before, limit=PAGE + before)
    events = list(shown.events)
    since = events[0].at if after and events and events[0].seq == after else None
    return [event for event in events if event.seq > after], since, shown.truncated


def _after(request: HttpRequest) -> int:
    """The number before the first event: `after`, or one less than the number jumped to."""
    first = _number(request.GET.get("from", ""))
    return first - 1 if first else _number(request.GET.get("after", ""))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _pages(
    project: str, task_name: str, after: int, shown: list[Event], *, more: bool
) -> dict[str, object]:
    last = shown[-1].seq if shown else after
    previous = task_url(project, task_name, after=max(0, after - PAGE) or None)
    return {
        "first_seq": shown[0].seq if shown else 0,
        "last_seq": last,
        "next_url": task_url(project, task_name, after=last) if more else None,
        "previous_url": previous if after else None,
    }
