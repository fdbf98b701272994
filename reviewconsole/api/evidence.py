"""What the API fetches itself of the passages that a call cites: nothing posted is believed."""

from collections.abc import Sequence

from graphstore.records import DocumentSupportInput, FetchOutcome, SupportInput
from reviewconsole.access import Scope
from reviewconsole.api.schemas import SupportBody
from reviewconsole.verdicts import WHOLE

__all__ = ["fetched", "inputs"]

MOST = 21
"""One more than any operation takes: the rest is refused, so it need not be read."""


def inputs(supports: Sequence[SupportBody]) -> list[SupportInput]:
    """The supports as the operations take them."""
    return [one.support() for one in supports]


def fetched(scope: Scope, supports: Sequence[SupportInput]) -> list[FetchOutcome]:
    """Each document support's passage as it stands now, in one read."""
    ids = [one.evidence_id for one in supports[:MOST] if isinstance(one, DocumentSupportInput)]
    return scope.documents.fetch_evidence(ids, max_chars=WHOLE) if ids else []
