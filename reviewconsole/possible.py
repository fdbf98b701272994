"""What each verdict would need, said before it is chosen."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from graphstore.desk import Desk
from graphstore.evidence import Comparison
from graphstore.records import DecisionStatus, ReviewState
from graphstore.results import Blocker
from reviewconsole.addresses import decision_url
from reviewconsole.offers import Offer
from reviewconsole.problems import BLOCKED

__all__ = ["doing_nothing", "possible_verdicts"]

Possible = dict[str, Any]

_UNREAD = {Comparison.FAILED, Comparison.NOT_COMPARED}


def possible_verdicts(project: str, desk: Desk, offers: Sequence[Offer]) -> dict[str, Possible]:
    """For each verdict: `yes`, `after` something that is linked, or `no`, and why."""
    if desk.decision.status != DecisionStatus.ACTIVE:
        closed = _closed(project, desk)
        return {"reaffirm": closed, "supersede": closed, "reject": closed}
    return {
        "reaffirm": _reaffirm(project, desk, offers),
        "supersede": _supersede(offers),
        "reject": _say("yes", _("It stops standing; who cites it is told to look again.")),
    }


def doing_nothing(desk: Desk) -> str:
    """What it means when nobody gives a verdict."""
    below = sum(one.review_state == ReviewState.NEEDS_REVIEW for one in desk.dependents.decisions)
    stays = _("It stays flagged: it still stands, and whoever reads it is told to look again.")
    if not below:
        return stays
    rest = ngettext(
        "So does %(count)s decision that rests on it and cannot be reaffirmed before it.",
        "So do %(count)s decisions that rest on it and cannot be reaffirmed before it.",
        below,
    ) % {"count": below}
    return f"{stays} {rest}"


def _say(state: str, sentence: str, links: list[dict[str, str]] | None = None) -> Possible:
    return {"state": state, "sentence": sentence, "links": links or []}


def _closed(project: str, desk: Desk) -> Possible:
    newest = next(iter(desk.revisions), desk.decision)
    links = []
    if newest.id != desk.decision.id:
        links = [
            {
                "label": _("Open revision %(number)s") % {"number": newest.revision},
                "url": decision_url(project, newest.id),
            }
        ]
    superseded = desk.decision.status == DecisionStatus.SUPERSEDED
    sentence = (
        _("This revision was superseded; only an active one can be judged.")
        if superseded
        else _("This revision was rejected; only an active one can be judged.")
    )
    return _say("no", sentence, links)


def _reaffirm(project: str, desk: Desk, offers: Sequence[Offer]) -> Possible:
    if blockers := desk.blockers:
        later = all(blocker.cause.possible_later for blocker in blockers)
        worst = next((one for one in blockers if not one.cause.possible_later), blockers[0])
        return _say("after" if later else "no", _blocked(worst), _links(project, blockers))
    if any(shown.comparison in _UNREAD for shown in desk.supports):
        return _say(
            "after", _("A cited document could not be read just now. Reload the page first.")
        )
    picks = sum(offer.kind == "document" and not offer.proposed for offer in offers)
    if picks:
        sentence = ngettext(
            "%(count)s cited passage is not there word for word: pick what it stands on now, and "
            "say why.",
            "%(count)s cited passages are not there word for word: pick what it stands on now, "
            "and say why.",
            picks,
        )
        return _say("yes", sentence % {"count": picks})
    if any(shown.dangers for shown in desk.supports):
        return _say(
            "yes",
            _(
                "Every cited passage stands word for word, but not everything around it does: "
                "read what is said before each."
            ),
        )
    if any(offer.kind == "document" for offer in offers):
        return _say("yes", _("Every cited passage stands word for word in the text as it is now."))
    return _say("yes", _("Everything that it stands on is clear."))


def _blocked(blocker: Blocker) -> str:
    return _(BLOCKED[blocker.cause]).format(label=blocker.label)


def _links(project: str, blockers: Sequence[Blocker]) -> list[dict[str, str]]:
    return [
        {"label": blocker.label, "url": decision_url(project, blocker.ref)}
        for blocker in blockers
        if blocker.support_kind == "decision" and blocker.cause != "parent_gone"
    ]


def _supersede(offers: Sequence[Offer]) -> Possible:
    if not any(offer.choices for offer in offers):
        return _say(
            "no", _("Nothing that it cites can be cited again, and a new revision needs support.")
        )
    return _say("yes", _("A new revision replaces it; this one stays readable."))
