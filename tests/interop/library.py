"""The real reference library as a peer in the same graph.

Its API is asynchronous and wants one event loop for one store, so each store
here lives on a background thread with a loop of its own, and every call below
waits for its answer. Its models and errors come back as they are.

Documents are written without any model: with the library's own records for
nodes and relationships and its own statements for activating and flagging, in
the order in which its ingestion commits them.
"""

import asyncio
import hashlib
import json
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Self
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

import agrag.graphdb.falkordb
from agrag.common.data_models.chunk import Chunk
from agrag.common.data_models.decision import (
    ConflictList,
    DecisionHit,
    DecisionLookup,
    DecisionPageLookup,
    DecisionReviewList,
    DocumentSupportInput,
    ReaffirmDecisionResult,
    RecordDecisionResult,
    RejectDecisionResult,
    Support,
    SupportInput,
)
from agrag.common.data_models.document import Document, DocumentFamily, SourceFormat
from agrag.common.data_models.evidence import FetchOutcome
from agrag.common.data_models.graph_record import DeferredWrites, RelationRecord
from agrag.common.data_models.provenance import TextProvenance
from agrag.common.data_models.retention import RetentionResult
from agrag.common.data_models.structure import version_id
from agrag.common.data_models.task import (
    CreateTaskResult,
    EventKind,
    EventLookup,
    EventPage,
    RecordEventResult,
    SetStepResult,
    StepKind,
    StepPage,
    StepResultBasis,
    StepState,
    TaskLookup,
)
from agrag.cypher.documents import (
    flag_decisions_for_activation_query,
    purge_document_nodes_query,
    record_activation_query,
    retire_document_version_query,
)
from agrag.cypher.relations import close_has_part_query
from agrag.decisions import DecisionTraces
from agrag.evidence.fetch import fetch_evidence
from agrag.graphdb.base import GraphStore, GraphStoreTransaction
from agrag.graphdb.falkordb import FalkorDBGraphStore
from agrag.graphdb.neo4j import Neo4jGraphStore
from agrag.graphdb.settings import FalkorDBSettings, Neo4jSettings
from agrag.history import ConversationHistory, HistoryRetention

from tests.servers import GraphSettings

CHUNK_CHARACTERS = 200
"""Where a chunk ends at the latest; small, so that short texts span several."""

OLDEST_MODULE_SEEN_WORKING = 41603
"""The library asks for 42202, which neither packaged module has. Nothing else is relaxed."""


@dataclass(frozen=True)
class Passage:
    """Some words of one version of a document, and the evidence id that names them."""

    document_key: str
    words: str
    evidence_id: str
    start: int


def passage(document_key: str, text: str, words: str) -> Passage:
    """Names `words` where they first stand in `text`, the whole text of a version."""
    start = text.index(words)
    document = Document.node_id_for(document_key=document_key)
    end = start + len(words)
    return Passage(
        document_key, words, f"ev1:s:{document}:{_sha256(text)[:16]}:{start}-{end}", start
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Peer:
    """One store of the library on one graph, usable from any thread."""

    def __init__(self, build: Callable[[], GraphStore]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="reference library", daemon=True
        )
        self._thread.start()
        self.prepared: set[type] = set()
        self.store = build()
        self.wait(self.store.connect())

    @classmethod
    def on_neo4j(cls, uri: str, user: str, password: str, database: str = "neo4j") -> Self:
        """Opens a Neo4j database."""
        settings = Neo4jSettings(
            _env_file=None,  # pyright: ignore[reportCallIssue]
            uri=uri,
            username=user,
            password=password,  # pyright: ignore[reportArgumentType]
            database=database,
        )
        return cls(lambda: Neo4jGraphStore(settings=settings))

    @classmethod
    def on_falkordb(cls, socket: Path | str, graph: str) -> Self:
        """Opens one graph of the FalkorDB server that listens on a Unix socket."""
        agrag.graphdb.falkordb.MIN_MODULE_VERSION = OLDEST_MODULE_SEEN_WORKING
        settings = FalkorDBSettings(
            _env_file=None,  # pyright: ignore[reportCallIssue]
            url=f"unix://{socket}",
            graph=graph,
        )
        return cls(lambda: FalkorDBGraphStore(settings=settings))

    @classmethod
    def on(cls, graph: GraphSettings) -> Self:
        """Opens the graph of one test."""
        if graph.engine == "neo4j":
            return cls.on_neo4j(graph.uri, graph.username, graph.password, graph.database)
        return cls.on_falkordb(f"{graph.socket_path}", graph.graph)

    def wait[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Runs one coroutine on the store's loop and returns what it returns."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=120)

    def close(self) -> None:
        """Closes the store, its loop and its thread."""
        self.wait(self.store.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=30)
        self._loop.close()

    def rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """What a raw read returns, so that inspection bypasses the code under test."""
        return self.wait(self.store.execute_read(query, parameters))

    def write(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """Runs one raw write, so that set-up bypasses the code under test."""
        return self.wait(self.store.execute_write(query, parameters))

    def write_all(self, statements: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Runs several raw writes, in one transaction where the engine has any."""

        async def work(tx: GraphStoreTransaction) -> None:
            for text, parameters in statements:
                await tx.execute_write(text, parameters)

        self.wait(self.store.run_in_transaction(work))

    def node(self, label: str, **properties: Any) -> dict[str, Any]:
        """Every property of the one node that has these."""
        found = self.nodes(label, **properties)
        assert len(found) == 1, f"{len(found)} nodes {label} {properties}"
        return found[0]

    def nodes(self, label: str, **properties: Any) -> list[dict[str, Any]]:
        """Every property of every node that has these."""
        keys = ", ".join(f"{key}: ${key}" for key in properties)
        return [
            row["n"] for row in self.rows(f"MATCH (n:{label} {{{keys}}}) RETURN n", **properties)
        ]

    def library(self, project_id: str, agent_id: str = "library-agent") -> "Library":
        """The library's operations for one project and author."""
        return Library(self, project_id, agent_id)


class Library:
    """The library's operations, waiting for each answer."""

    def __init__(self, peer: Peer, project_id: str, agent_id: str) -> None:
        self.peer = peer
        self.project_id = project_id
        self.agent_id = agent_id
        self._history = ConversationHistory(peer.store, project_id=project_id, agent_id=agent_id)
        self._traces = DecisionTraces(peer.store, project_id=project_id, agent_id=agent_id)
        self._retention = HistoryRetention(peer.store, project_id, agent_id)
        # Each object would ask for all constraints again; once for a graph is enough.
        for service in (self._history, self._traces, self._retention):
            if type(service) in peer.prepared:
                service._schema_ready = True  # noqa: SLF001 - what it would set itself
            peer.prepared.add(type(service))

    # History

    def create_task(
        self, name: str, goal: str, *, request_id: str | None = None
    ) -> CreateTaskResult:
        return self.peer.wait(self._history.create_task(name, goal, request_id=request_id))

    def record_event(
        self,
        task_name: str,
        payload: str,
        *,
        kind: EventKind = EventKind.MESSAGE,
        role: str | None = None,
        name: str | None = None,
        request_id: str | None = None,
    ) -> RecordEventResult:
        return self.peer.wait(
            self._history.record_event(
                task_name, kind, role=role, name=name, payload=payload, request_id=request_id
            )
        )

    def set_step(
        self,
        task_name: str,
        name: str,
        state: StepState,
        *,
        kind: StepKind = StepKind.OTHER,
        result_event_seq: int | None = None,
        result_basis: StepResultBasis = StepResultBasis.UNKNOWN,
        supports: Sequence[SupportInput] = (),
        fetched_evidence: Sequence[FetchOutcome] = (),
        request_id: str | None = None,
    ) -> SetStepResult:
        return self.peer.wait(
            self._history.set_step(
                task_name,
                name,
                state,
                kind=kind,
                result_event_seq=result_event_seq,
                result_basis=result_basis,
                supports=supports,
                fetched_evidence=fetched_evidence,
                request_id=request_id,
            )
        )

    def get_task(self, name: str) -> TaskLookup:
        return self.peer.wait(self._history.get_task(name))

    def list_events(self, task_name: str, *, after_seq: int = 0, limit: int = 50) -> EventPage:
        return self.peer.wait(
            self._history.list_events(task_name, after_seq=after_seq, limit=limit)
        )

    def fetch_event(self, task_name: str, seq: int) -> EventLookup:
        return self.peer.wait(self._history.fetch_event(task_name, seq))

    def list_steps(
        self, task_name: str, state: StepState, *, after_name: str | None = None, limit: int = 50
    ) -> StepPage:
        return self.peer.wait(
            self._history.list_steps(task_name, state, after_name=after_name, limit=limit)
        )

    def delete_task(
        self, name: str, *, include_decisions: bool = True, request_id: str | None = None
    ) -> RetentionResult:
        return self.peer.wait(self._retention.delete_task(name, include_decisions, request_id))

    def redact_event(
        self, event_id: UUID | str, *, request_id: str | None = None
    ) -> RetentionResult:
        return self.peer.wait(self._retention.redact_event(str(event_id), request_id))

    # Decisions

    def record_decision(
        self,
        task_name: str,
        choice_key: str,
        conclusion: str,
        rationale: str = "Because it says so.",
        *,
        supports: Sequence[SupportInput],
        fetched_evidence: Sequence[FetchOutcome] = (),
        assumptions: Sequence[str] = (),
        open_questions: Sequence[str] = (),
        request_id: str | None = None,
    ) -> RecordDecisionResult:
        return self.peer.wait(
            self._traces.record_decision(
                task_name,
                choice_key,
                conclusion,
                rationale,
                supports=supports,
                fetched_evidence=fetched_evidence,
                assumptions=assumptions,
                open_questions=open_questions,
                request_id=request_id,
            )
        )

    def supersede_decision(
        self,
        decision_id: UUID | str,
        conclusion: str,
        rationale: str = "Because it says so now.",
        *,
        explanation: str,
        supports: Sequence[SupportInput],
        fetched_evidence: Sequence[FetchOutcome] = (),
        assumptions: Sequence[str] = (),
        open_questions: Sequence[str] = (),
        request_id: str | None = None,
    ) -> RecordDecisionResult:
        return self.peer.wait(
            self._traces.supersede_decision(
                UUID(str(decision_id)),
                conclusion,
                rationale,
                explanation=explanation,
                supports=supports,
                fetched_evidence=fetched_evidence,
                assumptions=assumptions,
                open_questions=open_questions,
                request_id=request_id,
            )
        )

    def reject_decision(
        self, decision_id: UUID | str, reason: str, *, request_id: str | None = None
    ) -> RejectDecisionResult:
        return self.peer.wait(
            self._traces.reject_decision(UUID(str(decision_id)), reason, request_id=request_id)
        )

    def reaffirm_decision(
        self,
        decision_id: UUID | str,
        evidence: Sequence[DocumentSupportInput],
        *,
        fetched_evidence: Sequence[FetchOutcome] = (),
        explanation: str = "Reaffirmed after review.",
        request_id: str | None = None,
    ) -> ReaffirmDecisionResult:
        return self.peer.wait(
            self._traces.reaffirm_decision(
                UUID(str(decision_id)),
                evidence,
                fetched_evidence=fetched_evidence,
                explanation=explanation,
                request_id=request_id,
            )
        )

    def continue_decision_review(self, *, limit: int = 100) -> int:
        return self.peer.wait(self._traces.continue_decision_review(limit=limit))

    def drain(self) -> int:
        """Continues the review until nothing is queued; returns how many units that took."""
        units = 0
        while step := self.continue_decision_review():
            units += step
        return units

    def get_decision(self, decision_id: UUID | str) -> DecisionLookup:
        return self.peer.wait(self._traces.get_decision(UUID(str(decision_id))))

    def list_decisions_for_review(
        self, *, task_name: str | None = None, limit: int = 20
    ) -> DecisionReviewList:
        return self.peer.wait(
            self._traces.list_decisions_for_review(task_name=task_name, limit=limit)
        )

    def list_support_history(self, decision_id: UUID | str) -> list[Support]:
        page = self.peer.wait(self._traces.list_support_history(UUID(str(decision_id)), limit=100))
        return list(page.supports)

    def list_decisions(self, task_name: str, *, include_history: bool = True) -> DecisionPageLookup:
        return self.peer.wait(
            self._traces.list_decisions(task_name, include_history=include_history)
        )

    def search_decisions(self, query: str, *, task_name: str | None = None) -> list[DecisionHit]:
        return self.peer.wait(self._traces.search_decisions(query, task_name=task_name))

    def list_conflicts(self) -> ConflictList:
        return self.peer.wait(self._traces.list_conflicts())

    def ask(self, operation: str, *args: Any, **named: Any) -> Any:
        """Whatever its history, traces or retention answer to this operation."""
        services = (self._history, self._traces, self._retention)
        service = next(s for s in services if hasattr(s, operation))
        return self.peer.wait(getattr(service, operation)(*args, **named))

    # Documents

    def fetch_evidence(self, *evidence: Passage, max_chars: int = 1_000_000) -> list[FetchOutcome]:
        """What the library fetches for these passages, their documents being in scope."""
        scope = frozenset(item.document_key for item in evidence)
        ids = [item.evidence_id for item in evidence]
        result = self.peer.wait(
            fetch_evidence(self.peer.store, ids, scope=scope, max_chars=max_chars)
        )
        return result.outcomes

    def put_document(
        self,
        document_key: str,
        text: str,
        *,
        title: str | None = None,
        uri: str | None = None,
        schema_fingerprint: str | None = None,
    ) -> int:
        """Adds or updates a document as ingestion commits it; returns its activation number.

        Another `schema_fingerprint` makes a new version of the same text.
        """
        document = _document(document_key, text, title, uri, schema_fingerprint)
        return self.peer.wait(self._put(document))

    def begin_update(self, document_key: str, text: str) -> None:
        """Leaves an update as ingestion does until it commits: its rows tagged, its job pending."""
        job, later = uuid4(), DeferredWrites()
        document = _document(document_key, text)
        chunks, parts, following = _version(document)

        async def write(tx: GraphStoreTransaction) -> None:
            await tx.upsert_nodes(
                "Chunk",
                [chunk.to_node_record() for chunk in chunks],
                pending_job_id=job,
                deferred=later,
            )
            await tx.upsert_relations([*parts, *following], pending_job_id=job, deferred=later)
            await tx.execute_write(
                "CREATE (j:CutoverJob {id: $id, document_key: $key, status: 'pending', "
                "verb: 'update', lease_token: $id, created_at: $at}) RETURN j.id AS id",
                {"id": str(job), "key": document_key, "at": datetime.now(UTC).isoformat()},
            )

        self.peer.wait(self._prepare())
        self.peer.wait(self.peer.store.run_in_transaction(write))

    def remove_document(self, document_key: str) -> int:
        """Soft-deletes a document as ingestion commits it; returns its activation number."""
        return self.peer.wait(self._remove(document_key, verb="delete"))

    def purge_document(self, document_key: str) -> int:
        """Deletes every version of a document; returns its activation number."""
        return self.peer.wait(self._remove(document_key, verb="purge"))

    async def _put(self, document: Document) -> int:
        node_id = Document.node_id_for(document_key=document.resolved_document_key)
        chunks, parts, following = _version(document)

        async def commit(tx: GraphStoreTransaction) -> int:
            before = await self._current(tx, node_id)
            await tx.upsert_nodes("Document", [document.to_node_record()])
            await tx.upsert_nodes("Chunk", [chunk.to_node_record() for chunk in chunks])
            await tx.upsert_relations([*parts, *following])
            await tx.execute_write(
                close_has_part_query(),
                {
                    "document_node_id": str(node_id),
                    "keep_node_ids": [str(chunk.id) for chunk in chunks],
                    "closed_at": datetime.now(UTC).isoformat(),
                },
            )
            return await self._activate(
                tx,
                document.resolved_document_key,
                verb="add" if before is None else "update",
                content_hash=document.content_hash,
                previous_content_hash=before,
                version=version_id(document),
            )

        await self._prepare()
        return await self.peer.store.run_in_transaction(commit)

    async def _remove(self, document_key: str, *, verb: str) -> int:
        node_id = Document.node_id_for(document_key=document_key)

        async def commit(tx: GraphStoreTransaction) -> int:
            before = await self._current(tx, node_id)
            await tx.execute_write(
                close_has_part_query(),
                {
                    "document_node_id": str(node_id),
                    "keep_node_ids": [],
                    "closed_at": datetime.now(UTC).isoformat(),
                },
            )
            if verb == "purge":
                await tx.execute_write(
                    purge_document_nodes_query(), {"document_node_id": str(node_id)}
                )
            seq = await self._activate(
                tx,
                document_key,
                verb=verb,
                content_hash=None,
                previous_content_hash=before,
                version=None,
            )
            if verb == "delete":
                await tx.execute_write(
                    retire_document_version_query(), {"document_node_id": str(node_id)}
                )
            return seq

        await self._prepare()
        return await self.peer.store.run_in_transaction(commit)

    async def _prepare(self) -> None:
        await self.peer.store.register_labels(["Document", "Chunk", "DocumentActivation"])
        await self.peer.store.register_relation_types(["HAS_PART", "NEXT_CHUNK", "HAS_ACTIVATION"])

    async def _current(self, tx: GraphStoreTransaction, node_id: UUID) -> str | None:
        rows = await tx.execute_read(
            "MATCH (n:_Node:Document {id: $id}) RETURN n.current_content_hash AS hash",
            {"id": str(node_id)},
        )
        return rows[0]["hash"] if rows else None

    async def _activate(
        self,
        tx: GraphStoreTransaction,
        document_key: str,
        *,
        verb: str,
        content_hash: str | None,
        previous_content_hash: str | None,
        version: str | None,
    ) -> int:
        job = uuid4()
        activation = str(uuid5(NAMESPACE_OID, f"DocumentActivation:{job}"))
        rows = await tx.execute_write(
            record_activation_query(),
            {
                "document_node_id": str(Document.node_id_for(document_key=document_key)),
                "id": activation,
                "document_key": document_key,
                "verb": verb,
                "content_hash": content_hash,
                "previous_content_hash": previous_content_hash,
                "version_id": version,
                "job_id": str(job),
                "activated_at": datetime.now(UTC).isoformat(),
            },
        )
        await tx.execute_write(flag_decisions_for_activation_query(), {"activation_id": activation})
        return int(rows[0]["activation_seq"])


def _document(
    document_key: str,
    text: str,
    title: str | None = None,
    uri: str | None = None,
    schema_fingerprint: str | None = None,
) -> Document:
    return Document(
        text=text,
        title=title or document_key,
        uri=uri or f"file:///{document_key}",
        source_format=SourceFormat.TXT,
        family=DocumentFamily.PROSE,
        content_hash=_sha256(text),
        loader_name="interop",
        char_count=len(text),
        document_key=document_key,
        schema_fingerprint=schema_fingerprint,
    )


def _version(
    document: Document,
) -> tuple[list[Chunk], list[RelationRecord], list[RelationRecord]]:
    """The chunks of one version, what hangs them below the document, and what joins neighbours."""
    version = version_id(document)
    node_id = Document.node_id_for(document_key=document.resolved_document_key)
    now = datetime.now(UTC).isoformat()
    chunks = _chunks(document, version)
    parts = [
        RelationRecord(
            id=uuid5(NAMESPACE_OID, f"HAS_PART:{node_id}:{chunk.id}:{version}"),
            type="HAS_PART",
            start_id=node_id,
            end_id=_id(chunk),
            properties={"valid_at": now, "invalid_at": None, "version_id": version},
        )
        for chunk in chunks
    ]
    following = [
        RelationRecord(
            id=uuid5(NAMESPACE_OID, f"NEXT_CHUNK:{first.id}:{second.id}"),
            type="NEXT_CHUNK",
            start_id=_id(first),
            end_id=_id(second),
            properties={},
        )
        for first, second in pairwise(chunks)
    ]
    return chunks, parts, following


def _chunks(document: Document, version: str) -> list[Chunk]:
    """Cuts the text at blank lines, so that the chunks cover it without a gap."""
    bounds: list[tuple[int, int]] = []
    start = 0
    while start < len(document.text):
        end = document.text.find("\n\n", start + CHUNK_CHARACTERS)
        end = len(document.text) if end < 0 else end + 2
        bounds.append((start, end))
        start = end
    chunker = "c" * 64
    node_id = Document.node_id_for(document_key=document.resolved_document_key)
    return [
        Chunk(
            id=derived(node_id, version, chunker, index),
            document_id=node_id,
            content_hash=document.content_hash,
            index=index,
            text=document.text[start:end],
            provenance=TextProvenance(char_start=start, char_end=end),
            chunker="interop",
            chunker_hash=chunker,
            schema_fingerprint=document.schema_fingerprint,
            extraction_fingerprint="e" * 64,
        )
        for index, (start, end) in enumerate(bounds)
    ]


def derived(*parts: object) -> UUID:
    """The id that the library derives from these parts."""
    return uuid5(NAMESPACE_OID, json.dumps([str(part) for part in parts]))


def _id(chunk: Chunk) -> UUID:
    assert chunk.id is not None
    return chunk.id
