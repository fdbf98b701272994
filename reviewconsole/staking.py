"""The order by what is at stake, as one number that an index can sort by.

First comes what most decisions and open tasks rest on, among equals what became the
worst of its supports; equals in both go by how long they wait.
"""

from collections.abc import Collection

from graphstore.evidence import Comparison
from graphstore.stakes import Stake
from reviewconsole.models import CauseKind

__all__ = ["counted", "is_calm", "stake_of"]

_RANKS = 100
"""More than there are comparisons, so that these only part equals."""


def stake_of(dependents: int | None, open_tasks: int | None, worst: int) -> int:
    """The key of a row: higher comes first. `worst` is the rank of the worst comparison."""
    return ((dependents or 0) + (open_tasks or 0)) * _RANKS + (_RANKS - 1 - worst)


def counted(stake: Stake, worst: int = Comparison.NOT_COMPARED.rank) -> dict[str, object]:
    """What a row holds of what rests on its decision, once that was counted."""
    return {
        "author": stake.author[:200],
        "supports": stake.supports,
        "dependents": stake.dependents,
        "open_tasks": stake.open_tasks,
        "stake": stake_of(stake.dependents, stake.open_tasks, worst),
    }


def is_calm(worst: str, dangers: str, kinds: Collection[str]) -> bool:
    """Whether one cause, and not that somebody asked, flagged what has nothing to be looked at.

    `worst` is the worst comparison, which tells of all: those that are quiet rank last.
    `kinds` are those of the causes.
    """
    quiet = Comparison(worst).quiet and not dangers
    return quiet and len(kinds) == 1 and CauseKind.ASKED not in kinds
