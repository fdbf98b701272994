"""One document: its text, its versions, who cites it, and what each version changed."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from graphstore.records import Document, DocumentVersion
from graphstore.results import VersionText
from reviewconsole import words
from reviewconsole.access import Role, Scope, enter
from reviewconsole.addresses import document_url, documents_url, version_url
from reviewconsole.document_page import (
    LATEST,
    cited_passages,
    citers,
    head,
    mark_here,
    marks,
    passages_of_removed,
    version_number,
    versions,
)
from reviewconsole.document_text import Changes, changes_between, folded_text
from reviewconsole.pages import page

VERSIONS = 10
CITERS = 25
NEWER, AROUND = 50, 100
"""How many versions around the one shown are offered to compare it with."""


@require_safe
def show_document(request: HttpRequest, project: str, document_key: str) -> HttpResponse:
    """The current text with the passages that are cited, the versions, and who cites it."""
    scope = enter(request, project)
    lookup = scope.documents.get_document(document_key)
    if lookup.document is None:
        raise Http404
    before = version_number(request.GET.get("before"))
    log = scope.documents.list_versions(document_key, before_seq=before, limit=VERSIONS)
    older = log.next_before_seq
    context = {
        **head(scope, lookup.document),
        **_cited(request, scope, lookup.document, lookup.text, log.versions),
        "text": lookup.text,
        "versions": versions(project, lookup.document, log.versions),
        "older_url": document_url(project, document_key, before=older) if older else None,
        "newest_url": document_url(project, document_key) if before else None,
        "granted": lookup.granted,
        "may_grant": scope.may(Role.ADMIN),
        "grant_url": documents_url(project),
    }
    return page(request, "document.html", context)


def _cited(
    request: HttpRequest,
    scope: Scope,
    document: Document,
    text: str | None,
    log: list[DocumentVersion],
) -> dict[str, Any]:
    """Who cites the document, and its text with the passages marked that they cite."""
    project, key, cursor = scope.project_id, document.document_key, request.GET.get("citers")
    try:
        listed = scope.documents.list_citers(key, cursor=cursor or None, limit=CITERS)
    except ValueError:
        raise Http404 from None
    ids = [identity for citer in listed.citers for identity in citer.evidence_ids]
    passages = (
        passages_of_removed(scope, key, ids, log)
        if document.removed
        else cited_passages(scope, key, ids, text)
    )
    standing, more = marks(passages.values()), listed.next_cursor
    named = request.GET.get("passage", "")
    here = mark_here(named, document, document.current_content_hash, text or "")
    return {
        "blocks": folded_text(text or "", [*here, *standing]),
        "here": bool(here),
        "standing": len(standing),
        "citers": citers(project, document, listed.citers, passages),
        "more_citers_url": document_url(project, key, citers=more) if more else None,
        "first_citers_url": document_url(project, key) if cursor else None,
    }


@require_safe
def show_version(request: HttpRequest, project: str, document_key: str, seq: int) -> HttpResponse:
    """What one version says, and what it changed against the one before it or a named one."""
    scope = enter(request, project)
    if seq >= LATEST:
        raise Http404
    lookup = scope.documents.get_document(document_key)
    here = scope.documents.get_version(document_key, seq)
    if lookup.document is None or not here.found or here.version is None:
        raise Http404
    log = scope.documents.list_versions(document_key, before_seq=seq + NEWER, limit=AROUND)
    asked, said = request.GET.get("passage", ""), here.version.content_hash
    named = mark_here(asked, lookup.document, said, here.text or "")
    context = {
        **head(scope, lookup.document),
        **_compared(request, scope, lookup.document, here, seq, log.versions),
        "version": here.version,
        "version_words": words.VERSION_VERBS[here.version.verb],
        "current": seq == lookup.document.activation_seq,
        "text": here.text,
        "blocks": folded_text(here.text or "", named),
        "here": bool(named),
        "newer_url": _beside(project, document_key, log.versions, seq, 1),
        "older_url": _beside(project, document_key, log.versions, seq, -1),
        "here_url": version_url(project, document_key, seq),
    }
    return page(request, "document_version.html", context)


def _compared(
    request: HttpRequest,
    scope: Scope,
    document: Document,
    here: VersionText,
    seq: int,
    log: list[DocumentVersion],
) -> dict[str, Any]:
    """The version that this one is compared with, what became of it, and the others to choose."""
    readable = [v for v in log if v.activation_seq != seq and v.verb in ("add", "update")]
    earlier = (v.activation_seq for v in readable if v.activation_seq < seq)
    asked = version_number(request.GET.get("against"))
    wanted = asked if asked and asked != seq else max(earlier, default=None)
    other = scope.documents.get_version(document.document_key, wanted) if wanted else None
    if other is not None and not other.found:
        raise Http404
    choices = versions(scope.project_id, document, readable)
    return {
        "against": other.version if other else None,
        "against_lost": other is not None and other.text is None,
        "changes": _changes(other, here),
        "choices": [{**one, "chosen": one["version"].activation_seq == wanted} for one in choices],
    }


def _changes(other: VersionText | None, here: VersionText) -> Changes | None:
    """From the older to the newer of the two, where both can be read."""
    if other is None or other.text is None or here.text is None:
        return None
    if (
        other.version
        and here.version
        and other.version.activation_seq > here.version.activation_seq
    ):
        return changes_between(here.text, other.text)
    return changes_between(other.text, here.text)


def _beside(project: str, key: str, log: list[DocumentVersion], seq: int, step: int) -> str | None:
    """The nearest version after this one (`step` 1) or before it (-1)."""
    further = [v.activation_seq for v in log if (v.activation_seq - seq) * step > 0]
    nearest = min(further, key=lambda one: abs(one - seq), default=None)
    return version_url(project, key, nearest) if nearest is not None else None
