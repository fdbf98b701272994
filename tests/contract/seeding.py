"""Records put into a graph as the reference library would leave them, past the code under test.

Ids are derived here once more, from the reference and not from `graphstore.ids`.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from graphstore.records import (
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    FetchOutcome,
    FetchStatus,
)
from tests.servers import RawGraph

MARK: dict[str, Any] = {"_agrag_history_record": True}
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


def derived(*parts: object) -> str:
    """The id of a history or decision record."""
    return str(uuid5(NAMESPACE_OID, json.dumps([str(part) for part in parts])))


def named(label: str, key: str) -> str:
    """The id of a knowledge node."""
    return str(uuid5(NAMESPACE_OID, f"{label}:{key}"))


def digest(text: str) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Passage:
    """Some words of one version of a document, and the activation they were read at."""

    key: str
    text: str
    words: str
    seq: int = 1

    @property
    def document_id(self) -> str:
        return named("Document", self.key)

    @property
    def start(self) -> int:
        return self.text.index(self.words)

    @property
    def end(self) -> int:
        return self.start + len(self.words)

    @property
    def evidence_id(self) -> str:
        prefix = digest(self.text)[:16]
        return f"ev1:s:{self.document_id}:{prefix}:{self.start}-{self.end}"

    @property
    def support(self) -> DocumentSupportInput:
        return DocumentSupportInput(evidence_id=self.evidence_id)

    @property
    def outcome(self) -> FetchOutcome:
        """What fetching it gives, as an honest caller passes it on."""
        return FetchOutcome(
            evidence_id=self.evidence_id,
            status=FetchStatus.OK,
            text=self.words,
            document_key=self.key,
            content_hash=digest(self.text),
            observed_activation_seq=self.seq,
            covered_range=(self.start, self.end),
        )


@dataclass(frozen=True)
class Heard:
    """One event of a task, by its number."""

    task: str
    seq: int

    @property
    def support(self) -> EventSupportInput:
        return EventSupportInput(task_name=self.task, seq=self.seq)


Cited = Passage | Heard | str
"""A passage, an event, or a decision's id."""


def support_of(cited: Cited) -> DocumentSupportInput | EventSupportInput | DecisionSupportInput:
    """The support as a caller names it."""
    if isinstance(cited, str):
        return DecisionSupportInput(decision_id=cited)
    return cited.support


Pair = tuple[str, str] | tuple[str, str, dict[str, Any]]


@dataclass
class Seed:
    """Writes one project's records with plain Cypher."""

    raw: RawGraph
    project: str = "p"
    ticks: "count[int]" = field(default_factory=count)

    def now(self) -> str:
        """The next second of this graph's own time, as the library stores it."""
        return (START + timedelta(seconds=next(self.ticks))).isoformat()

    def create(self, label: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Nodes of one label, whatever their properties."""
        present = [{k: v for k, v in row.items() if v is not None} for row in rows]
        self.raw.run(f"UNWIND $rows AS row CREATE (n:{label}) SET n = row", {"rows": present})

    def link(self, start: str, kind: str, end: str, pairs: Iterable[Pair]) -> None:
        """Relationships between nodes of two labels, by id, perhaps with properties."""
        rows = [[pair[0], pair[1], pair[2] if len(pair) > 2 else {}] for pair in pairs]
        self.raw.run(
            f"UNWIND $rows AS row MATCH (a:{_seek(start)} id: row[0]}}) "
            f"WITH a, row MATCH (b:{_seek(end)} id: row[1]}}) "
            f"CREATE (a)-[r:{kind}]->(b) SET r = row[2]",
            {"rows": rows},
        )

    def project_node(self, **props: Any) -> None:
        """The project, which the library makes with its first task."""
        known = {"project_id": self.project, "review_epoch": 0, "review_incomplete": False}
        self.create("Project", [MARK | known | props])

    def task(self, name: str = "t", *payloads: str, goal: str = "Find out.", **props: Any) -> str:
        """A task with these messages in its log."""
        identity = derived(self.project, name)
        known = {
            "id": identity,
            "project_id": self.project,
            "name": name,
            "goal": goal,
            "status": "open",
            "event_seq": len(payloads),
            "author": "agent",
            "created_at": self.now(),
        }
        self.create("Task", [MARK | known | props])
        self._events(identity, payloads, 1)
        return identity

    def events(self, task: str, *payloads: str, **props: Any) -> list[str]:
        """More messages at the end of a task's log; returns their ids."""
        task_id = derived(self.project, task)
        by_id = "MATCH (t:Task {_agrag_history_record: true, id: $id}) "
        last = self.raw.run(by_id + "RETURN t.event_seq", {"id": task_id})[0][0]
        self.raw.run(by_id + "SET t.event_seq = $seq", {"id": task_id, "seq": last + len(payloads)})
        return self._events(task_id, payloads, last + 1, **props)

    def _events(self, task_id: str, payloads: Sequence[str], first: int, **props: Any) -> list[str]:
        rows = [
            MARK
            | {
                "id": derived("Event", task_id, seq),
                "task_id": task_id,
                "seq": seq,
                "kind": "message",
                "payload": payload,
                "payload_sha256": digest(payload),
                "truncated": False,
                "author": "agent",
                "at": self.now(),
            }
            | props
            for seq, payload in enumerate(payloads, first)
        ]
        self.create("Event", rows)
        self.link("Task", "HAS_EVENT", "Event", [(task_id, row["id"]) for row in rows])
        return [row["id"] for row in rows]

    def decision(
        self, choice: str, *cited: Cited, task: str = "t", revision: int = 1, **props: Any
    ) -> str:
        """An active, clear decision of the library, on what it cites."""
        return self.decisions([(choice, cited)], task=task, revision=revision, **props)[0]

    def decisions(
        self,
        made: Sequence[tuple[str, Sequence[Cited]]],
        *,
        task: str = "t",
        revision: int = 1,
        **props: Any,
    ) -> list[str]:
        """Many decisions at once, each a choice key with what it cites."""
        task_id = derived(self.project, task)
        rows: list[dict[str, Any]] = []
        supports: list[tuple[str, dict[str, Any]]] = []
        for choice, cited in made:
            identity = derived("Decision", task_id, choice, revision)
            rows.append(
                MARK
                | {
                    "id": identity,
                    "task_id": task_id,
                    "project_id": self.project,
                    "choice_key": choice,
                    "revision": revision,
                    "conclusion": f"Conclusion of {choice}",
                    "rationale": f"Rationale of {choice}",
                    "assumptions": [],
                    "open_questions": [],
                    "author": "agent",
                    "status": "active",
                    "review_state": "clear",
                    "created_at": self.now(),
                }
                | props
            )
            supports += [
                (identity, self._support(identity, ordinal, one))
                for ordinal, one in enumerate(cited)
            ]
        self.create("Decision", rows)
        self.link("Task", "MADE", "Decision", [(task_id, row["id"]) for row in rows])
        self.create("DecisionSupport", [s for _, s in supports])
        self.link("Decision", "HAS_SUPPORT", "DecisionSupport", [(d, s["id"]) for d, s in supports])
        on = [(d, s["decision_id"]) for d, s in supports if s["kind"] == "decision"]
        self.link("Decision", "DEPENDS_ON", "Decision", on)
        return [row["id"] for row in rows]

    def _support(self, decision_id: str, ordinal: int, cited: Cited) -> dict[str, Any]:
        props = MARK | {
            "id": derived("Support", decision_id, ordinal),
            "ordinal": ordinal,
            "current": True,
            "project_id": self.project,
        }
        match cited:
            case Passage():
                return props | {
                    "kind": "document",
                    "evidence_id": cited.evidence_id,
                    "document_key": cited.key,
                    "document_node_id": cited.document_id,
                    "content_hash_prefix": digest(cited.text)[:16],
                    "content_hash": digest(cited.text),
                    "reference_kind": "span",
                    "char_start": cited.start,
                    "char_end": cited.end,
                    "recorded_activation_seq": cited.seq,
                }
            case Heard():
                event_id = derived("Event", derived(self.project, cited.task), cited.seq)
                return props | {
                    "kind": "event",
                    "event_id": event_id,
                    "task_name": cited.task,
                    "seq": cited.seq,
                }
            case _:
                return props | {
                    "kind": "decision",
                    "decision_id": cited,
                    "target_decision_id": cited,
                }

    def step(self, name: str, state: str = "not_started", *, task: str = "t", **props: Any) -> str:
        """A step as the library sets it, without a result unless `props` say otherwise."""
        task_id = derived(self.project, task)
        identity = derived("Step", task_id, name)
        known = {
            "id": identity,
            "task_id": task_id,
            "name": name,
            "kind": "other",
            "state": state,
            "updated_seq": 0,
            "result_basis": "unknown",
            "result_supports": "[]",
        }
        self.create("Step", [MARK | known | props])
        self.link("Task", "HAS_STEP", "Step", [(task_id, identity)])
        return identity

    def document(self, key: str, *texts: str | None, managed: bool = True) -> str:
        """A document with one activation for each text; None removes it.

        `managed` marks it as ours; without, it is as the library's ingestion leaves it.
        """
        identity = named("Document", key)
        at = self.now()
        current = texts[-1]
        self.create(
            "_Node:Document",
            [
                {
                    "id": identity,
                    "document_key": key,
                    "title": key.title(),
                    "current_content_hash": digest(current) if current is not None else None,
                    "activation_seq": len(texts),
                    "updated_at": at,
                    "ctx_managed": managed or None,
                }
            ],
        )
        for seq, text in enumerate(texts, 1):
            self._activation(key, seq, text)
        for text in dict.fromkeys(text for text in texts if text is not None):
            self._chunk(key, text, is_open=text == current)
        return identity

    def _activation(self, key: str, seq: int, text: str | None) -> None:
        identity = named("DocumentActivation", f"{key}:{seq}")
        props = {
            "id": identity,
            "document_key": key,
            "verb": "delete" if text is None else "add" if seq == 1 else "update",
            "content_hash": digest(text) if text is not None else None,
            "activation_seq": seq,
            "activated_at": self.now(),
            "job_id": f"job-{key}-{seq}",
        }
        self.create("_Node:DocumentActivation", [props])
        pair = (named("Document", key), identity)
        self.link("Document", "HAS_ACTIVATION", "DocumentActivation", [pair])

    def _chunk(self, key: str, text: str, *, is_open: bool) -> None:
        document_id = named("Document", key)
        version = derived("Version", digest(text), "", "")
        identity = derived("Chunk", document_id, version, "library", 0)
        at = self.now()
        props = {
            "id": identity,
            "document_id": document_id,
            "content_hash": digest(text),
            "index": 0,
            "text": text,
            "char_start": 0,
            "char_end": len(text),
            "provenance": json.dumps({"kind": "text", "char_start": 0, "char_end": len(text)}),
            "chunker_hash": "library",
            "created_at": at,
        }
        edge = {"id": named("HAS_PART", f"{key}:{version}"), "version_id": version, "valid_at": at}
        self.create("_Node:Chunk", [props])
        closed = {} if is_open else {"invalid_at": at}
        self.link("Document", "HAS_PART", "Chunk", [(document_id, identity, edge | closed)])

    def counted(self, choice: str, *conclusions: str) -> None:
        """The counts of one choice: an active decision of ours on each of these conclusions."""
        choice_id = derived("CtxChoice", self.project, choice)
        sides = {derived("CtxStance", choice_id, digest(text)): text for text in conclusions}
        own = {"_ctx_record": True, "project_id": self.project}
        counts = {"id": choice_id, "choice_key": choice, "stances": len(sides)}
        self.create("CtxChoice", [own | counts])
        self.create(
            "CtxStance",
            [
                own | {"id": side, "choice_id": choice_id, "active": conclusions.count(text)}
                for side, text in sides.items()
            ],
        )


@dataclass
class Bulk(Seed):
    """Keeps what it is told until `flush`, for many projects at once."""

    made: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    linked: dict[tuple[str, str, str], list[Pair]] = field(
        default_factory=dict[tuple[str, str, str], list[Pair]]
    )

    def create(self, label: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Remember nodes."""
        self.made.setdefault(label, []).extend(dict(row) for row in rows)

    def link(self, start: str, kind: str, end: str, pairs: Iterable[Pair]) -> None:
        """Remember relationships."""
        self.linked.setdefault((start, kind, end), []).extend(pairs)

    def within(self, project: str) -> "Bulk":
        """The same memory for another project."""
        return Bulk(self.raw, project, self.ticks, self.made, self.linked)

    def flush(self) -> None:
        """Write everything, some thousand rows at a time."""
        seed = Seed(self.raw)
        for label, rows in self.made.items():
            for start in range(0, len(rows), 2000):
                seed.create(label, rows[start : start + 2000])
        for (start, kind, end), pairs in self.linked.items():
            for first in range(0, len(pairs), 2000):
                seed.link(start, kind, end, pairs[first : first + 2000])


def _seek(label: str) -> str:
    knowledge = label in ("Document", "Chunk", "DocumentActivation")
    return f"{label} {{" if knowledge else f"{label} {{_agrag_history_record: true,"
