"""Reads of the ledger: who did what, when, for whom."""

from datetime import datetime
from typing import Any

from graphstore import rows
from graphstore.ledger_records import LedgerEntry, LedgerPage
from graphstore.queries.verdicts import FOREVER_US, windows
from graphstore.store import GraphStore

MAX_PAGE = 200
LAST_ID = "~"
"""Sorts after every id."""


def get_entry(
    store: GraphStore, project_id: str, entry_id: object
) -> tuple[LedgerEntry, str | None] | None:
    """One entry of the project with the name of its task, while that is there; or None."""
    found = store.read("get_entry", {"project_id": project_id, "entry_id": str(entry_id)})
    return (LedgerEntry.of(found[0][0]), found[0][1]) if found else None


def list_entries(
    store: GraphStore,
    project_id: str,
    *,
    action: str | None = None,
    who: str | None = None,
    task_id: object = None,
    since: datetime | None = None,
    until: datetime | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> LedgerPage:
    """Entries of the project, newest first, `limit` (1 to 200) at a time.

    `who` keeps those that this agent, principal or party acted for is named in; `since` is
    included, `until` is not. A cursor that is none starts at the newest.
    """
    size = max(1, min(limit, MAX_PAGE))
    before, before_id = _place(cursor)
    end = min(before + 1, rows.microseconds(until) if until else FOREVER_US)
    first = rows.microseconds(since) if since else 0
    p: dict[str, Any] = {
        "project_id": project_id,
        "task_id": str(task_id),
        "action": action,
        "who": who,
        "before": before,
        "before_id": before_id,
        "windows": windows(end, first),
        "limit": size + 1,
    }
    name = "list_entries" if task_id is None else "list_entries_in_task"
    found = [LedgerEntry.of(row[0]) for row in store.read(name, p)]
    more, found = len(found) > size, found[:size]
    return LedgerPage(entries=found, next_cursor=f"{found[-1].us}.{found[-1].id}" if more else None)


def _place(cursor: str | None) -> tuple[int, str]:
    us, _, identity = (cursor or "").partition(".")
    if not us.isascii() or not us.isdigit() or len(us) > 16 or not identity:
        return FOREVER_US, LAST_ID
    return min(int(us), FOREVER_US), identity
