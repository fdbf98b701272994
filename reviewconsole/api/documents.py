"""Documents and the passages that evidence ids name."""

from django.http import HttpRequest
from ninja import Router

from graphstore.records import FetchOutcome, Record
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import (
    CiterPage,
    DocumentLookup,
    DocumentPage,
    DocumentPlan,
    PutDocumentResult,
    VersionPage,
    VersionText,
    WriteResult,
)
from reviewconsole.access import Role, Scope, enter_as
from reviewconsole.api.answers import missing, recorded
from reviewconsole.api.callers import caller_of
from reviewconsole.api.schemas import (
    After,
    FetchEvidenceBody,
    Key,
    Limit200,
    Name,
    PutDocumentBody,
    PutDocumentSeenBody,
    RequestId,
    Seq,
    TimeCursor,
    Word,
)

router = Router(tags=["documents"])


@router.get("/documents", operation_id="list_documents", response=DocumentPage)
def list_documents(
    request: HttpRequest, project: Name, cursor: Word | None = None, limit: Limit200 = 50
) -> DocumentPage:
    """Documents that the project may read, by key."""
    scope = enter_as(caller_of(request), project)
    return scope.documents.list_documents(cursor=cursor, limit=limit)


@router.get(
    "/documents/{segment:document_key}", operation_id="get_document", response=DocumentLookup
)
def get_document(request: HttpRequest, project: Name, document_key: Name) -> DocumentLookup:
    """A document with its current text."""
    found = enter_as(caller_of(request), project).documents.get_document(document_key)
    return found if found.found else missing(Code.DOCUMENT_NOT_FOUND)


@router.put(
    "/documents/{segment:document_key}", operation_id="put_document", response=PutDocumentResult
)
def put_document(
    request: HttpRequest,
    project: Name,
    document_key: Name,
    body: PutDocumentSeenBody,
    request_id: RequestId = None,
) -> PutDocumentResult:
    """Make `text` the current version of the document; a new one may be read here. For librarians."""
    scope = _librarian(request, project, document_key, new=True)
    result = scope.documents.put_document(
        document_key,
        body.text,
        title=body.title,
        uri=body.uri,
        request_id=request_id,
        seen=body.seen,
    )
    if result.document is not None and result.document.activation_seq == 1:
        # Nothing cites it yet, so without a grant nobody of this project could read it.
        scope.documents.grant_document(document_key)
    return recorded(scope, result)


def _librarian(
    request: HttpRequest, project: str, document_key: str, *, new: bool = False
) -> Scope:
    """The project, for a librarian and a document that it may read, or a `new` one.

    A first version counts as new also where nobody may read it yet: an earlier try of
    this call may have died before it let the project read what it had put.
    """
    scope = enter_as(caller_of(request), project, librarian=True)
    if scope.documents.get_document(document_key).found:
        return scope
    hidden = scope.documents.get_document(document_key, scope=frozenset({document_key})).document
    if not new or (hidden is not None and hidden.activation_seq > 1):
        missing(Code.DOCUMENT_NOT_FOUND)
    return scope


@router.delete(
    "/documents/{segment:document_key}", operation_id="remove_document", response=PutDocumentResult
)
def remove_document(
    request: HttpRequest,
    project: Name,
    document_key: Name,
    seen: Key | None = None,
    request_id: RequestId = None,
) -> PutDocumentResult:
    """Take the document out of use. For librarians."""
    scope = _librarian(request, project, document_key)
    result = scope.documents.remove_document(document_key, request_id=request_id, seen=seen)
    return recorded(scope, result)


@router.post(
    "/documents/{segment:document_key}/plan",
    operation_id="plan_put_document",
    response=DocumentPlan,
)
def plan_put_document(
    request: HttpRequest, project: Name, document_key: Name, body: PutDocumentBody
) -> DocumentPlan:
    """What put_document would do now, or in `error` why it would not. For librarians."""
    scope = _librarian(request, project, document_key, new=True)
    return scope.documents.plan_put_document(
        document_key, body.text, title=body.title, uri=body.uri
    )


@router.get(
    "/documents/{segment:document_key}/removal-plan",
    operation_id="plan_remove_document",
    response=DocumentPlan,
)
def plan_remove_document(request: HttpRequest, project: Name, document_key: Name) -> DocumentPlan:
    """What remove_document would do now, or in `error` why it would not. For librarians."""
    scope = _librarian(request, project, document_key)
    return scope.documents.plan_remove_document(document_key)


@router.put(
    "/documents/{segment:document_key}/grant", operation_id="grant_document", response=WriteResult
)
def grant_document(
    request: HttpRequest, project: Name, document_key: Name, request_id: RequestId = None
) -> WriteResult:
    """Let the project read a document that nothing of it cites. For admins."""
    scope = enter_as(caller_of(request), project, Role.ADMIN)
    return recorded(scope, scope.documents.grant_document(document_key, request_id=request_id))


@router.delete(
    "/documents/{segment:document_key}/grant", operation_id="revoke_document", response=WriteResult
)
def revoke_document(
    request: HttpRequest, project: Name, document_key: Name, request_id: RequestId = None
) -> WriteResult:
    """Take a grant back. For admins."""
    scope = enter_as(caller_of(request), project, Role.ADMIN)
    return recorded(scope, scope.documents.revoke_document(document_key, request_id=request_id))


@router.get(
    "/documents/{segment:document_key}/citers", operation_id="list_citers", response=CiterPage
)
def list_citers(
    request: HttpRequest,
    project: Name,
    document_key: Name,
    cursor: TimeCursor | None = None,
    limit: Limit200 = 50,
) -> CiterPage:
    """Active decisions of the project that cite the document now, newest first."""
    scope = enter_as(caller_of(request), project)
    return scope.documents.list_citers(document_key, cursor=cursor, limit=limit)


class VersionPageAnswer(VersionPage):
    next_cursor: str | None = None


@router.get(
    "/documents/{segment:document_key}/versions",
    operation_id="list_versions",
    response=VersionPageAnswer,
)
def list_versions(
    request: HttpRequest,
    project: Name,
    document_key: Name,
    before_seq: After | None = None,
    cursor: After | None = None,
    limit: Limit200 = 50,
) -> VersionPageAnswer:
    """The document's change log, newest first, before `before_seq`; `cursor` is the same."""
    scope = enter_as(caller_of(request), project)
    start = before_seq if cursor is None else cursor
    page = scope.documents.list_versions(document_key, before_seq=start, limit=limit)
    before = page.next_before_seq
    answer = VersionPageAnswer(**dict(page), next_cursor=None if before is None else str(before))
    return answer if page.found else missing(Code.DOCUMENT_NOT_FOUND)


@router.get(
    "/documents/{segment:document_key}/versions/{int:seq}",
    operation_id="get_version",
    response=VersionText,
)
def get_version(request: HttpRequest, project: Name, document_key: Name, seq: Seq) -> VersionText:
    """One version, by its number in the change log, with its text."""
    found = enter_as(caller_of(request), project).documents.get_version(document_key, seq)
    return found if found.found else missing(Code.DOCUMENT_NOT_FOUND)


class Fetched(Record):
    """In the order asked."""

    outcomes: list[FetchOutcome]


@router.post("/evidence", operation_id="fetch_evidence", response=Fetched)
def fetch_evidence(request: HttpRequest, project: Name, body: FetchEvidenceBody) -> Fetched:
    """What each evidence id names now. Nothing is written."""
    documents = enter_as(caller_of(request), project).documents
    outcomes = documents.fetch_evidence(body.evidence_ids, max_chars=body.max_chars)
    return Fetched(outcomes=outcomes)
