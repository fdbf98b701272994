"""One project seen from both sides, what the library recorded in it, and how to compare.

The chain is scope <- days <- mail <- letter: `days` cites a passage, an event and
the decision `scope`; `mail` cites `days`; `letter`, in another task, cites `mail`.
`signature` cites another document and depends on nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from agrag.common.data_models import decision as theirs
from agrag.common.data_models.document import Document
from agrag.common.data_models.evidence import FetchOutcome as TheirOutcome
from pydantic import BaseModel

from graphstore import ConversationHistory, DecisionTraces, Documents, HistoryRetention, results
from graphstore import records as ours
from graphstore.store import GraphStore
from tests.interop.library import Library, Passage, Peer, derived, passage

POLICY = """Refunds are paid within 30 days of the request.

A refund above 500 euro needs a second signature.

Shipping is never refunded."""

POLICY_SHORTER = POLICY.replace("30 days", "15 days")
POLICY_LONGER = POLICY.replace("30 days", "45 days")

HANDBOOK = "Two people sign what costs more than 500 euro."

REVIEWER = "person:5f0c7f4e-0a5e-4b53-9d0c-0a3f9d6f5a11"


@dataclass
class Side:
    """One project: the library's operations and ours."""

    store: GraphStore
    peer: Peer
    project: str
    reviewer: str = REVIEWER
    library: Library = field(init=False)
    history: ConversationHistory = field(init=False)
    traces: DecisionTraces = field(init=False)
    documents: Documents = field(init=False)
    retention: HistoryRetention = field(init=False)

    def __post_init__(self) -> None:
        self.library = self.peer.library(self.project)
        store, project, reviewer = self.store, self.project, self.reviewer
        self.history = ConversationHistory(store, project_id=project, agent_id=reviewer)
        self.traces = DecisionTraces(store, project_id=project, agent_id=reviewer)
        self.documents = Documents(store, project_id=project, agent_id=reviewer)
        self.retention = HistoryRetention(store, project, reviewer)

    def cite(self, text: str, words: str, key: str | None = None) -> Passage:
        """A passage of this project's own policy document, or of the one with `key`."""
        return passage(key or self.policy, text, words)

    @property
    def policy(self) -> str:
        return f"{self.project}-policy"

    @property
    def handbook(self) -> str:
        return f"{self.project}-handbook"

    def their_fetch(self, *cited: Passage) -> list[TheirOutcome]:
        return self.library.fetch_evidence(*cited)

    def our_document(self, key: str) -> results.DocumentLookup:
        """A document, in scope whether or not the project cites it."""
        return self.documents.get_document(key, scope=frozenset([key]))

    def our_versions(self, key: str) -> results.VersionPage:
        """A document's versions, in scope whether or not the project cites it."""
        return self.documents.list_versions(key, scope=frozenset([key]))

    def our_fetch(self, *cited: Passage) -> list[ours.FetchOutcome]:
        ids = [item.evidence_id for item in cited]
        keys = frozenset(item.document_key for item in cited)
        return self.documents.fetch_evidence(ids, max_chars=1_000_000, scope=keys)


@dataclass
class World:
    """What the library recorded before the test begins. Ids are of the first revisions."""

    side: Side
    scope: UUID = field(init=False)
    days: UUID = field(init=False)
    mail: UUID = field(init=False)
    letter: UUID = field(init=False)
    signature: UUID = field(init=False)

    def __post_init__(self) -> None:
        side, library = self.side, self.side.library
        library.put_document(side.policy, POLICY, title="Refund policy")
        library.put_document(side.handbook, HANDBOOK, title="Handbook")
        assert library.create_task("audit", "Find out how refunds work.").recorded
        assert library.create_task("letters", "Write to the customers.").recorded
        library.record_event("audit", "How long do refunds take?", role="user")
        library.record_event("audit", "The shop sells in the EU only.", name="search")
        self.scope = _id(
            library.record_decision("audit", "scope", "EU only", supports=[event("audit", 2)])
        )
        cited = side.cite(POLICY, "Refunds are paid within 30 days")
        self.days = _id(
            library.record_decision(
                "audit",
                "days",
                "30 days",
                supports=[document(cited), event("audit", 1), decision(self.scope)],
                fetched_evidence=side.their_fetch(cited),
                assumptions=["Bank transfers take a day."],
                open_questions=["Are gift cards refunds?"],
            )
        )
        self.mail = _id(
            library.record_decision("audit", "mail", "Say 30 days.", supports=[decision(self.days)])
        )
        self.letter = _id(
            library.record_decision(
                "letters", "letter", "Use the mail.", supports=[decision(self.mail)]
            )
        )
        signed = side.cite(HANDBOOK, "Two people sign", side.handbook)
        self.signature = _id(
            library.record_decision(
                "letters",
                "signature",
                "Two signatures",
                supports=[document(signed)],
                fetched_evidence=side.their_fetch(signed),
            )
        )

    def changed(self) -> "World":
        """The library updates the policy: `days` is flagged, its dependents are queued."""
        self.side.library.put_document(self.side.policy, POLICY_SHORTER, title="Refund policy")
        return self

    def drained(self) -> "World":
        """The library has carried every flag to its dependents."""
        self.side.library.drain()
        return self


def document(cited: Passage) -> theirs.DocumentSupportInput:
    return theirs.DocumentSupportInput(evidence_id=cited.evidence_id)


def event(task_name: str, seq: int) -> theirs.EventSupportInput:
    return theirs.EventSupportInput(task_name=task_name, seq=seq)


def decision(decision_id: UUID) -> theirs.DecisionSupportInput:
    return theirs.DecisionSupportInput(decision_id=str(decision_id))


def our_document(cited: Passage) -> ours.DocumentSupportInput:
    return ours.DocumentSupportInput(evidence_id=cited.evidence_id)


def our_event(task_name: str, seq: int) -> ours.EventSupportInput:
    return ours.EventSupportInput(task_name=task_name, seq=seq)


def our_decision(decision_id: UUID) -> ours.DecisionSupportInput:
    return ours.DecisionSupportInput(decision_id=str(decision_id))


def _id(result: theirs.RecordDecisionResult) -> UUID:
    assert result.recorded, result
    assert result.decision is not None
    return result.decision.id


def differences(mine: BaseModel, their: BaseModel, ignore: Sequence[str] = ()) -> list[str]:
    """Where our record does not say what the library's says; fields that only we have do not count."""
    return compare(mine.model_dump(mode="json"), their.model_dump(mode="json"), ignore=ignore)


def compare(mine: Any, their: Any, path: str = "", ignore: Sequence[str] = ()) -> list[str]:
    """Where our value does not say what the library's says; keys that only we have do not count."""
    if path.removeprefix(".") in ignore:
        return []
    if isinstance(their, dict) and isinstance(mine, dict):
        return [
            found
            for key, value in their.items()
            for found in compare(mine.get(key, "<absent>"), value, f"{path}.{key}", ignore)
        ]
    if isinstance(their, list) and isinstance(mine, list) and len(mine) == len(their):
        return [
            found
            for index, (one, other) in enumerate(zip(mine, their, strict=True))
            for found in compare(one, other, f"{path}.{index}", ignore)
        ]
    return [] if mine == their else [f"{path}: ours {mine!r}, theirs {their!r}"]


def observed(side: Side) -> dict[str, Any]:
    """The project as a reader finds it, without ids and times, so that two projects compare."""
    tasks = side.peer.nodes("Task", project_id=side.project)
    decisions = side.peer.nodes("Decision", project_id=side.project)
    names = {d["id"]: f"{d['choice_key']}/{d['revision']}" for d in decisions}
    return {
        "tasks": {
            task["name"]: {
                "goal": task["goal"],
                "events": _events(side, task["id"], names),
                "last": task["event_seq"],
                "steps": _steps(side, task["id"], names),
            }
            for task in tasks
        },
        "decisions": {names[d["id"]]: _decision(side, d, names) for d in decisions},
        "documents": _documents(side),
        "incomplete": side.peer.node("Project", project_id=side.project)["review_incomplete"],
    }


def _events(side: Side, task_id: str, names: dict[str, str]) -> list[tuple[Any, ...]]:
    events = side.peer.nodes("Event", task_id=task_id)
    return sorted(
        (e["seq"], e["kind"], _named(e["payload"], names), "redacted_at" in e) for e in events
    )


def _steps(side: Side, task_id: str, names: dict[str, str]) -> list[tuple[Any, ...]]:
    kept = ("name", "kind", "state", "result_event_seq", "updated_seq", "result_basis")
    return sorted(
        (*(step.get(key) for key in kept), _named(_relative(side, step["result_supports"]), names))
        for step in side.peer.nodes("Step", task_id=task_id)
    )


def _relative(side: Side, text: str) -> str:
    """Without ids of the project's own documents and events, and without its name."""
    task = str(derived(side.project, "audit"))
    for key in (side.policy, side.handbook):
        text = text.replace(str(Document.node_id_for(document_key=key)), key)
    for seq in (1, 2):
        text = text.replace(str(derived("Event", task, seq)), f"event {seq}")
    return text.replace(side.project, "project")


def _decision(side: Side, node: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    supports = side.peer.rows(
        "MATCH (:Decision {_agrag_history_record: true, id: $id})-[:HAS_SUPPORT]->(s) RETURN s "
        "ORDER BY s.ordinal",
        id=node["id"],
    )
    edges = side.peer.rows(
        "MATCH (:Decision {_agrag_history_record: true, id: $id})-[r:DEPENDS_ON|SUPERSEDES]->(x) "
        "RETURN type(r) AS type, x.id AS id",
        id=node["id"],
    )
    kept = ("status", "conclusion", "review_state", "review_reason", "rejection_reason")
    return {key: node.get(key) for key in kept} | {
        "pending": bool(node.get("review_pending")),
        "supports": [_support(row["s"], names) for row in supports],
        "edges": sorted((row["type"], names.get(row["id"], row["id"])) for row in edges),
    }


def _support(node: dict[str, Any], names: dict[str, str]) -> tuple[Any, ...]:
    kept = ("seq", "content_hash", "char_start", "recorded_activation_seq", "review_explanation")
    cited = names.get(node.get("target_decision_id", ""))
    return (node["kind"], node["current"], cited, *(node.get(key) for key in kept))


def _documents(side: Side) -> dict[str, Any]:
    found = {}
    for key in (side.policy, side.handbook):
        node = side.peer.node("Document", document_key=key)
        verbs = side.peer.rows(
            "MATCH (:Document {document_key: $key})-[:HAS_ACTIVATION]->(a) "
            "RETURN a.activation_seq AS seq, a.verb AS verb ORDER BY seq",
            key=key,
        )
        found[key.removeprefix(side.project)] = {
            "seq": node["activation_seq"],
            "hash": node.get("current_content_hash"),
            "verbs": [row["verb"] for row in verbs],
        }
    return found


def _named(text: str, names: dict[str, str]) -> str:
    for key, name in names.items():
        text = text.replace(key, name)
    return text
