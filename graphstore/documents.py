"""Documents that decisions cite, written without the library's ingestion; for one project and author."""

from collections.abc import Sequence

from graphstore.arguments import checked
from graphstore.calls import Call
from graphstore.ids import sha256
from graphstore.operations.grant_document import grant_document
from graphstore.operations.put_document import Version, put_document
from graphstore.queries import documents
from graphstore.queries.document_plan import plan_document
from graphstore.records import Actor, FetchOutcome
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
from graphstore.store import GraphStore

__all__ = ["Documents"]


@checked
class Documents:
    """Put, remove and read documents.

    Documents belong to the graph, not to a project: a new version flags decisions
    in every project that cites an older one. `project_id` is where the ledger
    notes who did it, and the scope of reads.
    What every write is refused for, and what every method raises, is as in
    `ConversationHistory`: `invalid_request_id`, `request_id_reused`, `invalid_text`,
    `name_too_long`, `invalid_name`.
    """

    def __init__(
        self, store: GraphStore, *, project_id: str, agent_id: str, actor: Actor | None = None
    ) -> None:
        """Bind to a project and an author."""
        self._store = store
        self._project_id = project_id
        self._actor = actor or Actor(agent_id=agent_id)

    def put_document(
        self,
        document_key: str,
        text: str,
        *,
        title: str | None = None,
        uri: str | None = None,
        request_id: str | None = None,
        seen: str | None = None,
    ) -> PutDocumentResult:
        """Make `text` the current version of the document. See `operations.put_document`.

        `seen` is that of a `DocumentPlan`: when the plan differs by now it is `moved`.
        """
        arguments = {
            "document_key": document_key,
            "text_sha256": sha256(text),
            "title": title,
            "uri": uri,
        }
        call = Call("put_document", self._project_id, self._actor, arguments, request_id)
        return put_document(self._store, call, Version(document_key, text, title, uri), seen=seen)

    def remove_document(
        self, document_key: str, *, request_id: str | None = None, seen: str | None = None
    ) -> PutDocumentResult:
        """Take the document out of use; its old texts stay readable for those who cited them.

        Refusals: as `put_document`.
        """
        arguments = {"document_key": document_key}
        call = Call("remove_document", self._project_id, self._actor, arguments, request_id)
        return put_document(self._store, call, Version(document_key, None), seen=seen)

    def plan_put_document(
        self, document_key: str, text: str, *, title: str | None = None, uri: str | None = None
    ) -> DocumentPlan:
        """What `put_document` would do now, in this project; nothing is written."""
        call = Call("put_document", self._project_id, self._actor, {"document_key": document_key})
        return plan_document(self._store, call, Version(document_key, text, title, uri))

    def plan_remove_document(self, document_key: str) -> DocumentPlan:
        """What `remove_document` would do now, in this project; nothing is written."""
        call = Call(
            "remove_document", self._project_id, self._actor, {"document_key": document_key}
        )
        return plan_document(self._store, call, Version(document_key, None))

    def grant_document(self, document_key: str, *, request_id: str | None = None) -> WriteResult:
        """Let the project read a document that nothing of it cites. See `operations.grant_document`."""
        arguments = {"document_key": document_key}
        call = Call("grant_document", self._project_id, self._actor, arguments, request_id)
        return grant_document(self._store, call, document_key, granted=True)

    def revoke_document(self, document_key: str, *, request_id: str | None = None) -> WriteResult:
        """Take a grant back; the document stays readable while something of the project cites it.

        Refusals: as `grant_document`.
        """
        arguments = {"document_key": document_key}
        call = Call("revoke_document", self._project_id, self._actor, arguments, request_id)
        return grant_document(self._store, call, document_key, granted=False)

    def get_document(
        self, document_key: str, *, scope: frozenset[str] = frozenset()
    ) -> DocumentLookup:
        """A document with its current text; not found outside the scope, as in `fetch_evidence`."""
        return documents.get_document(self._store, self._project_id, document_key, scope=scope)

    def list_documents(self, *, cursor: str | None = None, limit: int = 50) -> DocumentPage:
        """Documents that the project may read, by key, `limit` (1 to 200) at a time."""
        return documents.list_documents(self._store, self._project_id, cursor=cursor, limit=limit)

    def list_citers(
        self,
        document_key: str,
        *,
        cursor: str | None = None,
        limit: int = 50,
        scope: frozenset[str] = frozenset(),
    ) -> CiterPage:
        """Active decisions of the project that cite the document now, newest first."""
        return documents.list_citers(
            self._store, self._project_id, document_key, cursor=cursor, limit=limit, scope=scope
        )

    def get_version(
        self, document_key: str, seq: int, *, scope: frozenset[str] = frozenset()
    ) -> VersionText:
        """One version, by its number in the change log, with its text."""
        return documents.get_version(self._store, self._project_id, document_key, seq, scope=scope)

    def list_versions(
        self,
        document_key: str,
        *,
        before_seq: int | None = None,
        limit: int = 50,
        scope: frozenset[str] = frozenset(),
    ) -> VersionPage:
        """The document's change log, newest first, `limit` (1 to 200) at a time."""
        return documents.list_versions(
            self._store,
            self._project_id,
            document_key,
            before_seq=before_seq,
            limit=limit,
            scope=scope,
        )

    def fetch_evidence(
        self,
        evidence_ids: Sequence[str],
        *,
        max_chars: int = 4000,
        scope: frozenset[str] = frozenset(),
    ) -> list[FetchOutcome]:
        """What each evidence id names now, in the given order, in one read.

        The scope is what the project cites or was granted, and the document keys in
        `scope`, which a trusted caller may add (an agent that is about to cite a document first).
        """
        return documents.fetch_evidence(
            self._store, self._project_id, evidence_ids, max_chars=max_chars, scope=scope
        )
