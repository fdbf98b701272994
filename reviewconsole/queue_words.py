"""The words of the queue: orders, filters, dangers, and why the first is first."""

from collections.abc import Mapping

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from graphstore.evidence import Comparison
from reviewconsole import words
from reviewconsole.filters import Filters
from reviewconsole.models import FlaggedDecision
from reviewconsole.waiting import CAP

__all__ = [
    "AGE_LABELS",
    "CLAIMED_LABELS",
    "FILTER_LABELS",
    "ORDER_LABELS",
    "comparison_label",
    "danger_words",
    "filter_words",
    "first_because",
    "initials_of",
    "tone_of",
]

ORDER_LABELS: Mapping[str, Promise] = {
    "stake": gettext_lazy("Most at stake first"),
    "oldest": gettext_lazy("Oldest first"),
    "newest": gettext_lazy("Newest first"),
    "task": gettext_lazy("By task"),
}

FILTER_LABELS: Mapping[str, Promise] = {
    "reason": gettext_lazy("Reason"),
    "comparison": gettext_lazy("Comparison"),
    "document": gettext_lazy("Document"),
    "task": gettext_lazy("Task"),
    "agent": gettext_lazy("Agent"),
    "claimed": gettext_lazy("Claimed"),
    "age": gettext_lazy("Waiting"),
}

CLAIMED_LABELS: Mapping[str, Promise] = {
    "mine": gettext_lazy("By me"),
    "others": gettext_lazy("By somebody else"),
    "free": gettext_lazy("By nobody"),
}

AGE_LABELS: Mapping[str, Promise] = {
    "day": gettext_lazy("A day or longer"),
    "week": gettext_lazy("A week or longer"),
    "month": gettext_lazy("30 days or longer"),
}

_DANGERS: Mapping[str, Promise] = {
    "number": gettext_lazy("a number changed"),
    "unit": gettext_lazy("a unit changed"),
    "date": gettext_lazy("a date changed"),
    "negation": gettext_lazy("a “not” came or went"),
    "obligation": gettext_lazy("an obligation changed"),
    "limit": gettext_lazy("a limit changed"),
    "heading": gettext_lazy("its heading changed"),
    "neighbour": gettext_lazy("the text around it changed"),
    "elsewhere": gettext_lazy("changed elsewhere, too"),
}

_TONES: Mapping[str, frozenset[Comparison]] = {
    "gone": frozenset(
        {
            Comparison.REMOVED,
            Comparison.DELETED,
            Comparison.REDACTED,
            Comparison.NOT_FOUND,
            Comparison.REJECTED,
        }
    ),
    "edited": frozenset({Comparison.EDITED, Comparison.FLAGGED}),
    "moved": frozenset({Comparison.MOVED, Comparison.SURROUNDINGS_CHANGED}),
    "same": frozenset(
        {Comparison.VERBATIM, Comparison.IDENTICAL, Comparison.INTACT, Comparison.CLEAR}
    ),
}


def tone_of(comparison: str) -> str:
    """Which colour and pattern a comparison has in a bar."""
    return next((tone for tone, values in _TONES.items() if comparison in values), "unknown")


def comparison_label(comparison: str) -> str:
    """A comparison in the words of the glossary; what nobody knows as it is."""
    if comparison in Comparison:
        return words.COMPARISONS[Comparison(comparison)]
    return comparison.replace("_", " ")


def danger_words(codes: str) -> list[str]:
    """What may have changed the sense, in words, from codes joined by commas."""
    return [str(_DANGERS[code]) for code in codes.split(",") if code in _DANGERS]


def filter_words(filters: Filters) -> list[str]:
    """What a view of the queue shows, for a list of views."""
    own: Mapping[str, object] = {
        "reason": filters.reason and words.reason_label(filters.reason),
        "comparison": filters.comparison and comparison_label(filters.comparison),
        "document": filters.document,
        "task": filters.task and _("one task"),
        "agent": filters.agent,
        "claimed": CLAIMED_LABELS.get(filters.claimed, ""),
        "age": AGE_LABELS.get(filters.age, ""),
    }
    said = [
        _("%(filter)s: %(value)s") % {"filter": FILTER_LABELS[name], "value": value}
        for name, value in own.items()
        if value
    ]
    return [*said, str(ORDER_LABELS[filters.order])]


def first_because(row: FlaggedDecision) -> str:
    """Why this one stands before all others in the order by what is at stake."""
    waited = (timezone.now().timestamp() * 1_000_000 - row.flagged_us) / 1_000_000
    named = {
        "age": words.duration_words(max(0.0, waited)),
        "decisions": _decisions(row.dependents or 0),
        "tasks": _tasks(row.open_tasks or 0),
    }
    if row.dependents is None:
        return _("First for now, waiting %(age)s: what rests on it is still being counted.") % named
    if row.dependents and row.open_tasks:
        return _("First: %(decisions)s and %(tasks)s rest on it, waiting %(age)s.") % named
    if row.dependents:
        first = ngettext(
            "First: %(decisions)s rests on it, waiting %(age)s.",
            "First: %(decisions)s rest on it, waiting %(age)s.",
            row.dependents,
        )
        return first % named
    if row.open_tasks:
        first = ngettext(
            "First: %(tasks)s rests on it, waiting %(age)s.",
            "First: %(tasks)s rest on it, waiting %(age)s.",
            row.open_tasks,
        )
        return first % named
    if row.comparison != Comparison.NOT_COMPARED:
        named["comparison"] = comparison_label(row.comparison)
        return (
            _(
                "First: of what nothing rests on, this is the worst (%(comparison)s), waiting %(age)s."
            )
            % named
        )
    return _("First: nothing rests on any of them, and it has waited longest, %(age)s.") % named


def _decisions(number: int) -> str:
    return ngettext("%(number)s decision", "%(number)s decisions", number) % _counted(number)


def _tasks(number: int) -> str:
    return ngettext("%(number)s open task", "%(number)s open tasks", number) % _counted(number)


def _counted(number: int) -> dict[str, str]:
    return {"number": f"{CAP:,}+" if number >= CAP else f"{number:,}"}


def initials_of(name: str) -> str:
    """Two letters for a person."""
    return "".join(word[0] for word in name.replace(".", " ").replace("_", " ").split()[:2]).upper()
