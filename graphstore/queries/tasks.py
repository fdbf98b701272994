"""Reads of tasks and their events."""

from datetime import UTC, datetime, timedelta

from graphstore import rows
from graphstore.records import Task
from graphstore.results import EventLookup, EventPage, TaskPage
from graphstore.store import GraphStore

MAX_PAGE = 200
FIRST_WINDOW = timedelta(minutes=1)
_LAST = 9_007_199_254_740_991
"""Beyond every number, and a whole number in every engine and driver."""
WINDOWS = 10
"""They reach two years back; what is older is looked for at once."""
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""Nothing was recorded before; a cursor may say any time."""


def list_events(
    store: GraphStore, project_id: str, task_name: str, *, after_seq: int = 0, limit: int = 50
) -> EventPage:
    """A task's events after `after_seq`, in order, at most `limit` (1 to 200).

    Numbers have no gaps, so the next ones are looked for; only where some are missing
    is there a second read, of all that follow.
    """
    size = max(1, min(limit, MAX_PAGE))
    after = max(0, after_seq)
    p = {"project_id": project_id, "name": task_name, "after_seq": after, "limit": size + 1}
    until = after + size + 1
    found = store.read("list_events", {**p, "until": until})
    if not found:
        return EventPage(found=False)
    listed = found[0][1]
    if len(listed) <= size and rows.task(found[0][0]).event_seq > until:
        found = store.read("list_events", {**p, "until": _LAST})
        listed = [event for row in found for event in row[1]]
    events = [rows.event(row) for row in listed]
    more = len(events) > size
    events = events[:size]
    return EventPage(
        found=True,
        events=events,
        truncated=more,
        next_after_seq=events[-1].seq if more else None,
    )


def fetch_event(store: GraphStore, project_id: str, task_name: str, seq: int) -> EventLookup:
    """One event of a task, with its body and whether it was redacted."""
    p = {"project_id": project_id, "name": task_name, "seq": seq}
    found = store.read("fetch_event", p)
    if not found:
        return EventLookup(found=False)
    return EventLookup(found=True, event=rows.event(found[0][0]))


def cursor_of(at: datetime, identity: object) -> str:
    """A place in a list ordered by time, newest first, then by id."""
    return f"{rows.iso(at)}~{identity}"


def parse_cursor(cursor: str | None) -> tuple[datetime, str]:
    """The time and id before which a page goes on; without a cursor, the newest.

    Raises `ValueError` for a text that has not the form of what `cursor_of` makes.
    """
    if not cursor:
        return datetime.now(UTC) + timedelta(hours=1), ""
    at, mark, identity = cursor.partition("~")
    try:
        if not mark:
            raise ValueError
        return rows.utc(datetime.fromisoformat(at)), identity
    except ValueError:
        raise ValueError("This cursor is not one that a page gave.") from None


def windows(before: datetime) -> list[list[str]]:
    """Spans of `created_at` from newest to oldest, each four times as long as the one before.

    The first reaches beyond every time that was recorded, the last to the first.
    """
    spans: list[list[str]] = []
    high, low, width = "~", min(max(before, EARLIEST), datetime.now(UTC)), FIRST_WINDOW
    for _ in range(WINDOWS):
        low -= width
        spans.append([low.isoformat(), high])
        high, width = spans[-1][0], width * 4
    return [*spans, ["", high]]


def list_tasks(
    store: GraphStore, project_id: str, *, cursor: str | None = None, limit: int = 50
) -> TaskPage:
    """A project's tasks, newest first, at most `limit` (1 to 200) from `cursor` on."""
    size = max(1, min(limit, MAX_PAGE))
    before, identity = parse_cursor(cursor)
    p = {
        "project_id": project_id,
        "before": before.isoformat(),
        "before_id": identity or "~",
        "limit": size + 1,
    }
    found: list[Task] = [rows.task(row[0]) for row in store.read("list_tasks", p)]
    more = len(found) > size
    found = found[:size]
    return TaskPage(
        tasks=found,
        next_cursor=cursor_of(found[-1].created_at, found[-1].id) if more else None,
    )
