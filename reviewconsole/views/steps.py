"""Every step of a task, by name, with what its result rests on."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.records import StepState
from reviewconsole.access import enter
from reviewconsole.addresses import steps_url, task_url, tasks_url
from reviewconsole.pages import page
from reviewconsole.steps import cited_decisions, new_run, state_choices, step_line
from reviewconsole.task_log import named_decisions

PAGE = 50


@require_safe
def show_steps(request: HttpRequest, project: str, task_name: str) -> HttpResponse:
    """One page of the task's steps, all of them or those of one state."""
    scope = enter(request, project)
    view = scope.history.get_task(task_name).view
    if view is None:
        raise Http404
    wanted, after = request.GET.get("state", ""), request.GET.get("after") or None
    state = StepState(wanted) if wanted in set(StepState) else None
    shown = scope.history.list_steps(task_name, state, after_name=after, limit=PAGE)
    known = named_decisions(scope, view, cited_decisions(shown.steps))
    following = shown.next_after_name
    query = {"state": state.value if state else ""}
    context = {
        "view": view,
        "tasks_url": tasks_url(project),
        "task_url": task_url(project, task_name),
        "state": state.value if state else "",
        "state_choices": state_choices(project, view, state),
        "new_run": new_run(view),
        "steps": [step_line(project, task_name, step, known) for step in shown.steps],
        "first_url": steps_url(project, task_name, **query) if after else None,
        "next_url": steps_url(project, task_name, **query, after=following) if following else None,
    }
    return page(request, "steps.html", context, fragment="rows")
