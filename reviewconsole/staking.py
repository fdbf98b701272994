"""What a row says of its stake and its supports, and when it must not say so any more.

The order by what is at stake is one number that an index can sort by: first comes what
most decisions and open tasks rest on, among equals what became the worst of its
supports; equals in both go by how long they wait.
"""

from collections.abc import Collection, Iterable

from graphstore.evidence import Comparison
from graphstore.stakes import Stake
from reviewconsole.models import CauseKind, ComparedSupport, Due, FlaggedDecision

__all__ = ["counted", "is_calm", "make_due", "stake_of"]

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


def make_due(project_id: str, kind: str, refs: Iterable[str]) -> None:
    """Have what was compared with these sources compared again; until then nothing is said."""
    sources = list(refs)
    if not sources:
        return
    stale = ComparedSupport.objects.filter(kind=kind, ref__in=sources).values("flagged")
    FlaggedDecision.objects.filter(
        project_id=project_id, cleared_us__isnull=True, due=Due.NOTHING, pk__in=stale
    ).update(
        due=Due.COMPARISON,
        comparison=Comparison.NOT_COMPARED.value,
        worst=Comparison.NOT_COMPARED.rank,
        dangers="",
        calm=False,
    )
