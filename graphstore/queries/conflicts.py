"""Conflicts: one choice that active decisions of different tasks decided differently.

They are counted as they arise (`CtxChoice.stances`), and confirmed on the decisions
when they are read. What other writers recorded counts once it was taken in, by
`review_feed.take`.
"""

from collections.abc import Sequence

from graphstore import rows
from graphstore.results import ConflictGroup, ConflictList
from graphstore.store import GraphStore, Row, steady

MAX_GROUPS = 50
MAX_SHOWN = 50
MAX_OF_ONE = 200
MAX_COUNT = 1000


def list_conflicts(
    store: GraphStore, project_id: str, *, cursor: str | None = None, limit: int = MAX_GROUPS
) -> ConflictList:
    """Conflicts by choice key, at most `limit` (1 to 50) from `cursor` on, 50 decisions each.

    A choice whose count says so but whose decisions do not is left out, so a page
    may hold fewer. Of more than 50 decisions each conclusion is represented.
    """
    size = max(1, min(limit, MAX_GROUPS))
    p = {"project_id": project_id, "after": cursor or "", "most": MAX_SHOWN, "limit": size + 1}
    found = steady(lambda: store.read("list_conflicts", p))
    if not found:
        return ConflictList()
    _, after, keys, listed = found[0]
    more = len(keys) > size
    shown = set(keys[:size])
    groups = [
        _group(key, decisions, truncated=truncated, travelling=bool(after[0]))
        for key, truncated, decisions in listed
        if key in shown
    ]
    return ConflictList(
        groups=sorted(groups, key=lambda group: group.choice_key),
        truncated=more,
        next_cursor=keys[size - 1] if more else None,
    )


def get_conflict(store: GraphStore, project_id: str, choice_key: str) -> ConflictGroup | None:
    """The active decisions of a choice, at most 200, whether they are in conflict or not.

    None when nobody ever decided it. The group is empty when no decision on it is active.
    """
    p = {"project_id": project_id, "choice_key": choice_key, "limit": MAX_OF_ONE + 1}
    found = steady(lambda: store.read("get_conflict", p))
    if not found:
        return None
    _, after, decided, listed = found[0]
    if not decided:
        return None
    return _group(
        choice_key,
        listed[:MAX_OF_ONE],
        truncated=len(listed) > MAX_OF_ONE,
        travelling=bool(after[0]),
    )


def count_conflicts(store: GraphStore, project_id: str) -> int:
    """How many choices are counted as conflicts, at most 1,000; nothing is confirmed."""
    p = {"project_id": project_id, "limit": MAX_COUNT}
    return store.read("count_conflicts", p)[0][0]


def _group(
    choice_key: str, decisions: Sequence[Row], *, truncated: bool, travelling: bool
) -> ConflictGroup:
    records = [
        rows.decision(row, name or "", supports, travelling=travelling)
        for row, name, supports in decisions
    ]
    records.sort(key=lambda d: (rows.iso(d.created_at), str(d.id)), reverse=True)
    return ConflictGroup(choice_key=choice_key, decisions=records, truncated=truncated)
