"""Lists of decisions: a task's, a project's by what they are, and those that hold some words."""

from collections.abc import Sequence
from typing import Any

from graphstore import rows
from graphstore.queries.search_words import search_words
from graphstore.queries.tasks import cursor_of, parse_cursor, windows
from graphstore.records import Decision, DecisionStatus, ReviewState
from graphstore.results import (
    DecisionHit,
    DecisionPage,
    DecisionPageLookup,
    SupportHistoryPage,
)
from graphstore.store import GraphStore, Row, steady

MAX_PAGE = 100
MAX_COUNT = 1000
STATUSES = [status.value for status in DecisionStatus]
STORED_STATES = [ReviewState.CLEAR.value, ReviewState.NEEDS_REVIEW.value]


def list_decisions(
    store: GraphStore,
    project_id: str,
    task_name: str,
    *,
    include_history: bool = True,
    limit: int = 20,
    cursor: str | None = None,
) -> DecisionPageLookup:
    """A task's decisions, newest first, at most `limit` (1 to 100) from `cursor` on.

    Without `include_history` only the active ones. FalkorDB sorts the task's decisions
    for each page; Neo4j reads its index in order.
    """
    size = max(1, min(limit, MAX_PAGE))
    p: dict[str, Any] = {
        "project_id": project_id,
        "task_name": task_name,
        "history": include_history,
        **_place(cursor, size),
    }
    found = steady(lambda: store.read("list_decisions", p))
    if not found:
        return DecisionPageLookup(found=False)
    _, after, name, count, listed = found[0]
    decisions = [
        rows.decision(row, name, supports, travelling=bool(after[0])) for row, supports in listed
    ]
    return DecisionPageLookup(found=True, page=_page(decisions, count, size))


def browse_decisions(
    store: GraphStore,
    project_id: str,
    *,
    words: str = "",
    choice_key: str = "",
    author: str = "",
    status: str = "",
    review_state: str = "",
    task_name: str = "",
    cursor: str | None = None,
    limit: int = 50,
) -> DecisionPage:
    """A project's decisions that are all that is asked, newest first, `limit` (1 to 100) at a time.

    An empty filter wants any. `review_state` is what readers see: while flags travel
    nothing is clear, and what is stored so is `unknown`. With `words` the best 100 at
    most, by score, without a cursor.

    Neo4j reads one index in order: by author, by task, or by status and review state;
    the other filters are tried on what it gives, so a rare combination reads further.
    Of one choice it sorts all decisions. FalkorDB has no index in order: it sorts what
    the task or choice selects, and up to 1,000 of an author, status or review state; of
    more it looks through spans of time, newest first, until the page is full.
    """
    size = max(1, min(limit, MAX_PAGE))
    stored, travels = _stored(review_state)
    if (status and status not in STATUSES) or (review_state and not stored):
        return DecisionPage()
    filters: dict[str, Any] = {
        "project_id": project_id,
        "status": status,
        "state": stored,
        "when": travels,
        "author": author,
        "choice_key": choice_key,
        "task_name": task_name,
    }
    if words.strip():
        hits, more = _hits(store, words, filters, size)
        decisions = [hit.decision for hit in hits]
        return DecisionPage(decisions=decisions, count=len(decisions), truncated=more)
    p = {
        **filters,
        **_way(filters),
        **_place(cursor, size),
    }
    found = steady(lambda: store.read("browse_decisions", p))
    if not found:
        return DecisionPage()
    _, after, count, listed = found[0]
    return _page(_decisions(listed, travelling=bool(after[0])), count, size)


def search_decisions(
    store: GraphStore, project_id: str, query: str, *, task_name: str | None = None, limit: int = 20
) -> list[DecisionHit]:
    """Active decisions whose conclusion or rationale has the words, best first.

    At most `limit` (1 to 100), flagged ones with their review state. Those with all
    the words come before those with some. No character of the query is syntax.
    """
    filters: dict[str, Any] = {
        "project_id": project_id,
        "status": DecisionStatus.ACTIVE.value,
        "state": "",
        "when": None,
        "author": "",
        "choice_key": "",
        "task_name": task_name or "",
    }
    return _hits(store, query, filters, max(1, min(limit, MAX_PAGE)))[0]


def list_support_history(
    store: GraphStore,
    project_id: str,
    decision_id: object,
    *,
    after_ordinal: int = -1,
    limit: int = 20,
) -> SupportHistoryPage:
    """A decision's supports, archived ones included, at most `limit` (1 to 100) after an ordinal."""
    size = max(1, min(limit, MAX_PAGE))
    p = {
        "project_id": project_id,
        "decision_id": str(decision_id),
        "after": max(-1, after_ordinal),
        "limit": size + 1,
    }
    found = [
        rows.support(rows.named("support", row[0])) for row in store.read("list_support_history", p)
    ]
    more = len(found) > size
    found = found[:size]
    return SupportHistoryPage(
        supports=found,
        truncated=more,
        next_after_ordinal=found[-1].ordinal if more else None,
    )


def _place(cursor: str | None, size: int) -> dict[str, Any]:
    before, identity = parse_cursor(cursor)
    return {
        "before": before.isoformat(),
        "before_id": identity or "~",
        "windows": windows(before),
        "limit": size + 1,
    }


def _stored(review_state: str) -> tuple[str, bool | None]:
    """What is stored of a review state that readers see, and whether flags must travel for it."""
    match review_state:
        case ReviewState.NEEDS_REVIEW:
            return ReviewState.NEEDS_REVIEW.value, None
        case ReviewState.CLEAR:
            return ReviewState.CLEAR.value, False
        case ReviewState.UNKNOWN:
            return ReviewState.CLEAR.value, True
        case _:
            return "", None


def _way(filters: dict[str, Any]) -> dict[str, list[str]]:
    """The index by which a browse goes: the one whose list is not empty."""
    way: dict[str, list[str]] = {
        k: [] for k in ("choices", "tasks", "authors", "statuses", "states")
    }
    if filters["choice_key"]:
        return {**way, "choices": [filters["choice_key"]]}
    if filters["task_name"]:
        return {**way, "tasks": [filters["task_name"]]}
    if filters["author"]:
        return {**way, "authors": [filters["author"]]}
    return {
        **way,
        "statuses": [filters["status"]] if filters["status"] else STATUSES,
        "states": [filters["state"]] if filters["state"] else STORED_STATES,
    }


def _hits(
    store: GraphStore, words: str, filters: dict[str, Any], size: int
) -> tuple[list[DecisionHit], bool]:
    """The best hits, and whether there are more."""
    wanted = search_words(words)
    if not wanted.lucene:
        return [], False
    p = {
        **filters,
        "lucene": wanted.lucene,
        "redisearch": wanted.redisearch,
        "limit": size + 1,
    }
    found = steady(lambda: store.read("search_decisions", p))
    if not found:
        return [], False
    _, after, listed = found[0]
    scored = [
        (
            score,
            DecisionHit(
                decision=rows.decision(row, name or "", supports, travelling=bool(after[0])),
                task_goal=goal or "",
            ),
        )
        for score, row, name, goal, supports in listed
    ]
    scored.sort(key=lambda s: (s[0], s[1].decision.created_at, str(s[1].decision.id)), reverse=True)
    return [hit for _, hit in scored[:size]], len(scored) > size


def _decisions(listed: Sequence[Row], *, travelling: bool) -> list[Decision]:
    return [
        rows.decision(row, name or "", supports, travelling=travelling)
        for row, name, supports in listed
    ]


def _page(decisions: list[Decision], count: int, size: int) -> DecisionPage:
    more = len(decisions) > size
    decisions = sorted(decisions, key=lambda d: (rows.iso(d.created_at), str(d.id)), reverse=True)
    decisions = decisions[:size]
    return DecisionPage(
        decisions=decisions,
        count=min(count, MAX_COUNT),
        truncated=more,
        next_cursor=cursor_of(decisions[-1].created_at, decisions[-1].id) if more else None,
    )
