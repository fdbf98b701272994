"""Fills a graph with active decisions, in bulk, as both writers would have left them.

The nodes are in the library's schema and carry the properties that our own writes add;
beside each decision stand its ledger entry, its stored result and the count of its choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from graphstore.ids import derived_id, evidence_id, named_id, sha256
from graphstore.operations.record_decision import stance_ids
from graphstore.rows import iso, microseconds
from tests.servers import RawGraph

PROJECT = "bench"
TASK_SIZE = 100
"""Decisions of one task, each recorded after an event of its log."""
CITED_EVENTS = 10
"""Events of each task that eight decisions cite each."""
EVENTS = 40
DECISIONS_A_DOCUMENT = 200
ROOTS = ("ours", "theirs")
"""Two decisions that a tenth of all decisions rests on: one to be rejected by each side."""
TASKS_AT_ONCE = 10
SPAN = timedelta(days=365)
NEEDLES = 20
"""Decisions whose words nobody else uses, however many there are."""

_HISTORY = {"_agrag_history_record": True}
_OURS = {"_ctx_record": True}
Props = dict[str, Any]


@dataclass
class Batch:
    """What one round of statements creates."""

    nodes: dict[str, list[Props]] = field(default_factory=dict[str, list[Props]])
    owned: dict[str, list[Props]] = field(default_factory=dict[str, list[Props]])
    rests: list[list[str]] = field(default_factory=list[list[str]])


def task_name(number: int) -> str:
    """The name of a task of the fill."""
    return f"task {number:05}"


def task_id(number: int) -> str:
    return derived_id(PROJECT, task_name(number))


def choice_key(number: int, place: int) -> str:
    """What a decision of the fill decides; one in a hundred shares it with the next task."""
    return f"shared {number // 2}" if place == 3 else f"choice {number} {place}"


def decision_id(number: int, place: int) -> str:
    """The decision at a place of a task of the fill."""
    return derived_id("Decision", task_id(number), choice_key(number, place), 1)


def root_id(side: str) -> str:
    """The decision that a tenth of the others rests on."""
    return derived_id("Decision", derived_id(PROJECT, "roots"), f"root {side}", 1)


def event_id(number: int, seq: int) -> str:
    return derived_id("Event", task_id(number), seq)


def document_key(number: int) -> str:
    return f"procedure {number}"


def document_text(number: int) -> str:
    return (
        f"Procedure {number}. A consignment may stand on the apron for thirty minutes.\n\n"
        f"Beyond that it is held until a pharmacist has released it, and the log says why."
    )


def fill(raw: RawGraph, count: int) -> None:
    """Create `count` active decisions in tasks of 100, a year of work, and two roots."""
    tasks = count // TASK_SIZE
    raw.run("CREATE (n:Project) SET n = $p", {"p": {
        **_HISTORY, "project_id": PROJECT, "review_epoch": count // 20,
        "review_incomplete": False, "review_lock": 1,
    }})  # fmt: skip
    _create(raw, _roots())
    _create(raw, _documents(max(1, count // DECISIONS_A_DOCUMENT)))
    for first in range(0, tasks, TASKS_AT_ONCE):
        batch = Batch()
        for number in range(first, min(tasks, first + TASKS_AT_ONCE)):
            _task(batch, number, tasks, falkordb=raw.settings.engine == "embedded")
        _create(raw, batch)


def _create(raw: RawGraph, batch: Batch) -> None:
    for label, made in batch.nodes.items():
        node = ":_Node:Document" if label == "Document" else f":{label}"
        for part in _parts(made):
            raw.run(f"UNWIND $rows AS r CREATE (n{node}) SET n = r", {"rows": part})
    for label, made in batch.owned.items():
        owner, relation, node = _OWNED[label]
        for part in _parts(made):
            raw.run(
                f"UNWIND $rows AS r MATCH (o:{owner}) WITH o, r "
                f"CREATE (o)-[h:{relation}]->(n:{node}) SET n = r.props",
                {"rows": part},
            )
    for part in _parts(batch.rests):
        raw.run(
            "UNWIND $rows AS r MATCH (a:Decision {_agrag_history_record: true, id: r[0]}) "
            "WITH a, r MATCH (b:Decision {_agrag_history_record: true, id: r[1]}) "
            "CREATE (a)-[:DEPENDS_ON]->(b)",
            {"rows": part},
        )


_SEEK = "{_agrag_history_record: true, id: r.owner}"
_OWNED = {
    "Event": (f"Task {_SEEK}", "HAS_EVENT", "Event"),
    "Decision": (f"Task {_SEEK}", "MADE", "Decision"),
    "DecisionSupport": (f"Decision {_SEEK}", "HAS_SUPPORT", "DecisionSupport"),
    "Chunk": (
        "Document {id: r.owner}",
        "HAS_PART {id: r.edge.id, version_id: r.edge.version_id, valid_at: r.edge.valid_at}",
        "_Node:Chunk",
    ),
    "DocumentActivation": ("Document {id: r.owner}", "HAS_ACTIVATION", "DocumentActivation"),
}


def _parts[T](rows: Sequence[T]) -> Iterator[Sequence[T]]:
    for first in range(0, len(rows), 1000):
        yield rows[first : first + 1000]


def _documents(count: int) -> Batch:
    batch = Batch()
    at = iso(_instant(0, 1) - timedelta(days=30))
    for number in range(count):
        key, text = document_key(number), document_text(number)
        identity, digest = named_id("Document", key), sha256(text)
        version = derived_id("Version", digest)
        batch.nodes.setdefault("Document", []).append({
            "id": identity, "document_key": key, "title": f"Procedure {number}",
            "uri": f"file:///{number}", "current_content_hash": digest, "activation_seq": 1,
            "updated_at": at, "ctx_managed": True,
        })  # fmt: skip
        activation = derived_id("DocumentActivation", identity, 1)
        batch.owned.setdefault("DocumentActivation", []).append({"owner": identity, "props": {
            "id": activation, "document_key": key, "verb": "add", "content_hash": digest,
            "version_id": version, "activation_seq": 1, "activated_at": at, "job_id": activation,
        }})  # fmt: skip
        chunk = derived_id("Chunk", identity, version, "c", 0)
        batch.owned.setdefault("Chunk", []).append({
            "owner": identity,
            "edge": {"id": derived_id("part", chunk), "version_id": version, "valid_at": at},
            "props": {
                "id": chunk, "document_id": identity, "content_hash": digest, "index": 0,
                "text": text, "char_start": 0, "char_end": len(text), "chunker_hash": "c" * 64,
                "provenance": f'{{"kind": "text", "char_start": 0, "char_end": {len(text)}}}',
            },
        })  # fmt: skip
        batch.nodes.setdefault("CtxScope", []).append({
            **_OURS, "id": derived_id("CtxScope", PROJECT, identity), "project_id": PROJECT,
            "document_id": identity, "document_key": key, "granted": False,
        })  # fmt: skip
    return batch


def _roots() -> Batch:
    """The task of the two roots, which rest on an event of it."""
    batch = Batch()
    owner, at = derived_id(PROJECT, "roots"), _instant(0, 1) - timedelta(days=1)
    batch.nodes["Task"] = [_task_props("roots", at, 1)]
    batch.owned["Event"] = [_event("roots", owner, 1, at)]
    for side in ROOTS:
        _decision(batch, owner, f"root {side}", "One rule for all.", "r", at, {})
        _support(batch, root_id(side), 0, {
            "kind": "event", "event_id": derived_id("Event", owner, 1), "task_name": "roots",
            "seq": 1,
        })  # fmt: skip
    return batch


def _instant(number: int, tasks: int) -> datetime:
    """When a task was begun: all of them are spread over the year until now."""
    start = datetime.now(UTC).replace(microsecond=1) - SPAN
    return start + SPAN * number / max(1, tasks)


def _task(batch: Batch, number: int, tasks: int, *, falkordb: bool) -> None:
    name, owner = task_name(number), task_id(number)
    begun = _instant(number, tasks)
    step = SPAN / max(1, tasks) / (TASK_SIZE + 1)
    batch.nodes.setdefault("Task", []).append(_task_props(name, begun, EVENTS))
    for seq in range(1, EVENTS + 1):
        batch.owned.setdefault("Event", []).append(_event(name, owner, seq, begun))
    for place in range(TASK_SIZE):
        rests = {8: "theirs", 9: "ours"}.get(place % 10)
        flagged = {
            "review_state": "needs_review", "review_reason": "source_changed",
            "review_epoch": number, "ctx_seen_epoch": number, "ctx_causes": ["document:d"],
            "ctx_flagged_us": microseconds(begun + step * place),
        } if place % 20 == 7 else {}  # fmt: skip
        needle = " needle" if place == 1 and number % max(1, tasks // NEEDLES) == 0 else ""
        kept = f"percent {number % 2}" if place == 3 else "plain"
        key = choice_key(number, place)
        _decision(
            batch, owner, key,
            f"Choice {place} of task {number} is settled the usual way: {kept}{needle}.",
            "The procedure leaves thirty minutes, the log shows twenty, and nobody objected when "
            "the plan was read out; so the margin of ten minutes is kept as it stands.",
            begun + step * place, flagged, copies=falkordb,
        )  # fmt: skip
        identity = decision_id(number, place)
        _support(batch, identity, 0, _cited_document(number, place, tasks))
        if rests:
            parent = root_id(rests)
            _support(batch, identity, 1, {
                "kind": "decision", "decision_id": parent, "target_decision_id": parent,
            })  # fmt: skip
            batch.rests.append([identity, parent])
        else:
            seq = place // 10 % CITED_EVENTS + 1
            _support(batch, identity, 1, {
                "kind": "event", "event_id": event_id(number, seq), "task_name": name, "seq": seq,
            })  # fmt: skip


def _cited_document(number: int, place: int, tasks: int) -> Props:
    documents = max(1, tasks * TASK_SIZE // DECISIONS_A_DOCUMENT)
    which = (number * TASK_SIZE + place) // DECISIONS_A_DOCUMENT % documents
    key, digest = document_key(which), sha256(document_text(which))
    identity = named_id("Document", key)
    return {
        "kind": "document", "evidence_id": evidence_id(identity, digest, 0, 13),
        "document_key": key, "document_node_id": identity, "content_hash": digest,
        "content_hash_prefix": digest[:16], "reference_kind": "span", "char_start": 0,
        "char_end": 13, "recorded_activation_seq": 1,
    }  # fmt: skip


def _task_props(name: str, at: datetime, events: int) -> Props:
    return {
        **_HISTORY, "id": derived_id(PROJECT, name), "project_id": PROJECT, "name": name,
        "goal": "Decide how the consignment travels.", "status": "open", "event_seq": events,
        "author": "agent", "created_at": iso(at),
    }  # fmt: skip


def _event(name: str, owner: str, seq: int, at: datetime) -> Props:
    text = f"Lane {seq} of {name} was checked; the logger read four degrees throughout."
    return {"owner": owner, "props": {
        **_HISTORY, "id": derived_id("Event", owner, seq), "task_id": owner, "seq": seq,
        "kind": "message", "role": "assistant", "payload": text, "payload_sha256": sha256(text),
        "truncated": False, "author": "agent", "at": iso(at),
    }}  # fmt: skip


def _decision(
    batch: Batch, owner: str, key: str, conclusion: str, rationale: str,
    at: datetime, state: Mapping[str, Any], *, copies: bool = True,
) -> None:  # fmt: skip
    """A decision with its stored result, its ledger entry and the count of its choice."""
    identity = derived_id("Decision", owner, key, 1)
    choice_id, stance_id = stance_ids(PROJECT, key, conclusion)
    searched = {"_ft_conclusion": conclusion, "_ft_rationale": rationale} if copies else {}
    batch.owned.setdefault("Decision", []).append({"owner": owner, "props": {
        **_HISTORY, "id": identity, "task_id": owner, "project_id": PROJECT, "choice_key": key,
        "revision": 1, "conclusion": conclusion, "rationale": rationale, "assumptions": [],
        "open_questions": [], "author": "agent", "created_at": iso(at), "status": "active",
        "review_state": "clear", "ctx_version": 1, "ctx_stance": stance_id, **searched, **state,
    }})  # fmt: skip
    shared = key.startswith("shared")
    known = {choice["id"] for choice in batch.nodes.get("CtxChoice", [])} if shared else ()
    if choice_id not in known:
        batch.nodes.setdefault("CtxChoice", []).append({
            **_OURS, "id": choice_id, "project_id": PROJECT, "choice_key": key,
            "stances": 2 if shared else 1,
        })  # fmt: skip
    batch.nodes.setdefault("CtxStance", []).append({
        **_OURS, "id": stance_id, "project_id": PROJECT, "choice_id": choice_id, "active": 1,
    })  # fmt: skip
    batch.nodes.setdefault("CtxTrace", []).append({
        **_OURS, "id": derived_id("CtxTrace", PROJECT, identity), "project_id": PROJECT,
        "schema_version": 1, "kind": "decision", "action": "record_decision", "task_id": owner,
        "agent_id": "agent", "door": "api", "operation_id": identity, "created_at": iso(at),
        "us": microseconds(at), "decisions": [identity], "content_hash": sha256(identity),
        "manifest_json": f'{{"created": ["{identity}"], "task": "{owner}"}}' + " " * 300,
    })  # fmt: skip
    batch.nodes.setdefault("Request", []).append({
        **_HISTORY, "id": derived_id("Request", PROJECT, identity), "project_id": PROJECT,
        "request_id": identity, "operation": "record_decision", "payload_sha256": sha256(key),
        "ctx_digest": sha256(identity), "ctx_author": "agent", "ctx_task_id": owner,
        "result_json": f'{{"recorded": true, "decision": {{"id": "{identity}", "task_id": '
        f'"{owner}", "conclusion": "{conclusion}", "rationale": "{rationale}"}}}}',
    })  # fmt: skip


def _support(batch: Batch, owner: str, ordinal: int, cited: Props) -> None:
    batch.owned.setdefault("DecisionSupport", []).append({"owner": owner, "props": {
        **_HISTORY, "id": derived_id("Support", owner, ordinal), "ordinal": ordinal,
        "current": True, "project_id": PROJECT, **cited,
    }})  # fmt: skip
