"""Passages that a person picked out of a present text, as a page that is drawn again finds them."""

from collections.abc import Iterable, Mapping

from graphstore.ids import MalformedEvidenceId, parse_evidence_id
from graphstore.records import FetchStatus, VersionStatus
from reviewconsole.access import Scope
from reviewconsole.forms import Passage, picked_name
from reviewconsole.offers import WHOLE, Offer

__all__ = ["picked_passages"]


def picked_passages(
    scope: Scope, offers: Iterable[Offer], typed: Mapping[str, str]
) -> dict[int, Passage]:
    """By support, what `typed` says was picked, where it still stands in the present text.

    One read of the graph, and none where nothing was picked.
    """
    wanted = {
        offer.index: picked
        for offer in offers
        if offer.kind == "document" and offer.keepable
        if (picked := typed.get(picked_name(offer.index), "")) and _names(picked, offer.ref)
    }
    if not wanted:
        return {}
    ids = list(dict.fromkeys(wanted.values()))
    fetched = scope.documents.fetch_evidence(ids, max_chars=WHOLE)
    standing = {
        one.evidence_id: one.text
        for one in fetched
        if one.status is FetchStatus.OK and one.status_of_version is VersionStatus.CURRENT
    }
    return {
        index: (picked, text)
        for index, picked in wanted.items()
        if (text := standing.get(picked)) is not None
    }


def _names(evidence_id: str, document_id: str) -> bool:
    try:
        return parse_evidence_id(evidence_id).document_id == document_id
    except MalformedEvidenceId:
        return False
