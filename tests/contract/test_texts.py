"""Text: what no engine holds is refused at every door, and all other text comes back as it was."""

from collections.abc import Callable
from typing import Any

import pytest

from graphstore import NewEvent
from graphstore.desk import open_desk
from graphstore.records import (
    Actor,
    DecisionSupportInput,
    DocumentSupportInput,
    EventKind,
    EventSupportInput,
)
from graphstore.store import GraphStore
from tests.contract.canon import Picture
from tests.contract.looking import dump
from tests.contract.scenario import FLAGGED, Scene
from tests.contract.seeding import Heard, Passage, Seed, digest
from tests.contract.world import Work, answer, evidence, on

SCENE = Scene("p", FLAGGED)
NOTE = EventKind.NOTE
UNHELD = {"NUL": "a\0b", "high surrogate": "a\ud800", "low surrogate": "\udfffb"}

Call = Callable[[Work, str], Any]


def _record(w: Work, **changed: Any) -> Any:
    told: dict[str, Any] = {
        "task_name": "t",
        "choice_key": "new",
        "conclusion": "c",
        "rationale": "r",
        **on(Heard("t", 1)),
    }
    return w.traces.record_decision(**told | changed)


def _supersede(w: Work, **changed: Any) -> Any:
    told: dict[str, Any] = {
        "decision_id": SCENE.decision("days"),
        "conclusion": "c",
        "rationale": "r",
        "explanation": "e",
        **on(Heard("t", 1)),
    }
    return w.traces.supersede_decision(**told | changed)


def _fetched(text: str) -> dict[str, Any]:
    outcome = SCENE.current.outcome.model_copy(update={"text": text})
    return {"supports": [SCENE.current.support], "fetched_evidence": [outcome]}


def _by(who: str) -> Call:
    """A call by somebody one of whose names is a text."""

    def call(w: Work, text: str) -> Any:
        actor = Actor.model_validate({"agent_id": "a", who: text})
        return Work(w.store, w.raw, actor=actor).history.create_task("new", "g")

    return call


def _event(w: Work, **changed: Any) -> Any:
    told: dict[str, Any] = {"task_name": "t", "kind": NOTE, "payload": "p"}
    return w.history.record_event(**told | changed)


DOORS: dict[str, Call] = {
    "create_task task_name": lambda w, x: w.history.create_task(x, "g"),
    "create_task goal": lambda w, x: w.history.create_task("new", x),
    "create_task request_id": lambda w, x: w.history.create_task("new", "g", request_id=x),
    "create_task project_id": lambda w, x: w.within(x).history.create_task("new", "g"),
    "create_task agent_id": lambda w, x: w.by(x).history.create_task("new", "g"),
    "actor agent_id": _by("agent_id"),
    "actor principal": _by("principal"),
    "actor on_behalf_of": _by("on_behalf_of"),
    "actor session_id": _by("session_id"),
    "actor parent_trace": _by("parent_trace"),
    "record_event task_name": lambda w, x: _event(w, task_name=x),
    "record_event role": lambda w, x: _event(w, role=x),
    "record_event name": lambda w, x: _event(w, name=x),
    "record_event payload": lambda w, x: _event(w, payload=x),
    "record_event end of a long payload": lambda w, x: _event(w, payload="-" * 40_000 + x),
    "record_event request_id": lambda w, x: _event(w, request_id=x),
    "record_event project_id": lambda w, x: _event(w.within(x)),
    "record_events task_name": lambda w, x: w.history.record_events(x, [NewEvent(NOTE, "p")]),
    "record_events payload": lambda w, x: w.history.record_events(
        "t", [NewEvent(NOTE, "p"), NewEvent(NOTE, x)]
    ),
    "record_events role": lambda w, x: w.history.record_events("t", [NewEvent(NOTE, "p", x)]),
    "record_events name": lambda w, x: w.history.record_events("t", [NewEvent(NOTE, "p", None, x)]),
    "record_decision task_name": lambda w, x: _record(w, task_name=x),
    "record_decision choice_key": lambda w, x: _record(w, choice_key=x),
    "record_decision conclusion": lambda w, x: _record(w, conclusion=x),
    "record_decision rationale": lambda w, x: _record(w, rationale=x),
    "record_decision assumptions": lambda w, x: _record(w, assumptions=["a", x]),
    "record_decision open_questions": lambda w, x: _record(w, open_questions=[x]),
    "record_decision evidence_id": lambda w, x: _record(
        w, supports=[DocumentSupportInput(evidence_id=x)]
    ),
    "record_decision support's task": lambda w, x: _record(
        w, supports=[EventSupportInput(task_name=x, seq=1)]
    ),
    "record_decision support's decision": lambda w, x: _record(
        w, supports=[DecisionSupportInput(decision_id=x)]
    ),
    "record_decision fetched text": lambda w, x: _record(w, **_fetched(x)),
    "record_decision request_id": lambda w, x: _record(w, request_id=x),
    "record_decision agent_id": lambda w, x: _record(w.by(x)),
    "supersede_decision decision_id": lambda w, x: _supersede(w, decision_id=x),
    "supersede_decision conclusion": lambda w, x: _supersede(w, conclusion=x),
    "supersede_decision rationale": lambda w, x: _supersede(w, rationale=x),
    "supersede_decision explanation": lambda w, x: _supersede(w, explanation=x),
    "supersede_decision assumptions": lambda w, x: _supersede(w, assumptions=[x]),
    "supersede_decision open_questions": lambda w, x: _supersede(w, open_questions=[x]),
    "supersede_decision request_id": lambda w, x: _supersede(w, request_id=x),
    "reject_decision decision_id": lambda w, x: w.traces.reject_decision(x, "r"),
    "reject_decision reason": lambda w, x: w.traces.reject_decision(SCENE.decision("days"), x),
    "reject_decision agent_id": lambda w, x: w.by(x).traces.reject_decision(
        SCENE.decision("days"), "r"
    ),
    "reaffirm_decision decision_id": lambda w, x: w.traces.reaffirm_decision(x, []),
    "reaffirm_decision evidence": lambda w, x: w.traces.reaffirm_decision(
        SCENE.decision("days"), [DocumentSupportInput(evidence_id=x)]
    ),
    "reaffirm_decision explanation": lambda w, x: w.traces.reaffirm_decision(
        SCENE.decision("days"), **evidence(SCENE.current), explanation=x
    ),
    "reaffirm_decision request_id": lambda w, x: w.traces.reaffirm_decision(
        SCENE.decision("days"), **evidence(SCENE.current), request_id=x
    ),
    "put_document document_key": lambda w, x: w.documents.put_document(x, "text"),
    "put_document text": lambda w, x: w.documents.put_document("new", x),
    "put_document title": lambda w, x: w.documents.put_document("new", "text", title=x),
    "put_document uri": lambda w, x: w.documents.put_document("new", "text", uri=x),
    "put_document project_id": lambda w, x: w.within(x).documents.put_document("new", "text"),
    "remove_document document_key": lambda w, x: w.documents.remove_document(x),
    "redact_event event_id": lambda w, x: w.retention.redact_event(x),
    "redact_event request_id": lambda w, x: w.retention.redact_event(SCENE.event, request_id=x),
}


@pytest.fixture
def scene(seed: Seed) -> Scene:
    """A project with a flagged decision that every operation can be about."""
    SCENE.build(seed)
    return SCENE


@pytest.mark.parametrize("kind", UNHELD)
def test_text_that_no_engine_holds_is_refused_at_every_door(
    kind: str, work: Work, scene: Scene
) -> None:
    """NUL and lone surrogates are refused with one code, in every argument, and leave nothing."""
    before = dump(work.raw)
    answers = {door: answer(call(work, UNHELD[kind])) for door, call in DOORS.items()}
    assert {door: a for door, a in answers.items() if a != (False, "invalid_text")} == {}
    assert dump(work.raw) == before
    assert Picture(work.raw, scene).broken() == []


@pytest.mark.parametrize("kind", UNHELD)
def test_asking_for_text_that_no_engine_holds_finds_nothing(
    kind: str, work: Work, scene: Scene, store: GraphStore
) -> None:
    """A read with such a name is a read of something that is not there."""
    x = UNHELD[kind]
    assert work.history.get_task(x).found is False
    assert work.history.list_events(x).found is False
    assert work.within(x).history.list_tasks().tasks == []
    assert work.traces.get_decision(x).found is False
    assert work.traces.list_decisions_for_review(x).decisions == []
    assert work.traces.list_dependents(x).decisions == []
    assert work.documents.get_document(x).found is False
    assert work.documents.list_versions(x).found is False
    assert [f.status for f in work.documents.fetch_evidence([x])] == ["malformed"]
    assert open_desk(store, scene.project, x) is None


LONG = {
    "a task": lambda w, x: w.history.create_task(x, "g"),
    "a project": lambda w, x: w.within(x).history.create_task("new", "g"),
    "an event's task": lambda w, x: _event(w, task_name=x),
    "a choice": lambda w, x: _record(w, choice_key=x),
    "a document": lambda w, x: w.documents.put_document(x, "text"),
}


@pytest.mark.parametrize("name", LONG)
def test_a_name_that_no_index_holds_is_refused(name: str, work: Work, scene: Scene) -> None:
    """Over 1,000 bytes, in whatever letters, a name is refused and leaves nothing."""
    before = dump(work.raw)
    for long in ("x" * 1001, "ü" * 501, "😀" * 251):
        assert answer(LONG[name](work, long)) == (False, "name_too_long")
    assert dump(work.raw) == before


KEYS: dict[str, tuple[Call, str]] = {
    "a task": (lambda w, x: w.history.create_task(x, "g"), "invalid_name"),
    "a project": (lambda w, x: w.within(x).history.create_task("n", "g"), "invalid_name"),
    "a choice": (lambda w, x: _record(w, choice_key=x), "invalid_name"),
    "a request": (
        lambda w, x: w.history.create_task("n", "g", request_id=x),
        "invalid_request_id",
    ),
    "an event's request": (lambda w, x: _event(w, request_id=x), "invalid_request_id"),
}
UNKEYABLE = ["", " ", "a ", " a", "\ta", "a\n", "\x0ba", "a\x0c", "a\r", "a\x01b", "\x01"]


@pytest.mark.parametrize("door", KEYS)
def test_a_name_that_stops_a_server_is_refused(door: str, work: Work, scene: Scene) -> None:
    """An empty or padded name, or one with U+0001, never reaches a unique key of FalkorDB."""
    call, code = KEYS[door]
    before = dump(work.raw)
    answers = {name: answer(call(work, name)) for name in UNKEYABLE}
    assert {name: a for name, a in answers.items() if a != (False, code)} == {}
    assert dump(work.raw) == before
    assert Picture(work.raw, scene).broken() == []


KEYABLE = ["a b", "a\t\nb", "\u00a0a\u2003", "\x02\x1f\x7f", ",'\\\"-", "a\u2028", "A", "Ä", "ä"]


@pytest.mark.parametrize("door", ["a task", "a project", "a choice", "an event's request"])
def test_names_with_odd_middles_and_ends_hold(door: str, work: Work, scene: Scene) -> None:
    """Blanks within, other spaces at the ends and other control characters are kept apart."""
    call, _ = KEYS[door]
    answers = {name: answer(call(work, name)) for name in KEYABLE}
    assert {name: a for name, a in answers.items() if a != (True, None)} == {}
    assert Picture(work.raw, scene).broken() == []


@pytest.mark.parametrize("long", ["x" * 1000, "ü" * 500, "😀" * 250])
def test_the_longest_names_hold(long: str, work: Work, scene: Scene) -> None:
    """1,000 bytes of name are stored, found and counted."""
    assert work.history.create_task(long, "g").recorded
    assert _record(work, task_name=long, choice_key=long).recorded
    assert work.documents.put_document(long, "text").recorded
    assert work.history.get_task(long).found
    assert work.documents.get_document(long, scope=frozenset([long])).text == "text"


ODD = {
    "quotes": """'single' "double" `back` ''' \"\"\"""",
    "backslashes": "\\ \\\\ \\n \\u0041 \\' \\",
    "line ends": "a\nb\r\nc\rd\u2028e\u2029f\x85g\x0bh\x0ci",
    "controls": "".join(map(chr, range(1, 32))) + "\x7f\u200b\ufeff",
    "right to left": "\u202eabc\u202c שלום \u200fمرحبا",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 \U0010ffff",
    "combining": "e\u0301 é ﬃ ẛ̣",
    "Cypher": "$p {x: 1} // -- /* */ '}) MATCH (n) DETACH DELETE n //",
    "JSON": '{"id": null, "seq": 0} [] \\"',
    "zero ids": '00000000-0000-0000-0000-000000000000 "seq": 0',
    "blank": " \t\n ",
    "almost empty": " ",
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_text_comes_back_as_it_was(kind: str, work: Work, scene: Scene) -> None:
    """Names, goals, bodies, conclusions and reasons are stored to the letter."""
    x = ODD[kind]
    # A name may hold anything but U+0001, between two letters.
    called = f"a{x}z".replace("\x01", "")
    del scene
    assert work.history.create_task(called, x, request_id="1").recorded
    repeated = work.history.create_task(called, x, request_id="1").task
    made = work.history.record_event(
        called, NOTE, role=x, name=x, payload=x, request_id=called[:60] + "."
    )
    task = work.history.get_task(called).view
    assert task is not None
    assert repeated is not None
    assert (task.task_name, task.goal, task.last_event_seq) == (called, x, 1)
    assert (repeated.name, repeated.goal) == (called, x)
    assert work.history.list_events(called).events == [made.event]
    assert made.event is not None
    assert (made.event.role, made.event.name, made.event.payload) == (x, x, x)
    assert made.event.payload_sha256 == digest(x)
    told: dict[str, Any] = {
        "task_name": called,
        "choice_key": called,
        "conclusion": x,
        "rationale": x,
        "assumptions": [x, x],
        "open_questions": [x],
        **on(Heard(called, 1)),
    }
    decision = work.traces.record_decision(**told, request_id="2").decision
    assert decision is not None
    assert work.get(decision.id) == decision
    assert (decision.task_name, decision.choice_key) == (called, called)
    assert (decision.conclusion, decision.rationale) == (x, x)
    assert (decision.assumptions, decision.open_questions) == ([x, x], [x])
    assert work.traces.record_decision(**told, request_id="2").decision == decision
    rejected = work.traces.reject_decision(decision.id, x)
    assert rejected.decision is not None
    assert work.get(decision.id).rejection_reason == rejected.decision.rejection_reason == x


@pytest.mark.parametrize("kind", ["quotes", "line ends", "controls", "right to left", "emoji"])
def test_odd_documents_come_back_as_they_were(kind: str, work: Work, scene: Scene) -> None:
    """A document's text, key and title are stored to the letter, and its passages can be cited."""
    x, key = f"{ODD[kind]}\n\nbody {ODD[kind]}", ODD[kind]
    del scene
    put = work.documents.put_document(key, x, title=key)
    assert put.recorded
    found = work.documents.get_document(key, scope=frozenset([key]))
    assert found.text == x
    assert found.document == put.document
    assert found.document is not None
    assert (found.document.document_key, found.document.title) == (key, key)
    passage = Passage(key, x, f"body {ODD[kind]}")
    fetched = work.documents.fetch_evidence([passage.evidence_id], scope=frozenset([key]))
    assert [f.text for f in fetched] == [passage.words]
    recorded = _record(work, **on(passage))
    assert recorded.recorded
    assert work.documents.fetch_evidence([passage.evidence_id]) == fetched


@pytest.mark.parametrize("size", [32_000, 32_001, 1_000_000])
def test_long_text_comes_back_as_it_was(size: int, work: Work, scene: Scene) -> None:
    """Conclusions, goals and documents have no limit of their own."""
    x = ("päragraph\n\n" * (size // 11 + 1))[:size].rstrip()
    del scene
    assert work.history.create_task("long", x).recorded
    view = work.history.get_task("long").view
    assert view is not None
    assert view.goal == x
    decision = _record(work, conclusion=x, rationale=x).decision
    assert work.get(decision.id).conclusion == x
    assert work.documents.put_document("long", x).recorded
    assert work.documents.get_document("long", scope=frozenset(["long"])).text == x
