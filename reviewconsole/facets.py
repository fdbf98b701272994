"""What can be chosen from in the queue: by how many of what waits, and because of which documents.

All numbers are of the first 1,000 in the order by what is at stake, so that a page costs
what it shows. The index holds no names: whoever shows tasks and documents reads those.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import batched
from uuid import UUID

from graphstore.ids import named_id
from reviewconsole.filters import Filters
from reviewconsole.models import CauseKind, FlagCause
from reviewconsole.waiting import CAP, from_us, in_order

__all__ = ["Bundle", "Facet", "bundles_of", "chosen_document", "facets_of"]

MOST = 20
"""How many tasks, agents and documents are offered."""

ROWS_AT_ONCE = 500
"""What keeps one statement within the parameters that SQLite takes."""

_COLUMNS = {"reason": "reason", "comparison": "comparison", "task": "task_id", "agent": "author"}


@dataclass
class Facet:
    """What one filter can be set to while the others stay, and how many it would leave."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, UUID] = field(default_factory=dict)
    """A decision for each."""

    @property
    def total(self) -> int:
        return self.counts.total()

    def add(self, value: str, decision_id: UUID) -> None:
        self.counts[value] += 1
        self.examples.setdefault(value, decision_id)


def facets_of(project_id: str, filters: Filters) -> dict[str, Facet]:
    """The choices of the filters that go by a column: one query, and one more for each that is set."""
    facets = {name: Facet() for name in _COLUMNS}
    within = replace(filters, order="stake")
    alike = [name for name in _COLUMNS if not getattr(filters, name)]
    _count(facets, project_id, within, alike)
    for name in facets.keys() - set(alike):
        _count(
            facets, project_id, replace(within, **{name: None if name == "task" else ""}), [name]
        )
    return facets


def _count(
    facets: dict[str, Facet], project_id: str, within: Filters, names: Iterable[str]
) -> None:
    named = list(names)
    columns = [_COLUMNS[name] for name in named]
    rows = in_order(project_id, within).values_list("decision_id", *columns)[:CAP]
    for decision_id, *values in rows:
        for name, value in zip(named, values, strict=True):
            if value:
                facets[name].add(str(value), decision_id)


@dataclass
class Bundle:
    """What waits because of one document: how many, what became of their supports, since when."""

    ref: str
    number: int = 0
    stake: int = 0
    oldest_us: int = 0
    comparisons: Counter[str] = field(default_factory=Counter)

    @property
    def oldest(self) -> datetime | None:
        return from_us(self.oldest_us)


def bundles_of(project_id: str, filters: Filters, most: int = MOST) -> tuple[list[Bundle], int]:
    """The bundles of what waits, most at stake first, at most so many, and how many there are.

    A decision with two causes stands in both bundles.
    """
    within = replace(filters, order="stake", document="")
    columns = ("pk", "comparison", "stake", "flagged_us")
    first = {row[0]: row for row in in_order(project_id, within).values_list(*columns)[:CAP]}
    bundles: dict[str, Bundle] = {}
    for keys in batched(first, ROWS_AT_ONCE):
        caused = FlagCause.objects.filter(flagged__in=keys)
        # The kind is looked at here, since an index by kind would lead through all causes.
        for key, kind, ref in set(caused.values_list("flagged", "kind", "ref")):
            if kind != CauseKind.DOCUMENT:
                continue
            _, comparison, stake, flagged_us = first[key]
            bundle = bundles.setdefault(ref, Bundle(ref, stake=stake, oldest_us=flagged_us))
            bundle.number += 1
            bundle.stake = max(bundle.stake, stake)
            bundle.oldest_us = min(bundle.oldest_us, flagged_us)
            bundle.comparisons[comparison] += 1
    ordered = sorted(bundles.values(), key=lambda one: (-one.stake, -one.number, one.ref))
    return ordered[:most], len(ordered)


def chosen_document(project_id: str, filters: Filters) -> list[str]:
    """The id of the document that the filters name, if decisions of this project wait for it.

    Only then may the project read its title.
    """
    if not filters.document:
        return []
    ref = str(named_id("Document", filters.document))
    here = FlagCause.objects.filter(
        kind=CauseKind.DOCUMENT, ref=ref, flagged__project_id=project_id
    )
    return [ref] if here.exists() else []
