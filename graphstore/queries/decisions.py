"""Reads of decisions: one, those that wait for review, those that depend on one."""

from typing import Any

from graphstore import rows
from graphstore.queries.tasks import cursor_of, parse_cursor, windows
from graphstore.records import Decision
from graphstore.results import DecisionLookup, DecisionReviewList, DependentPage
from graphstore.store import GraphStore, Row, steady

MAX_PAGE = 100
MAX_COUNT = 1000


def get_decision(
    store: GraphStore, project_id: str, decision_id: object, *, leader: bool = False
) -> DecisionLookup:
    """A decision of the project with its current supports."""
    p = {"project_id": project_id, "decision_id": str(decision_id)}
    found = steady(lambda: store.read("get_decision", p, leader=leader))
    if not found:
        return DecisionLookup(found=False)
    _, after, task_name, decision, supports = found[0]
    record = rows.decision(decision, task_name or "", supports, travelling=bool(after[0]))
    return DecisionLookup(found=True, decision=record)


def list_decisions_for_review(
    store: GraphStore,
    project_id: str,
    task_name: str | None = None,
    *,
    limit: int = 20,
    cursor: str | None = None,
) -> DecisionReviewList:
    """Active decisions that need review, newest first.

    While flags travel, every active decision of the project may need review, and
    all are listed (seed). `count` is capped at 1,000.
    """
    size = max(1, min(limit, MAX_PAGE))
    before, identity = parse_cursor(cursor)
    p: dict[str, Any] = {
        "project_id": project_id,
        "before": before.isoformat(),
        "before_id": identity or "~",
        "limit": size + 1,
    }
    if task_name is None:
        name = "list_decisions_for_review"
        p["windows"] = windows(before)
    else:
        name = "list_decisions_for_review_in_task"
        p["task_name"] = task_name
    found = steady(lambda: store.read(name, p))
    if not found:
        return DecisionReviewList()
    _, after, count, listed = found[0]
    decisions = [
        rows.decision(decision, name or "", supports, travelling=bool(after[0]))
        for decision, name, supports in listed
    ]
    more = len(decisions) > size
    decisions = decisions[:size]
    return DecisionReviewList(
        decisions=decisions,
        count=min(count, MAX_COUNT),
        truncated=more,
        next_cursor=cursor_of(decisions[-1].created_at, decisions[-1].id) if more else None,
    )


def list_dependents(
    store: GraphStore, project_id: str, decision_id: object, *, limit: int = 100
) -> DependentPage:
    """Active decisions that cite this one, directly or through others, nearest first.

    Eight hops and at most `limit` (1 to 500); `truncated` says that there are more.
    """
    size = max(1, min(limit, 500))
    p = {"project_id": project_id, "decision_id": str(decision_id)}
    found = steady(lambda: store.read("list_dependents", p))
    if not found:
        return DependentPage()
    _, after, levels = found[0]
    return dependents(levels, str(decision_id), size, travelling=bool(after[0]))


def dependents(levels: list[list[Row]], root: str, size: int, *, travelling: bool) -> DependentPage:
    """A page out of the levels that a statement returned, each decision at its first depth."""
    depths: dict[str, int] = {}
    decisions: list[Decision] = []
    truncated = False
    for depth, level in enumerate(levels, 1):
        for decision, task_name in level:
            record = rows.decision(decision, task_name or "", travelling=travelling)
            if str(record.id) in depths or str(record.id) == root:
                continue
            if len(decisions) >= size:
                truncated = True
                continue
            depths[str(record.id)] = depth
            decisions.append(record)
    return DependentPage(
        decisions=decisions,
        depths=depths,
        truncated=truncated or bool(levels and levels[-1]),
    )
