"""What the form of a new revision shows: the old words, what became of them, and each support."""

from typing import Any

from django.utils.translation import gettext as _

from graphstore.changed_words import describe_changes, diff_words
from graphstore.desk import Desk, SupportOnDesk
from graphstore.evidence import Comparison
from graphstore.records import DocumentSupport
from reviewconsole.forms import VerdictForm, support_name
from reviewconsole.offers import DROP, KEEP, PRESENT, Offer, old_texts

__all__ = ["born_flagged", "support_choice", "texts_of"]


def texts_of(desk: Desk, form: VerdictForm) -> dict[str, dict[str, Any]]:
    """For each text of a new revision its field, the old words, and what is typed instead.

    A browser with scripts shows the difference as it is typed; this is the same after a
    form came back, and for a draft.
    """
    return {
        name: {"field": form[name], "old": old, "difference": _difference(old, form[name].value())}
        for name, old in old_texts(desk.decision).items()
    }


def _difference(old: str, typed: object) -> dict[str, Any] | None:
    new = "\n".join(str(typed or "").strip().splitlines())
    if new == "\n".join(old.strip().splitlines()):
        return None
    segments, whole = diff_words(old, new)
    return {"segments": segments, "changes": describe_changes(segments), "whole": whole}


def support_choice(form: VerdictForm, offer: Offer, shown: SupportOnDesk) -> dict[str, Any] | None:
    """The radio buttons of one support, each with what follows from it; None for nothing to choose."""
    if not offer.choices:
        return None
    field = form[support_name(offer.index)]
    return {
        "field": field,
        "options": [
            {"radio": radio, "says": _says(str(radio.data["value"]), offer, shown)}
            for radio in field
        ],
    }


def _says(choice: str, offer: Offer, shown: SupportOnDesk) -> str:
    if choice == KEEP:
        return born_flagged(offer, shown)
    if choice == PRESENT and not offer.proposed:
        return _("the one chosen under Evidence")
    if choice == DROP and shown.comparison in (Comparison.CLEAR, Comparison.INTACT):
        return _("nothing happened to it")
    return ""


def born_flagged(offer: Offer, shown: SupportOnDesk) -> str:
    """Why a new revision that keeps this support as it is will be flagged at once; else nothing."""
    support = shown.support
    if isinstance(support, DocumentSupport):
        if offer.quiet or shown.document is None:
            return ""
        return _("born flagged, because the document is at version %(now)s by now") % {
            "now": shown.document.activation_seq
        }
    if shown.comparison == Comparison.FLAGGED:
        return _("born flagged, because that decision waits for review itself")
    return ""
