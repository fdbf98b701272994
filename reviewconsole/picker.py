"""The passages among which a decision page lets a person choose for one document."""

from typing import Any

from graphstore.desk import SupportOnDesk
from reviewconsole.forms import VerdictForm, evidence_name
from reviewconsole.offers import Offer

__all__ = ["picker_of"]


def picker_of(form: VerdictForm, offer: Offer, shown: SupportOnDesk) -> dict[str, Any]:
    """The one shown as it stands now, those that are somebody's own choice, and the others.

    `own` are the one that somebody picked out of the text and the one chosen in the form.
    Without a `field` there is nothing to choose.
    """
    if offer.kind != "document" or not offer.keepable:
        return {"field": None}
    field = form[evidence_name(offer.index)]
    now = shown.passage.evidence_id if shown.passage else ""
    picked = form.picked.get(offer.index, ("", ""))[0]
    radios = [one for one in field if one.data["value"] != now]
    own = [one for one in radios if one.data["selected"] or one.data["value"] == picked]
    return {
        "field": field,
        "now": next((one for one in field if now and one.data["value"] == now), None),
        "own": [
            {
                "value": one.data["value"],
                "text": one.choice_label,
                "checked": one.data["selected"],
                "picked": one.data["value"] == picked,
            }
            for one in own
        ],
        "others": [one for one in radios if one not in own],
    }
