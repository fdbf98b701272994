"""What was decided and judged in a task between two events of its log."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from graphstore import rows
from graphstore.results import Moments
from graphstore.store import GraphStore, steady

MAX_MOMENTS = 200
_LAST_US = 9_007_199_254_740_991
"""Later than any time, and a whole number in every engine and driver."""


def list_moments(
    store: GraphStore,
    project_id: str,
    task_id: UUID | str,
    after: datetime | None,
    until: datetime | None,
    *,
    also: Sequence[UUID] = (),
    limit: int = MAX_MOMENTS,
) -> Moments:
    """Decisions recorded and verdicts given after `after` up to `until`, each oldest first.

    None leaves that side open. At most `limit` (1 to 200) of each; what was cut off
    lies after `Moments.complete_until`. `also` names decisions whose texts are wanted.
    """
    size = max(1, min(limit, MAX_MOMENTS))
    p: dict[str, Any] = {
        "project_id": project_id,
        "task_id": str(task_id),
        "after": rows.iso(after) if after else "",
        "until": rows.iso(until) if until else "~",
        "after_us": rows.microseconds(after) if after else 0,
        "until_us": rows.microseconds(until) if until else _LAST_US,
        "ids": [str(identity) for identity in also],
        "limit": size + 1,
    }
    found = steady(lambda: store.read("list_moments", p))
    if not found:
        return Moments()
    _, after_it, name, made, judged, named = found[0]
    travelling = bool(after_it[0])
    decisions = [rows.decision(row, name, travelling=travelling) for row in made]
    verdicts = [rows.verdict(row) for row in judged]
    others = [rows.decision(row, task or "", travelling=travelling) for row, task in named]
    times = ([decision.created_at for decision in decisions], [verdict.at for verdict in verdicts])
    cut = [found_at[size - 1] for found_at in times if len(found_at) > size]
    return Moments(
        decisions=decisions[:size],
        verdicts=verdicts[:size],
        others={decision.id: decision for decision in others},
        complete_until=min(cut) if cut else None,
    )
