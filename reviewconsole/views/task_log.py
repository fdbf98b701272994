"""A task's log to take along, as Markdown and as JSON, and a check of what is not shown whole."""

import re

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from graphstore.results import TaskView
from reviewconsole.access import Scope, enter
from reviewconsole.addresses import check_event_url, event_url, log_markdown_url, task_url
from reviewconsole.log_check import check_text
from reviewconsole.log_export import export_json
from reviewconsole.log_markdown import as_markdown
from reviewconsole.pages import page
from reviewconsole.task_log import Place, read_log


@require_safe
def show_markdown(request: HttpRequest, project: str, task_name: str) -> HttpResponse:
    """The page of the log that the address names, as Markdown: to copy, or (`plain`) alone."""
    scope = enter(request, project)
    view = _view(scope, task_name)
    place = Place.read(request.GET)
    text = as_markdown(view, read_log(scope, view, place))
    if request.GET.get("plain"):
        return HttpResponse(text, content_type="text/markdown; charset=utf-8")
    context = {
        "view": view,
        "file_name": f"{file_name(task_name)}.md",
        "markdown": text,
        "log_url": task_url(project, task_name, **place.query()),
        "plain_url": log_markdown_url(project, task_name, **place.query(), plain="1"),
    }
    return page(request, "log_markdown.html", context)


@require_safe
def export_log(request: HttpRequest, project: str, task_name: str) -> HttpResponseBase:
    """The whole log as JSON, written while it is read."""
    scope = enter(request, project)
    view = _view(scope, task_name)
    answer = StreamingHttpResponse(export_json(scope, view), content_type="application/json")
    answer["Cache-Control"] = "private, no-cache"
    answer["Content-Disposition"] = (
        content_disposition_header(as_attachment=True, filename=f"{file_name(task_name)}.json")
        or ""
    )
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def check_event(request: HttpRequest, project: str, task_name: str, seq: int) -> HttpResponse:
    """The hash of an event's text, and a field for a text to compare, which is not kept."""
    scope = enter(request, project)
    event = scope.history.fetch_event(task_name, seq).event
    if event is None:
        raise Http404
    text = request.POST.get("text", "")
    context = {
        "task_name": task_name,
        "event": event,
        "event_url": event_url(project, task_name, seq),
        "post_url": check_event_url(project, task_name, seq),
        "checked": check_text(event, text) if text else None,
        "missing": request.method == "POST" and not text,
    }
    return page(request, "event_check.html", context, status=422 if context["missing"] else 200)


def file_name(task_name: str) -> str:
    """The task's name as every system takes it for a file."""
    return re.sub(r"[^\w.-]+", "-", task_name)[:80].strip(".-") or "log"


def _view(scope: Scope, task_name: str) -> TaskView:
    view = scope.history.get_task(task_name).view
    if view is None:
        raise Http404
    return view
