"""The words of bulks: reasons, stages, endings. Never a raw code."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviewconsole.bulk_models import Bulk, Ending, Stage, WhyNot

__all__ = ["ending_words", "stage_words", "why_not_label", "why_not_words"]


def why_not_words(why: str, limit: int) -> str:
    """Why a decision is not judged in bulk, as a sentence. `limit` is the project's."""
    if why == WhyNot.RELIED_ON:
        return ngettext(
            "A decision or more rest on it.", "%(limit)s decisions or more rest on it.", limit
        ) % {"limit": limit}
    said = {
        WhyNot.NOT_COMPARED: _("Its supports are not compared yet; a worker is on its way."),
        WhyNot.OTHER_CAUSES: _("It waits for more than one cause, or somebody asked for a look."),
        WhyNot.DANGER: _("Something changed in or around a passage that may matter."),
        WhyNot.CHANGED: _("Something it cites is not as it was cited."),
        WhyNot.IN_BULK: _("It is in another bulk that is not over."),
        WhyNot.CLAIMED: _("A colleague has it in hand."),
        WhyNot.SET_ASIDE: _("Somebody wrote that they cannot judge it."),
        WhyNot.SNOOZED: _("It is snoozed."),
        WhyNot.MOVED: _("It, or something it cites, changed after it was checked."),
        WhyNot.JUDGED: _("It was judged meanwhile, or is gone."),
        WhyNot.REFUSED: _("The record refused it: something it cites can no longer be clear."),
        WhyNot.BUSY: _("Others kept changing the same records."),
    }
    return said[WhyNot(why)]


def why_not_label(why: str) -> str:
    """The same in a word or two, for a choice."""
    said = {
        WhyNot.NOT_COMPARED: _("Not compared yet"),
        WhyNot.OTHER_CAUSES: _("More than one cause"),
        WhyNot.DANGER: _("A change that may matter"),
        WhyNot.CHANGED: _("Not as cited"),
        WhyNot.RELIED_ON: _("Much rests on it"),
        WhyNot.IN_BULK: _("In another bulk"),
        WhyNot.CLAIMED: _("In a colleague’s hand"),
        WhyNot.SET_ASIDE: _("Set aside"),
        WhyNot.SNOOZED: _("Snoozed"),
        WhyNot.MOVED: _("Changed meanwhile"),
        WhyNot.JUDGED: _("Judged meanwhile"),
        WhyNot.REFUSED: _("Refused"),
        WhyNot.BUSY: _("Too busy"),
    }
    return said[WhyNot(why)]


def stage_words(bulk: Bulk) -> str:
    """How far a bulk is, in a word or two."""
    return {
        Stage.SAMPLING: _("its sample is judged singly"),
        Stage.RUNNING: _("is carried out"),
        Stage.DONE: _("is done"),
        Stage.ENDED: _("has ended"),
    }[Stage(bulk.stage)]


def ending_words(bulk: Bulk) -> str:
    """Why a bulk ended, as a sentence; nothing for one that did not."""
    said: dict[str, Any] = {
        Ending.SUPERSEDED: _("One of the sample was superseded."),
        Ending.REJECTED: _("One of the sample was rejected."),
        Ending.SET_ASIDE: _("One of the sample could not be judged."),
        Ending.UNDECIDED: _("One of the sample is gone, or no longer waits without a verdict."),
        Ending.STOPPED: _("It was ended by hand."),
        Ending.LAPSED: _("Nobody touched it for half a day."),
        Ending.FORBIDDEN: _("Whoever began it may no longer judge here."),
        Ending.WITHOUT_WHY: _("Its why quoted what was erased meanwhile, and went with it."),
    }
    return said.get(bulk.ending, "")
