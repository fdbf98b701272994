"""What the pages of a bundle and of its bulk draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from graphstore.records import Document
from graphstore.review_feed import QueueRow, cause_documents, queue_rows
from reviewconsole import words
from reviewconsole.access import Role, Scope
from reviewconsole.addresses import (
    bulk_start_url,
    bulk_url,
    bundle_url,
    decision_url,
    document_url,
    documents_url,
    open_url,
    queue_url,
)
from reviewconsole.bulk_models import Bulk, WhyNot
from reviewconsole.bulk_rules import FEWEST, sample_size
from reviewconsole.bulk_words import stage_words, why_not_label, why_not_words
from reviewconsole.bulks import Offered, open_bulk
from reviewconsole.bundles import Bundle, BundlePlace, Cause, causes_of, documents_among, rooted
from reviewconsole.models import CauseKind, FlaggedDecision
from reviewconsole.queue_words import danger_words
from reviewconsole.review_index import drop_unconfirmed
from reviewconsole.waiting import CAP, from_us

__all__ = ["Listed", "bundle_context", "known_why", "list_rows", "start_context"]

PAGE = 50


@dataclass(frozen=True)
class Listed:
    """One page of rows with their texts, and the documents that are among their causes."""

    rows: list[tuple[FlaggedDecision, QueueRow]]
    causes: Mapping[int, Sequence[Cause]]
    documents: Mapping[str, Document]
    after: BundlePlace | None


def list_rows(scope: Scope, rows: Any, document: str, after: BundlePlace | None) -> Listed:
    """One page, root first, each row confirmed by the graph: two reads.

    Rows that the graph does not confirm are dropped; the page is then that much shorter.
    """
    found = list(rooted(rows, after)[: PAGE + 1])
    more, shown = len(found) > PAGE, found[:PAGE]
    known = {
        row.decision.id: row
        for row in queue_rows(scope.store, scope.project_id, [row.decision_id for row in shown])
    }
    drop_unconfirmed(row for row in shown if row.decision_id not in known)
    causes = causes_of(shown)
    ids = [document, *documents_among(causes.values())]
    return Listed(
        rows=[(row, known[row.decision_id]) for row in shown if row.decision_id in known],
        causes=causes,
        documents=cause_documents(scope.store, scope.project_id, ids),
        after=BundlePlace.of(shown[-1]) if more else None,
    )


def bundle_context(
    scope: Scope, key: str, document: str, bundle: Bundle, listed: Listed, offered: Offered | None
) -> dict[str, Any]:
    """Everything that `bundle.html` draws. `offered` is None for whoever may not judge."""
    project = scope.project_id
    rows = [_row(scope, key, document, row, found, listed) for row, found in listed.rows]
    known = listed.documents.get(document)
    bulk = open_bulk(scope, document) if offered else None
    return {
        **_document(project, key, known),
        "bundle": bundle,
        "versions": _versions(bundle, known),
        "capped": bundle.waiting >= CAP,
        "rows": rows,
        "start_url": rows[0]["url"] if rows else None,
        "offered": offered,
        "comparing": offered.whys.get(WhyNot.NOT_COMPARED, 0) if offered else 0,
        "bulk": _bulk(project, bulk),
        "bulk_start_url": bulk_start_url(project, key),
        "queue_url": queue_url(project),
        "next_url": bundle_url(project, key, after=str(listed.after)) if listed.after else None,
    }


def start_context(
    scope: Scope, key: str, document: str, listed: Listed, offered: Offered, why: str
) -> dict[str, Any]:
    """Everything that `bulk_start.html` draws: what qualifies, and of the rest why not."""
    project = scope.project_id
    following = bulk_start_url(project, key, why=why, after=str(listed.after or ""))
    bulk = open_bulk(scope, document)
    return {
        **_document(project, key, listed.documents.get(document)),
        "offered": offered,
        "fewest": FEWEST,
        "sample": sample_size(offered.qualify),
        "bulk": _bulk(project, bulk),
        "choices": _choices(project, key, offered, why),
        "why": why,
        "why_words": why_not_words(why, offered.limit) if why else "",
        "rows": [_row(scope, key, document, row, found, listed) for row, found in listed.rows],
        "next_url": following if listed.after else None,
        "post_url": bulk_start_url(project, key),
        "may_settle": scope.may(Role.MANAGER),
    }


def _document(project: str, key: str, known: Document | None) -> dict[str, Any]:
    return {
        "title": (known and known.title) or key,
        "document_url": document_url(project, key) if known else None,
        "documents_url": documents_url(project),
        "bundle_url": bundle_url(project, key),
    }


def _bulk(project: str, bulk: Bulk | None) -> dict[str, Any] | None:
    if bulk is None:
        return None
    return {
        "size": bulk.size,
        "words": stage_words(bulk),
        "url": bulk_url(project, bulk.uuid),
    }


def _versions(bundle: Bundle, document: Document | None) -> dict[str, int] | None:
    """From which version to which the document went while these decisions waited."""
    last = max(bundle.newest or 0, document.activation_seq if document else 0)
    if bundle.cited is None or bundle.cited >= last:
        return None
    return {"first": bundle.cited, "last": last, "changes": last - bundle.cited}


def _choices(project: str, key: str, offered: Offered, why: str) -> list[dict[str, Any]]:
    listed = [("", _("Qualify"), offered.qualify)]
    listed += [(one.value, why_not_label(one), number) for one, number in offered.whys.items()]
    return [
        {
            "label": label,
            "count": number,
            "url": bulk_start_url(project, key, why=value),
            "active": value == why,
        }
        for value, label, number in listed
    ]


def _row(
    scope: Scope,
    key: str,
    document: str,
    row: FlaggedDecision,
    found: QueueRow,
    listed: Listed,
) -> dict[str, Any]:
    direct = row.reason != "dependency_review"
    dependents = min(found.dependents, CAP)
    return {
        "decision": found.decision,
        "url": open_url(scope.project_id, row.decision_id, document=key),
        "reason": row.reason,
        "reason_words": words.reason_words(row.reason),
        "comparison": row.comparison,
        "dangers": danger_words(row.dangers),
        "dependents": dependents,
        "dependents_capped": found.dependents >= CAP,
        "root": direct and dependents > 0,
        "waiting_since": from_us(row.flagged_us),
        "others": [
            _other(scope.project_id, cause, listed.documents)
            for cause in listed.causes.get(row.pk, ())
            if (cause.kind, cause.ref) != (CauseKind.DOCUMENT, document)
        ],
    }


def _other(project: str, cause: Cause, documents: Mapping[str, Document]) -> dict[str, str]:
    """Another cause of the same flag, with the page on which it stands."""
    match cause.kind:
        case CauseKind.DOCUMENT:
            known = documents.get(cause.ref)
            if known is None:
                return {"words": _("a document that is gone"), "url": ""}
            url = bundle_url(project, known.document_key)
            return {"words": known.title or known.document_key, "url": url}
        case CauseKind.EVENT:
            return {"words": _("an event that was redacted"), "url": ""}
        case CauseKind.DECISION:
            return {"words": _("a decision further up"), "url": decision_url(project, cause.ref)}
        case _:
            return {"words": _("somebody who asked for a look"), "url": ""}


def known_why(text: str) -> str:
    """The reason that an address names; nothing when it names none."""
    return text if text in WhyNot.values else ""
