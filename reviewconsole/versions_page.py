"""What the page of the versions between two shows."""

from typing import Any
from uuid import UUID

from graphstore.versions_between import OneVersion, VersionsBetween
from reviewconsole.addresses import (
    decision_url,
    document_url,
    version_url,
    versions_between_url,
)
from reviewconsole.danger_words import around_words
from reviewconsole.document_page import title_of
from reviewconsole.words import VERSION_VERBS

__all__ = ["context_of"]


def context_of(project: str, decision_id: UUID, found: VersionsBetween) -> dict[str, Any]:
    """Everything `versions_between.html` draws."""
    document, support = found.document, found.support
    key, own = document.document_key, support.recorded_activation_seq or 0
    further = found.next_after
    return {
        "between": found,
        "title": title_of(document),
        "steps": [_step(project, key, one) for one in found.versions],
        "first": found.after <= own,
        "decision_url": decision_url(project, decision_id),
        "document_url": document_url(project, key),
        "first_url": versions_between_url(project, decision_id, support.id),
        "more_url": versions_between_url(project, decision_id, support.id, after=further)
        if further
        else None,
    }


def _step(project: str, key: str, one: OneVersion) -> dict[str, Any]:
    return {
        "one": one,
        "words": VERSION_VERBS[one.version.verb],
        "url": version_url(project, key, one.version.activation_seq, against=one.against),
        "warnings": around_words(one),
    }
