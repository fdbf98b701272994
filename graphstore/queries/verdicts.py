"""Reads of verdicts: what became of decisions, who said so and why."""

import re
from datetime import datetime
from typing import Any

from graphstore import rows
from graphstore.records import VerdictKind, VerdictRecord
from graphstore.results import VerdictPage
from graphstore.store import GraphStore

MAX_PAGE = 200
FIRST_WINDOW_US = 3_600_000_000
FOREVER_US = 2**53
_CURSOR = re.compile(r"[0-9]{1,16}")


def get_verdict(store: GraphStore, project_id: str, verdict_id: str) -> VerdictRecord | None:
    """One verdict of the project, or None."""
    found = store.read("get_verdict", {"project_id": project_id, "verdict_id": verdict_id})
    return rows.verdict(*found[0]) if found else None


def list_verdicts(
    store: GraphStore,
    project_id: str,
    *,
    agent_id: str | None = None,
    since: datetime | None = None,
    decision_id: object = None,
    task_id: object = None,
    by: str | None = None,
    kind: VerdictKind | str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> VerdictPage:
    """Verdicts of the project, newest first, `limit` (1 to 200) at a time.

    `agent_id` keeps those on decisions which that author recorded, `by` those which it
    gave. A cursor that is none starts at the newest.
    """
    size = max(1, min(limit, MAX_PAGE))
    before = int(cursor) if cursor and _CURSOR.fullmatch(cursor) else FOREVER_US
    first = rows.microseconds(since) if since else 0
    p: dict[str, Any] = {
        "project_id": project_id,
        "author": agent_id,
        "decision_id": str(decision_id),
        "task_id": str(task_id),
        "by": by,
        "kind": VerdictKind(kind).value if kind else None,
        "before": min(before, FOREVER_US),
        "since": first,
        "windows": windows(min(before, FOREVER_US), first),
        "limit": size + 1,
    }
    name = "list_verdicts"
    if decision_id is not None:
        name = "list_verdicts_on_decision"
    elif task_id is not None:
        name = "list_verdicts_in_task"
    elif agent_id is not None:
        name = "list_verdicts_by_author"
    found = [rows.verdict(*row) for row in store.read(name, p)]
    if agent_id is not None and name != "list_verdicts_by_author":
        found = [v for v in found if v.decision_author == agent_id]
    more = len(found) > size
    found = found[:size]
    return VerdictPage(
        verdicts=found,
        next_cursor=str(rows.microseconds(found[-1].at)) if more else None,
    )


def windows(before: int, first: int, now: int | None = None) -> list[list[int]]:
    """Spans of time from newest to oldest, each twice as long as the one before.

    Nothing was recorded much later than now, so the doubling starts there.
    """
    start = min(before, now if now is not None else rows.now_us() + FIRST_WINDOW_US)
    spans = [[start, before]] if before > start else []
    width = FIRST_WINDOW_US
    while start > first:
        low = max(first, start - width)
        spans.append([low, start])
        start, width = low, width * 2
    return spans
