"""What the pages of documents show, from the lookups that their views made."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from graphstore.citation import public_uri
from graphstore.ids import EvidenceReference, MalformedEvidenceId, parse_evidence_id
from graphstore.records import (
    Decision,
    Document,
    DocumentSupport,
    DocumentVersion,
    FetchOutcome,
    ReviewState,
)
from graphstore.results import Citer, DocumentPlan
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.addresses import (
    change_document_url,
    decision_url,
    document_url,
    documents_url,
    queue_url,
    remove_document_url,
    version_url,
)
from reviewconsole.document_text import Mark, place_of
from reviewconsole.models import CauseKind, FlagCause

__all__ = [
    "HERE",
    "LATEST",
    "Cited",
    "cited_passages",
    "citers",
    "head",
    "mark_here",
    "marks",
    "passages_of_removed",
    "title_of",
    "version_number",
    "versions",
    "waiting_for",
    "would_flag",
]

WHOLE = 1_000_000
MOST_PASSAGES = 200
"""Passages read for one page; further ones are not looked for in the text."""

MOST_VERSIONS = 3
MOST_COUNTED = 5_000
MOST_LISTED = 50
QUOTE_CHARS = 240


HERE = "passage-here"
"""The place of the passage that an address names, on the page of its document."""

LATEST = 2**52
"""No version is later."""


def version_number(text: str | None) -> int | None:
    """A version's number out of an address; what is none counts as not given."""
    if text and text.isascii() and text.isdigit() and 0 < int(text[:17]) < LATEST:
        return int(text[:17])
    return None


def title_of(document: Document) -> str:
    return document.title or document.document_key


def head(scope: Scope, document: Document) -> dict[str, Any]:
    """What stands at the top of every page of one document."""
    project, key = scope.project_id, document.document_key
    counts, more = waiting_for(project, [document])
    return {
        "document": document,
        "title": title_of(document),
        "address": public_uri(document.uri),
        "documents_url": documents_url(project),
        "document_url": document_url(project, key),
        "change_url": change_document_url(project, key),
        "remove_url": remove_document_url(project, key),
        "queue_url": queue_url(project, document=key),
        "waiting": counts[str(document.id)],
        "waiting_capped": more,
        "librarian": scope.librarian,
    }


def waiting_for(project_id: str, documents: Iterable[Document]) -> tuple[dict[str, int], bool]:
    """How many decisions wait because of each document, by its id, and whether there are more.

    At most 5,000 are counted in all: a page costs what it shows.
    """
    counts = {str(document.id): 0 for document in documents}
    causes = (
        FlagCause.objects.filter(
            kind=CauseKind.DOCUMENT,
            ref__in=list(counts),
            flagged__project_id=project_id,
            flagged__cleared_us__isnull=True,
        )
        .values_list("ref", "flagged_id")
        .distinct()[:MOST_COUNTED]
    )
    for ref, _flagged in causes:
        counts[ref] += 1
    return counts, sum(counts.values()) == MOST_COUNTED


def versions(
    project_id: str, document: Document, listed: Sequence[DocumentVersion]
) -> list[dict[str, Any]]:
    """The change log, newest first, each with a link to what it changed."""
    key = document.document_key
    return [
        {
            "version": version,
            "words": words.VERSION_VERBS[version.verb],
            "url": version_url(project_id, key, version.activation_seq),
            "current": version.activation_seq == document.activation_seq,
        }
        for version in listed
    ]


@dataclass(frozen=True)
class Cited:
    """One passage that decisions cite: its text, and where it stands now, if it does."""

    evidence_id: str
    text: str | None
    place: tuple[int, int] | None
    number: int = 0
    """Its number among the passages that stand in the text, in the order of the text."""

    @property
    def quote(self) -> str:
        plain = " ".join((self.text or "").split())
        if len(plain) <= QUOTE_CHARS:
            return plain
        return f"{plain[:QUOTE_CHARS].rsplit(' ', 1)[0]} …"


def cited_passages(
    scope: Scope, key: str, evidence_ids: Iterable[str], text: str | None
) -> dict[str, Cited]:
    """The passages by evidence id, each looked for in `text`, in one read of the graph."""
    wanted = list(dict.fromkeys(evidence_ids))[:MOST_PASSAGES]
    if not wanted:
        return {}
    fetched = scope.documents.fetch_evidence(wanted, max_chars=WHOLE, scope=frozenset({key}))
    places = {one.evidence_id: _place(one, text) for one in fetched}
    standing = sorted({place for place in places.values() if place})
    numbers = {place: number for number, place in enumerate(standing, start=1)}
    return {
        one.evidence_id: Cited(
            one.evidence_id, one.text, place, numbers[place] if place is not None else 0
        )
        for one in fetched
        for place in [places[one.evidence_id]]
    }


def passages_of_removed(
    scope: Scope, key: str, evidence_ids: Iterable[str], log: Sequence[DocumentVersion]
) -> dict[str, Cited]:
    """The passages of a removed document, cut out of the versions that were cited.

    Nothing of it can be fetched as evidence any more; people may still read what was
    cited. At most three versions are read.
    """
    wanted = [(i, reference) for i in dict.fromkeys(evidence_ids) if (reference := _span(i))]
    seqs = {
        reference.hash_prefix: version.activation_seq
        for _, reference in wanted
        for version in log
        if (version.content_hash or "").startswith(reference.hash_prefix)
    }
    kept = list(seqs.items())[:MOST_VERSIONS]
    texts = {prefix: scope.documents.get_version(key, seq).text for prefix, seq in kept}
    return {
        identity: Cited(identity, (texts.get(r.hash_prefix) or "")[r.start : r.end] or None, None)
        for identity, r in wanted
    }


def _span(identity: str) -> EvidenceReference | None:
    """The characters of a version that an evidence id names, if it does so."""
    try:
        reference = parse_evidence_id(identity)
    except MalformedEvidenceId:
        return None
    return reference if reference.kind == "span" else None


def _place(fetched: FetchOutcome, text: str | None) -> tuple[int, int] | None:
    if not fetched.text or text is None:
        return None
    near = fetched.covered_range[0] if fetched.covered_range else 0
    return place_of(fetched.text, text, near)


def mark_here(named: str, document: Document, content_hash: str | None, text: str) -> list[Mark]:
    """The passage that an address names by its evidence id, where it stands in this very text."""
    reference = _span(named)
    if reference is None or reference.document_id != str(document.id):
        return []
    start, end = reference.start or 0, reference.end or 0
    here = (content_hash or "").startswith(reference.hash_prefix) and end <= len(text)
    return [Mark(0, start, end)] if here else []


def marks(passages: Iterable[Cited]) -> list[Mark]:
    """The places of passages, each once."""
    found = {one.number: one.place for one in passages if one.place}
    return [Mark(number, *place) for number, place in sorted(found.items())]


def citers(
    project_id: str, document: Document, listed: Sequence[Citer], passages: dict[str, Cited]
) -> list[dict[str, Any]]:
    """Who cites the document: the decision, and each passage with whether it stands."""
    anchored: set[int] = set()
    rows: list[dict[str, Any]] = []
    for citer in listed:
        shown = [passages[i] for i in citer.evidence_ids if i in passages]
        first = [p.number for p in shown if p.number and p.number not in anchored]
        anchored |= set(first)
        rows.append(
            {
                "decision": citer.decision,
                "url": decision_url(project_id, citer.decision.id),
                "passages": shown,
                "anchors": list(dict.fromkeys(first)),
                "from_words": _from_words(citer.cited_seq, document),
            }
        )
    return rows


def _from_words(seq: int | None, document: Document) -> str:
    if seq is None:
        return _("cited from an earlier version")
    if seq == document.activation_seq:
        return _("cited from version %(cited)s, the newest") % {"cited": seq}
    return _("cited from version %(cited)s") % {"cited": seq}


def would_flag(
    scope: Scope, document_key: str, plan: DocumentPlan, text: str | None
) -> dict[str, Any]:
    """What a plan says about decisions of the project: who, how, and whose passage stays.

    `text` is what the document shall say; None when it is removed.
    """
    shown = plan.flagged[:MOST_LISTED]
    cites = {decision.id: _cites(decision, document_key) for decision in shown}
    passages = (
        cited_passages(scope, document_key, (i for ids in cites.values() for i in ids), text)
        if text is not None
        else {}
    )
    lines = [
        {
            "decision": decision,
            "url": decision_url(scope.project_id, decision.id),
            "direct": bool(cites[decision.id]),
            "waits": decision.review_state == ReviewState.NEEDS_REVIEW,
            "stays": _stays(cites[decision.id], passages),
        }
        for decision in shown
    ]
    lines.sort(key=lambda line: not line["direct"])
    total = len(plan.flagged)
    return {
        "lines": lines,
        "total": total,
        "more": total - len(shown),
        "direct": plan.direct,
        "through": total - plan.direct,
        "waits": sum(d.review_state == ReviewState.NEEDS_REVIEW for d in plan.flagged),
        "at_least": plan.left_to_job,
        "changing": sum(line["stays"] is False for line in lines),
        "staying": sum(line["stays"] is True for line in lines),
        "tasks": len({decision.task_id for decision in plan.flagged}),
    }


def _cites(decision: Decision, document_key: str) -> list[str]:
    """The evidence ids of its passages of this document."""
    return [
        support.evidence_id
        for support in decision.supports
        if isinstance(support, DocumentSupport)
        and support.current
        and support.document_key == document_key
    ]


def _stays(evidence_ids: Sequence[str], passages: dict[str, Cited]) -> bool | None:
    """Whether all that it cites stands in the new text word for word; None when unknown."""
    found = [passages[i] for i in evidence_ids if i in passages and passages[i].text]
    if not found:
        return None
    return all(one.place is not None for one in found)
