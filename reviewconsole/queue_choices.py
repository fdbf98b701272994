"""The filters and orders that a queue page offers, each choice with its address."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from graphstore.ids import named_id
from graphstore.records import Document
from reviewconsole import words
from reviewconsole.addresses import queue_url
from reviewconsole.facets import MOST, Bundle, Facet
from reviewconsole.filters import AGES, CLAIMED, ORDERS, Filters
from reviewconsole.queue_words import (
    AGE_LABELS,
    CLAIMED_LABELS,
    FILTER_LABELS,
    ORDER_LABELS,
    comparison_label,
)
from reviewconsole.templatetags.desk import who
from reviewconsole.waiting import CAP

__all__ = ["Choice", "Named", "Pick", "order_choices", "picks_of"]


_Values = list[tuple[str, str, int | None]]


@dataclass(frozen=True)
class Choice:
    """One value that a filter can have. `count` is None where nothing was counted."""

    value: str
    label: str
    url: str
    active: bool = False
    count: int | None = None
    capped: bool = False


@dataclass
class Pick:
    """One filter with what it can be set to, the first of which is everything."""

    name: str
    label: str | Promise
    choices: list[Choice] = field(default_factory=list)

    @property
    def chosen(self) -> Choice | None:
        """What it is set to, None when it leaves nothing out."""
        return next((choice for choice in self.choices if choice.active and choice.value), None)


@dataclass(frozen=True)
class Named:
    """The names that the read of the graph brought, for ids that the index holds."""

    tasks: Mapping[str, str]
    documents: Mapping[str, Document]

    def task(self, task_id: str) -> str:
        return self.tasks.get(task_id) or _("a deleted task")

    def document(self, key: str) -> str:
        found = self.documents.get(str(named_id("Document", key)))
        return (found and found.title) or key


@dataclass(frozen=True)
class _Choices:
    project_id: str
    filters: Filters

    def pick(self, name: str, values: _Values, total: int | None = None) -> Pick:
        """The filter `name` with values, labels and counts; what it is set to is always there."""
        now = str(getattr(self.filters, name) or "")
        full = (total or 0) >= CAP
        pick = Pick(name, FILTER_LABELS[name])
        for value, label, count in [("", _("Any"), total), *values]:
            url = queue_url(self.project_id, **self.filters.query(**{name: value}))
            capped = full and count is not None and not value
            pick.choices.append(Choice(value, label, url, value == now, count, capped))
        return pick


def picks_of(
    project_id: str,
    filters: Filters,
    facets: Mapping[str, Facet],
    bundles: Iterable[Bundle],
    named: Named,
) -> list[Pick]:
    """Every filter in the order of the page, without those that have nothing to choose."""
    made = _Choices(project_id, filters)
    picks = [
        made.pick(*_of(facets, "reason", filters.reason, words.reason_label)),
        made.pick(*_of(facets, "comparison", filters.comparison, comparison_label)),
        made.pick("document", _documents(bundles, filters, named)),
        made.pick(*_of(facets, "task", str(filters.task or ""), named.task)),
        made.pick(*_of(facets, "agent", filters.agent, who)),
        made.pick("claimed", [(one, str(CLAIMED_LABELS[one]), None) for one in CLAIMED]),
        made.pick("age", [(one, str(AGE_LABELS[one]), None) for one in AGES]),
    ]
    return [pick for pick in picks if len(pick.choices) > 1]


def _of(
    facets: Mapping[str, Facet], name: str, now: str, label: Callable[[str], str]
) -> tuple[str, _Values, int]:
    facet = facets[name]
    counted = dict(facet.counts.most_common(MOST))
    if now:
        counted.setdefault(now, facet.counts[now])
    return name, [(value, label(value), count) for value, count in counted.items()], facet.total


def _documents(bundles: Iterable[Bundle], filters: Filters, named: Named) -> _Values:
    """By title. One that is not there any more has no key to filter by."""
    counts: dict[str, int | None] = {}
    for bundle in bundles:
        document = named.documents.get(bundle.ref)
        if document is not None:
            counts[document.document_key] = bundle.number
    if filters.document:
        counts.setdefault(filters.document, None)
    return [(key, named.document(key), count) for key, count in counts.items()]


def order_choices(project_id: str, filters: Filters) -> list[Choice]:
    """The orders, with the one that holds."""
    return [
        Choice(
            order,
            str(ORDER_LABELS[order]),
            queue_url(project_id, **filters.query(order="" if order == "stake" else order)),
            filters.order == order,
        )
        for order in ORDERS
    ]
