"""The tasks of a project, newest first."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from reviewconsole.access import enter
from reviewconsole.addresses import queue_url, task_url, tasks_url
from reviewconsole.pages import page
from reviewconsole.waiting import Wait, by_task


@require_safe
def show_tasks(request: HttpRequest, project: str) -> HttpResponse:
    """One page of tasks, each with how many of its decisions wait."""
    scope = enter(request, project)
    cursor = request.GET.get("after") or None
    try:
        shown = scope.history.list_tasks(cursor=cursor, limit=50)
    except ValueError:
        raise Http404 from None
    ids = [task.id for task in shown.tasks]
    waits = by_task(project, ids)
    context = {
        "tasks": [
            {
                "task": task,
                "url": task_url(project, task.name),
                "waiting": waits.get(task.id, Wait()).number,
                "waiting_capped": waits.get(task.id, Wait()).more,
                "queue_url": queue_url(project, task=str(task.id)),
            }
            for task in shown.tasks
        ],
        "next_url": tasks_url(project, after=shown.next_cursor) if shown.next_cursor else None,
        "first_url": tasks_url(project) if cursor else None,
    }
    return page(request, "tasks.html", context)
