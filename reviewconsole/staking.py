"""The order by what is at stake, as one number that an index can sort by.

First comes what most decisions and open tasks rest on, among equals what became the
worst of its supports; equals in both go by how long they wait.
"""

from graphstore.evidence import Comparison
from graphstore.stakes import Stake

__all__ = ["counted", "stake_of"]

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
