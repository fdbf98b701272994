"""What stands around a task's log on its page: the map, ways to filter, to jump, to take it along."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from graphstore.results import TaskView
from graphstore.rows import at_microseconds, microseconds
from graphstore.task_log import LogMap, map_log, number_at
from reviewconsole.access import Scope
from reviewconsole.addresses import check_event_url, log_export_url, log_markdown_url, task_url
from reviewconsole.log_map import Drawing, draw
from reviewconsole.task_log import PAGE, LogPage, Place, flags_of

__all__ = ["around", "asked_time", "url_at"]

MOST_FLAGS = 2_000


def around(scope: Scope, view: TaskView, place: Place, log: LogPage) -> dict[str, Any]:
    """The context of the log's page, beside its entries. One read, where the log has more pages."""
    project, name = scope.project_id, view.task_name
    pages = view.last_event_seq > PAGE
    known = map_log(scope.store, project, name, view.last_event_seq) if pages else LogMap()
    _offer_checks(project, name, log)
    return {
        "place": place,
        "show": place.show,
        "log_url": task_url(project, name),
        "clear_url": task_url(project, name, show=place.show) if place.narrowed else None,
        "map": _map(scope, view, place, log, known),
        "authors": sorted({*log.authors, *(sample.author for sample in known.samples)}),
        "markdown_url": log_markdown_url(project, name, **place.query()),
        "export_url": log_export_url(project, name),
    }


def _map(scope: Scope, view: TaskView, place: Place, log: LogPage, known: LogMap) -> Drawing | None:
    if not known.samples:
        return None
    flags = flags_of(scope, view).values_list("flagged_us", flat=True)[:MOST_FLAGS]
    return draw(
        scope.project_id,
        view.task_name,
        view.last_event_seq,
        known,
        [at_microseconds(us) for us in flags],
        place,
        (log.first, log.last),
    )


def _offer_checks(project: str, task_name: str, log: LogPage) -> None:
    """A link at each event whose recorded text is not all there."""
    for item in log.items:
        parts: tuple[dict[str, Any] | None, ...] = (item, item.get("answer"))
        for part in parts:
            event = part["event"] if part else None
            if part and event and (event.redacted_at or event.truncated):
                part["check_url"] = check_event_url(project, task_name, event.seq)


def asked_time(text: str) -> datetime | None:
    """A time as the form sends it, in the reader's zone; None for what is no time."""
    try:
        at = parse_datetime(text)
    except ValueError:
        return None
    if at is None:
        return None
    try:
        return timezone.make_aware(at) if timezone.is_naive(at) else at
    except (ValueError, OverflowError):
        return None


def url_at(scope: Scope, view: TaskView, place: Place, at: datetime) -> str:
    """The page of the log that begins with the first event at that time or later."""
    name, last = view.task_name, view.last_event_seq
    seq = number_at(scope.store, scope.project_id, name, last, at) if last else 0
    start = place.filters(**{"from": seq or None})
    if place.show == "decisions":
        start = place.filters(since=max(1, microseconds(at) - 1))
    return task_url(scope.project_id, name, **start)
