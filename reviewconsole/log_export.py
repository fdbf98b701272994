"""A task's whole log as one JSON document, written while it is read, a page at a time."""

import json
from collections.abc import Generator, Iterable, Iterator
from datetime import datetime

from graphstore.faults import StoreUnavailable
from graphstore.records import Decision, VerdictRecord
from graphstore.results import TaskView
from reviewconsole.access import Scope

__all__ = ["export_json"]

FORMAT = 1
PAGE = 200


def export_json(scope: Scope, view: TaskView) -> Iterator[str]:
    """The task, its events by number, then its decisions and verdicts by time.

    No more than one page of the graph is held at a time. What is redacted meanwhile is
    redacted in what was not written yet. When the graph stops answering, or the task is
    deleted meanwhile, the document ends early, well formed, with `complete` false.
    """
    head = {
        "format": FORMAT,
        "project_id": scope.project_id,
        "task": view.task.model_dump(mode="json"),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "events": ['
    complete = yield from _safely(_events(scope, view))
    yield '], "decisions_and_verdicts": ['
    if complete:
        complete = yield from _safely(_moments(scope, view))
    yield f'], "complete": {json.dumps(complete)}}}\n'


def _safely(parts: Iterable[list[str] | None]) -> Generator[str, None, bool]:
    """Parts of one list, with commas between. Returns whether the whole was written."""
    written = False
    try:
        for part in parts:
            if part is None:
                return False
            if part:
                yield (", " if written else "") + ", ".join(part)
                written = True
    except StoreUnavailable:
        return False
    return True


def _events(scope: Scope, view: TaskView) -> Iterator[list[str] | None]:
    """Pages of events; None when the task is gone."""
    after: int | None = 0
    while after is not None:
        page = scope.history.list_events(view.task_name, after_seq=after, limit=PAGE)
        if not page.found:
            yield None
            return
        yield [event.model_dump_json() for event in page.events]
        after = page.next_after_seq


def _moments(scope: Scope, view: TaskView) -> Iterator[list[str]]:
    """Decisions and verdicts, each page in order of time."""
    since: datetime | None = None
    while True:
        page = scope.traces.list_moments(view.task.id, since, None, limit=PAGE)
        end = page.complete_until
        found: list[tuple[datetime, str]] = [
            *((one.created_at, _typed("decision", one)) for one in page.decisions),
            *((one.at, _typed("verdict", one)) for one in page.verdicts),
        ]
        yield [text for at, text in sorted(found) if end is None or at <= end]
        if end is None:
            return
        since = end


def _typed(kind: str, one: Decision | VerdictRecord) -> str:
    return f'{{"type": "{kind}", {one.model_dump_json()[1:]}'
