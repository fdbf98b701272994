"""The sides of a choice: active decisions that conclude the same, taken together."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from graphstore.records import Decision, ReviewState

__all__ = ["Side", "side_of", "sides_of"]


@dataclass(frozen=True)
class Side:
    """Decisions with one conclusion, oldest first; there is at least one."""

    decisions: list[Decision]

    @property
    def first(self) -> Decision:
        return self.decisions[0]

    @property
    def conclusion(self) -> str:
        return self.first.conclusion

    @property
    def tasks(self) -> int:
        return len({decision.task_id for decision in self.decisions})

    @property
    def flagged(self) -> int:
        """How many of them wait for review."""
        return sum(one.review_state == ReviewState.NEEDS_REVIEW for one in self.decisions)

    @property
    def oldest(self) -> datetime:
        return self.first.created_at

    @property
    def newest(self) -> datetime:
        return self.decisions[-1].created_at


def sides_of(decisions: Iterable[Decision]) -> list[Side]:
    """The sides, the one that was decided first at the front.

    Case, blanks and a full stop at the end make no other side: two agents that write
    one sentence differently agree.
    """
    sides: dict[str, list[Decision]] = {}
    for decision in sorted(decisions, key=lambda one: (one.created_at, one.id)):
        sides.setdefault(_normal(decision.conclusion), []).append(decision)
    return [Side(members) for members in sides.values()]


def side_of(sides: Iterable[Side], decision_id: UUID) -> Side | None:
    """The side that a decision is on."""
    return next((s for s in sides if any(d.id == decision_id for d in s.decisions)), None)


def _normal(conclusion: str) -> str:
    words = unicodedata.normalize("NFKC", conclusion).casefold().split()
    return " ".join(words).rstrip(".!")
