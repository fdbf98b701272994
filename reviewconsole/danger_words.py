"""What the reader of a cited passage must not miss, in sentences."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from graphstore.dangers import Danger
from graphstore.desk import SupportOnDesk
from graphstore.evidence import Comparison
from graphstore.versions_between import OneVersion
from reviewconsole.directions import closed

__all__ = ["around_words", "warnings_of"]

_BESIDE = (Comparison.VERBATIM, Comparison.SURROUNDINGS_CHANGED)


def warnings_of(shown: SupportOnDesk) -> list[str]:
    """Sentences about what changed around the passage and elsewhere, the nearest first.

    What changed in its own words is said apart, by `shown.changes`.
    """
    back = _("The text changed since it was cited, and changed back.")
    return [*([back] if shown.changed_back else []), *around_words(shown)]


def around_words(shown: SupportOnDesk | OneVersion) -> list[str]:
    """What changed around the passage and elsewhere, from one version to a later one."""
    said: list[str] = []
    if Danger.HEADING in shown.dangers:
        said.append(_heading(shown.heading_then, shown.heading_now))
    if Danger.NEIGHBOUR in shown.dangers and shown.comparison in _BESIDE:
        said.append(_("Its words stand as they were, but what stands next to them changed."))
    if Danger.ELSEWHERE in shown.dangers:
        said.append(_("Elsewhere in the document something changed that speaks of the same."))
    return said


def _heading(then: Sequence[str], now: Sequence[str]) -> str:
    if not now:
        return _("It stood under “%(then)s”, and stands under no heading now.") % {
            "then": _path(then)
        }
    if not then:
        return _("It stood under no heading, and stands under “%(now)s” now.") % {"now": _path(now)}
    return _("It stood under “%(then)s”, and stands under “%(now)s” now.") % {
        "then": _path(then),
        "now": _path(now),
    }


def _path(titles: Sequence[str]) -> str:
    return " › ".join(closed(title) for title in titles)
