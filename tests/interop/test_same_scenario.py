"""One scenario through either side leaves the same records, property by property."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from agrag.common.data_models.task import EventKind as TheirKind

from graphstore.records import EventKind
from tests.interop.library import Passage
from tests.interop.world import (
    HANDBOOK,
    POLICY,
    POLICY_LONGER,
    POLICY_SHORTER,
    Side,
    decision,
    document,
    event,
    our_decision,
    our_document,
    our_event,
)

AGENT = "library-agent"

QUEUE_KEEPING = {"review_epoch", "review_lock", "review_cursor", "review_pending", "event_seq"}
"""How flags travelled: we carry them in the commit that sets them, the library unit by unit."""


@dataclass(frozen=True)
class Calls:
    """The operations of one side, as the scenario needs them."""

    side: Side
    task: Callable[[str, str], Any]
    event: Callable[[str, str, str], Any]
    record: Callable[..., Any]
    supersede: Callable[..., Any]
    reject: Callable[[UUID, str], Any]
    reaffirm: Callable[..., Any]
    redact: Callable[[UUID], Any]


def _theirs(side: Side) -> Calls:
    library = side.library

    def supports(cited: Passage | None, seqs: list[int], parents: list[UUID]) -> dict[str, Any]:
        fetched = side.their_fetch(cited) if cited else []
        named = [document(cited)] if cited else []
        return {
            "supports": [*named, *(event("audit", n) for n in seqs), *map(decision, parents)],
            "fetched_evidence": fetched,
        }

    return Calls(
        side,
        library.create_task,
        lambda task, kind, text: library.record_event(task, text, kind=TheirKind(kind), name="x"),
        lambda task, choice, words, *cited: library.record_decision(
            task, choice, words, assumptions=["a"], **supports(*cited)
        ),
        lambda old, words, why, *cited: library.supersede_decision(
            old, words, explanation=why, **supports(*cited)
        ),
        library.reject_decision,
        lambda judged, why, cited: library.reaffirm_decision(
            judged,
            [document(c) for c in cited],
            fetched_evidence=side.their_fetch(*cited) if cited else [],
            explanation=why,
        ),
        library.redact_event,
    )


def _ours(side: Side) -> Calls:
    def supports(cited: Passage | None, seqs: list[int], parents: list[UUID]) -> dict[str, Any]:
        fetched = side.our_fetch(cited) if cited else []
        named = [our_document(cited)] if cited else []
        return {
            "supports": [
                *named,
                *(our_event("audit", n) for n in seqs),
                *map(our_decision, parents),
            ],
            "fetched_evidence": fetched,
        }

    return Calls(
        side,
        side.history.create_task,
        lambda task, kind, text: side.history.record_event(
            task, EventKind(kind), payload=text, name="x"
        ),
        lambda task, choice, words, *cited: side.traces.record_decision(
            task, choice, words, "Because it says so.", assumptions=["a"], **supports(*cited)
        ),
        lambda old, words, why, *cited: side.traces.supersede_decision(
            old, words, "Because it says so now.", explanation=why, **supports(*cited)
        ),
        side.traces.reject_decision,
        lambda judged, why, cited: side.traces.reaffirm_decision(
            judged,
            [our_document(c) for c in cited],
            fetched_evidence=side.our_fetch(*cited) if cited else [],
            explanation=why,
        ),
        lambda event_id: side.retention.redact_event(str(event_id)),
    )


def _play(calls: Calls) -> None:
    """A document changes twice, and every verdict is given once."""
    side = calls.side
    side.library.put_document(side.policy, POLICY, title="Refund policy")
    side.library.put_document(side.handbook, HANDBOOK)
    assert calls.task("audit", "Find out.").recorded
    assert calls.task("letters", "Write.").recorded
    for kind, text in (
        ("message", "Wie lange?"),
        ("tool_result", "EU – only"),
        ("note", "n" * 40_000),
    ):
        assert calls.event("audit", kind, text).recorded
    cited = side.cite(POLICY, "Refunds are paid within 30 days")
    signed = side.cite(HANDBOOK, "Two people", side.handbook)
    scope = _id(calls.record("audit", "scope", "EU only", None, [2], []))
    days = _id(calls.record("audit", "days", "30 days", cited, [1], [scope]))
    mail = _id(calls.record("audit", "mail", "Say\n30 days.", None, [], [days, scope]))
    letter = _id(calls.record("letters", "letter", "Send it.", signed, [], [mail]))
    side.library.put_document(side.policy, POLICY_SHORTER, title="Refund policy")
    side.library.drain()
    now = side.cite(POLICY_SHORTER, "Refunds are paid within 15 days")
    assert calls.reaffirm(days, "Shorter.", [now]).recorded
    assert calls.reaffirm(mail, "Said so.", []).recorded
    new = _id(calls.supersede(mail, "Say 15 days.", "It changed.", now, [], [days]))
    side.library.drain()
    assert calls.reject(letter, "No letters.").recorded
    side.library.drain()
    assert calls.redact(side.library.list_events("audit").events[1].id).recorded
    side.library.put_document(side.policy, POLICY_LONGER, title="Refund policy")
    side.library.drain()
    assert side.library.get_decision(new).found


def test_one_scenario_leaves_the_same_records(both: Side) -> None:
    """Labels, properties, values and their types, what is absent, and relationships."""
    theirs = Side(both.store, both.peer, f"{both.project}-theirs", reviewer=AGENT)
    ours = Side(both.store, both.peer, f"{both.project}-ours", reviewer=AGENT)
    _play(_theirs(theirs))
    _play(_ours(ours))
    assert _records(ours) == _records(theirs)
    assert _relationships(ours) == _relationships(theirs)


def test_times_are_written_as_the_library_writes_them(both: Side) -> None:
    """ISO 8601 in UTC with an offset and microseconds, so that strings of both sort together."""
    ours = replace(both, reviewer=AGENT)
    _play(_ours(ours))
    for label, name in (("Task", "created_at"), ("Decision", "created_at")):
        for node in ours.peer.nodes(label, project_id=ours.project):
            assert TIME.fullmatch(node[name])


TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{6})?\+00:00")


def _id(result: Any) -> UUID:
    assert result.recorded, result
    return result.decision.id


def _names(side: Side) -> dict[str, str]:
    """From every id and name of the project's own to a name that does not depend on it."""
    names = {side.project: "<project>"}
    tasks = {node["id"]: node["name"] for node in side.peer.nodes("Task", project_id=side.project)}
    for key, name in tasks.items():
        names[key] = f"<task {name}>"
        for node in side.peer.nodes("Event", task_id=key):
            names[node["id"]] = f"<event {name} {node['seq']}>"
    for node in side.peer.nodes("Decision", project_id=side.project):
        names[node["id"]] = f"<decision {node['choice_key']} {node['revision']}>"
    for key in (side.policy, side.handbook):
        node = side.peer.node("Document", document_key=key)
        names[node["id"]] = f"<document {key.removeprefix(side.project)}>"
    for node in side.peer.nodes("DecisionSupport", project_id=side.project):
        names[node["id"]] = "<support>"
    return names


def _records(side: Side) -> list[Any]:
    names = _names(side)
    nodes: list[tuple[str, dict[str, Any]]] = []
    for label in ("Project", "Task", "Decision", "DecisionSupport"):
        nodes += [(label, node) for node in side.peer.nodes(label, project_id=side.project)]
    for task in side.peer.nodes("Task", project_id=side.project):
        nodes += [("Event", _hashed(node)) for node in side.peer.nodes("Event", task_id=task["id"])]
    plain = [
        (
            label,
            sorted(
                (key, type(value).__name__, _plain(value, names))
                for key, value in node.items()
                if not key.startswith("ctx_") and key not in QUEUE_KEEPING
            ),
        )
        for label, node in nodes
    ]
    return sorted(plain, key=str)


def _hashed(event_node: dict[str, Any]) -> dict[str, Any]:
    """The hash of a note that names an id differs with the id, so it is checked here."""
    text = event_node["payload"]
    if not text.endswith(" reaffirmed."):
        return event_node
    assert event_node["payload_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    return {key: value for key, value in event_node.items() if key != "payload_sha256"}


def _relationships(side: Side) -> list[Any]:
    names = _names(side)
    rows = side.peer.rows(
        "MATCH (a)-[r]->(b) WHERE a.project_id = $p OR b.project_id = $p "
        "RETURN a.id AS start, type(r) AS type, b.id AS end, properties(r) AS props",
        p=side.project,
    )
    return sorted(
        (names.get(row["start"], "?"), row["type"], names.get(row["end"], "?"), str(row["props"]))
        for row in rows
    )


def _plain(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_plain(item, names) for item in value]
    if not isinstance(value, str):
        return value
    if TIME.fullmatch(value):
        return "<time>"
    for key in sorted(names, key=len, reverse=True):
        value = value.replace(key, names[key])
    return value
