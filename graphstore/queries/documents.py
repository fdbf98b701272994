"""Reads of documents, their versions and the passages that evidence ids name."""

from collections.abc import Sequence
from uuid import UUID

from graphstore import rows
from graphstore.citation import citation_markdown, public_uri
from graphstore.ids import MalformedEvidenceId, named_id, parse_evidence_id
from graphstore.operations import citing
from graphstore.passages import Passage, covered, version_text
from graphstore.queries.tasks import cursor_of, parse_cursor
from graphstore.records import (
    Document,
    DocumentSupportInput,
    EvidenceLocation,
    FetchedReference,
    FetchOutcome,
    FetchStatus,
    VersionStatus,
)
from graphstore.results import (
    Citer,
    CiterPage,
    DocumentLookup,
    DocumentPage,
    VersionPage,
    VersionText,
)
from graphstore.rows import Row
from graphstore.store import GraphStore, steady

MAX_PAGE = 200


def get_document(
    store: GraphStore, project_id: str, document_key: str, *, scope: frozenset[str] = frozenset()
) -> DocumentLookup:
    """A document with its current text, when the project may read it or `scope` names it."""
    p = {"project_id": project_id, "document_id": named_id("Document", document_key)}
    found = store.read("get_document", p)
    if not found or not (found[0][2] or document_key in scope):
        return DocumentLookup(found=False)
    row, chunks, _, granted = found[0]
    text = version_text(c for c in chunks if rows.found(c))
    return DocumentLookup(
        found=True,
        document=rows.document(row),
        text=text[0] if text else None,
        granted=granted,
    )


def list_documents(
    store: GraphStore, project_id: str, *, cursor: str | None = None, limit: int = 50
) -> DocumentPage:
    """Documents that the project may read, by key, `limit` (1 to 200) at a time.

    Costs the page: candidates come from the project's own index of what it ever cited or
    was granted, and each is confirmed. What another writer recorded is in it once the
    review queue has taken the decision in.
    """
    size = max(1, min(limit, MAX_PAGE))
    after, listed = cursor or "", list[Document]()
    while True:
        p = {"project_id": project_id, "after": after, "limit": size + 1}
        candidates = store.read("list_documents", p)
        listed += [rows.document(row) for row, in_scope in candidates if in_scope]
        if len(listed) > size or len(candidates) <= size:
            break
        after = rows.document(candidates[-1][0]).document_key
    more = len(listed) > size
    return DocumentPage(
        documents=listed[:size], next_cursor=listed[size - 1].document_key if more else None
    )


def list_citers(
    store: GraphStore,
    project_id: str,
    document_key: str,
    *,
    cursor: str | None = None,
    limit: int = 50,
    scope: frozenset[str] = frozenset(),
) -> CiterPage:
    """Active decisions of the project that cite a document now, newest first.

    `limit` is 1 to 200. Empty outside the scope. Raises `ValueError` for a cursor that
    no page gave.
    """
    size = max(1, min(limit, MAX_PAGE))
    before, identity = parse_cursor(cursor)
    p = {
        "project_id": project_id,
        "document_id": named_id("Document", document_key),
        "before": before.isoformat(),
        "before_id": identity or "~",
        "limit": size + 1,
    }
    found = steady(lambda: store.read("list_citers", p))
    if not found or not (found[0][2] or document_key in scope):
        return CiterPage()
    _, after, _, listed = found[0]
    citers = [
        Citer(
            decision=rows.decision(decision, name or "", supports, travelling=bool(after[0])),
            evidence_ids=sorted(evidence),
            cited_seq=cited,
        )
        for decision, name, supports, evidence, cited in listed
    ]
    more = len(citers) > size
    citers = citers[:size]
    last = citers[-1].decision if citers else None
    return CiterPage(
        citers=citers,
        next_cursor=cursor_of(last.created_at, last.id) if more and last else None,
    )


def get_version(
    store: GraphStore,
    project_id: str,
    document_key: str,
    seq: int,
    *,
    scope: frozenset[str] = frozenset(),
) -> VersionText:
    """One version by its number, with the text that it made current; within the scope."""
    p = {
        "project_id": project_id,
        "document_id": named_id("Document", document_key),
        "seq": seq,
    }
    found = store.read("get_version", p)
    if not found or not (found[0][0] or document_key in scope):
        return VersionText(found=False)
    _, row, chunks = found[0]
    version = rows.version(row)
    taken_away = version.verb in ("delete", "purge")
    text = None if taken_away else version_text(chunks)
    return VersionText(found=True, version=version, text=text[0] if text else None)


def list_versions(
    store: GraphStore,
    project_id: str,
    document_key: str,
    *,
    before_seq: int | None = None,
    limit: int = 50,
    scope: frozenset[str] = frozenset(),
) -> VersionPage:
    """A document's change log, newest first, `limit` (1 to 200) at a time, within the scope."""
    size = max(1, min(limit, MAX_PAGE))
    p = {
        "project_id": project_id,
        "document_id": named_id("Document", document_key),
        "before": before_seq if before_seq is not None else 2**53,
        "limit": size + 1,
    }
    found = store.read("list_versions", p)
    if not found or not (found[0][2] or document_key in scope):
        return VersionPage(found=False)
    versions = [rows.version(row) for row in found[0][1]]
    more = len(versions) > size
    versions = versions[:size]
    return VersionPage(
        found=True,
        versions=versions,
        next_before_seq=versions[-1].activation_seq if more else None,
    )


def fetch_evidence(
    store: GraphStore,
    project_id: str,
    evidence_ids: Sequence[str],
    *,
    max_chars: int = 4000,
    scope: frozenset[str] = frozenset(),
) -> list[FetchOutcome]:
    """What each evidence id names now, in the given order, in one read.

    A project reads a document that one of its decisions or steps cites, that an admin
    granted it, or that `scope` (document keys) names; anything else is `unavailable`, as if it were not there.
    """
    wanted = [DocumentSupportInput(evidence_id=i) for i in evidence_ids]
    ranges = citing.keys(wanted)["ranges"]
    found: dict[str, Row] = {}
    if ranges:
        p = {"project_id": project_id, "ranges": ranges}
        for row in store.read("fetch_evidence", p):
            if row[2] or row[0][1] in scope:
                found[row[0][0]] = row
    return [_outcome(identity, found, max(0, max_chars)) for identity in evidence_ids]


def _outcome(identity: str, found: dict[str, Row], max_chars: int) -> FetchOutcome:
    try:
        reference = parse_evidence_id(identity)
    except MalformedEvidenceId:
        return FetchOutcome(
            evidence_id=identity,
            status=FetchStatus.MALFORMED,
            detail="not a canonical evidence id",
        )
    row = found.get(reference.document_id)
    there = covered(row[3], reference) if row is not None and row[1] else None
    if row is None or there is None:
        return FetchOutcome(evidence_id=identity, status=FetchStatus.UNAVAILABLE)
    named = FetchedReference(
        kind=reference.kind,
        document_node_id=UUID(reference.document_id),
        content_hash_prefix=reference.hash_prefix,
        char_start=reference.start,
        char_end=reference.end,
        chunk_id=UUID(reference.chunk_id) if reference.chunk_id else None,
    )
    return _fetched(identity, named, rows.document(row[0]), there, max_chars)


def _fetched(
    identity: str,
    reference: FetchedReference,
    document: Document,
    there: Passage,
    max_chars: int,
) -> FetchOutcome:
    cut = len(there.text) > max_chars
    text = there.text[:max_chars]
    current = there.content_hash == document.current_content_hash
    status = VersionStatus.CURRENT if current else VersionStatus.SUPERSEDED
    has_range = there.start is not None and there.end is not None
    start = there.start or 0
    reach = (start, start + len(text)) if has_range else None
    uri = public_uri(document.uri)
    return FetchOutcome(
        evidence_id=identity,
        status=FetchStatus.TRUNCATED if cut else _status(there),
        text=text,
        reference=reference,
        document_key=document.document_key,
        title=document.title,
        uri=uri,
        location=EvidenceLocation(
            char_start=reach[0] if reach else None,
            char_end=reach[1] if reach else None,
        ),
        content_hash=there.content_hash,
        status_of_version=status,
        observed_activation_seq=document.activation_seq,
        covered_range=reach,
        partial=not there.whole,
        citation_markdown=None
        if cut or not there.whole
        else citation_markdown(document.title or document.document_key, uri, current=current),
    )


def _status(there: Passage) -> FetchStatus:
    return FetchStatus.OK if there.whole else FetchStatus.PARTIAL
