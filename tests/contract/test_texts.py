"""Text: what engines hold comes back as it was, to the letter. `test_bad_input` has what is refused."""

from typing import Any

import pytest

from graphstore.records import Actor, EventKind, Exhibit
from graphstore.store import GraphStore
from tests.contract.bad_input import ODD
from tests.contract.canon import Picture
from tests.contract.looking import entry
from tests.contract.scenario import FLAGGED, Scene
from tests.contract.seeding import Bulk, Heard, Passage, Seed, digest
from tests.contract.world import Work, answer, evidence, on
from tests.servers import RawGraph

SCENE = Scene("p", FLAGGED)
NOTE = EventKind.NOTE


def _record(w: Work, **changed: Any) -> Any:
    told: dict[str, Any] = {
        "task_name": "t",
        "choice_key": "new",
        "conclusion": "c",
        "rationale": "r",
        **on(Heard("t", 1)),
    }
    return w.traces.record_decision(**told | changed)


@pytest.fixture
def scene(seed: Seed) -> Scene:
    """A project with a flagged decision that every operation can be about."""
    SCENE.build(seed)
    return SCENE


KEYABLE = [
    "a b",
    "a\t\nb",
    "\u00a0a\u2003",
    "\x02\x1f\x7f",
    ",'\\\"-",
    "a\u2028",
    "A",
    "Ä",
    "ä",
    "A\u0308",
]


def test_names_with_odd_middles_and_ends_hold(work: Work, scene: Scene) -> None:
    """Blanks within, other spaces at the ends, and letters written in two ways are kept apart."""
    wrong: dict[str, Any] = {}
    for name in KEYABLE:
        made = [
            work.history.create_task(name, f"Goal of {name}"),
            work.within(name).history.create_task("new", "g"),
            _record(work, choice_key=name),
            work.history.set_step("t", name, "not_started"),
            work.history.record_event("t", NOTE, payload="p", request_id=name),
        ]
        if [answer(one) for one in made] != [(True, None)] * 5:
            wrong[name] = made
    assert wrong == {}
    goals = {name: work.history.get_task(name).view for name in KEYABLE}
    assert {name: view and view.goal for name, view in goals.items()} == {
        name: f"Goal of {name}" for name in KEYABLE
    }
    assert Picture(work.raw, scene).broken() == []


@pytest.mark.parametrize("long", ["x" * 1000, "ü" * 500, "😀" * 250])
def test_the_longest_names_hold(long: str, work: Work, scene: Scene) -> None:
    """1,000 bytes of name are stored, found and counted."""
    assert work.history.create_task(long, "g").recorded
    assert _record(work, task_name=long, choice_key=long).recorded
    assert work.documents.put_document(long, "text").recorded
    assert work.history.get_task(long).found
    assert work.documents.get_document(long, scope=frozenset([long])).text == "text"


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


def _verdicts(w: Work, s: Scene, x: str) -> None:
    """All that people write about decisions is the same text, and is read as it was written."""
    passage, exhibit = s.current, Exhibit(causes=[x], algorithm=x)
    reason = f"{x} so"
    said = {"exhibit": exhibit, "request_id": "r"}
    held = w.traces.reaffirm_decision(
        s.decision("days"), **evidence(passage), explanation=x, **said
    )
    assert held.verdict_id is not None, held
    kept = w.traces.get_verdict(held.verdict_id)
    assert kept is not None
    assert (kept.why, kept.exhibit) == (x, exhibit)
    reviews = {d.review_explanation for d in w.get(s.decision("days")).supports if d.reviewed_by}
    assert reviews == {x}
    asked = w.traces.ask_for_review(s.decision("scope"), reason)
    assert asked.verdict_id is not None, asked
    back = w.traces.withdraw_verdict(asked.verdict_id, reason)
    assert back.verdict_id is not None, back
    why = [w.traces.get_verdict(one) for one in (asked.verdict_id, back.verdict_id)]
    assert [one and one.why for one in why] == [reason, reason]
    new = w.traces.supersede_decision(
        s.decision("days"),
        x,
        x,
        explanation=reason,
        assumptions=[x, x],
        open_questions=[x],
        **on(passage, Heard("t", 1)),
    ).decision
    assert new is not None
    assert w.get(new.id) == new
    assert (new.conclusion, new.rationale, new.supersession_explanation) == (x, x, reason)
    assert (new.assumptions, new.open_questions) == ([x, x], [x])
    put = w.documents.put_document(s.policy, f"{x}.", title=x, uri=x)
    found = w.documents.get_document(s.policy)
    assert found.document is not None
    assert put.document == found.document
    assert (found.text, found.document.title, found.document.uri) == (f"{x}.", x, x)


def test_odd_words_about_decisions_come_back_as_they_were(store: GraphStore, raw: RawGraph) -> None:
    """Explanations, reasons, exhibits and titles are stored to the letter, and so is who wrote them."""
    bulk = Bulk(raw)
    scenes = {kind: Scene(f"of {kind}", FLAGGED) for kind in ODD}
    for scene in scenes.values():
        scene.build(bulk.within(scene.project))
    bulk.flush()
    for kind, x in ODD.items():
        names = ("agent_id", "principal", "on_behalf_of", "session_id", "parent_trace")
        actor = Actor.model_validate(dict.fromkeys(names, x))
        _verdicts(Work(store, raw, scenes[kind].project, actor=actor), scenes[kind], x)
        written = entry(raw, "reaffirm_decision", scenes[kind].project)
        assert {written[name] for name in names} == {x}
        assert Picture(raw, scenes[kind]).broken() == []
