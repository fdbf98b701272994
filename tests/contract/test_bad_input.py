"""Bad input: every argument of every method answers with its code or its exception, and leaves nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from inspect import getdoc
from typing import Any

import pytest

from graphstore.desk import open_desk
from graphstore.ledger import list_entries
from graphstore.records import Actor
from graphstore.rows import iso, microseconds
from graphstore.store import GraphStore
from tests.contract.bad_input import (
    ALIEN,
    CALLS,
    CLASSES,
    DELETION,
    ELSEWHERE,
    HERE,
    LONG,
    NOWHERE,
    NUMBERS,
    TIMES,
    UNHELD,
    bound,
    build_elsewhere,
    hints,
    job,
    leave_job,
    methods,
    writes,
)
from tests.contract.conftest import opened
from tests.contract.looking import dump
from tests.contract.refused import KEYS, refused
from tests.contract.scenario import FLAGGED, Scene
from tests.contract.seeding import Bulk, derived
from tests.contract.world import Work, answer, evidence
from tests.servers import RawGraph


@dataclass(frozen=True)
class Stage:
    """One graph for all that is refused and read here: nothing ever changes in it."""

    work: Work
    whole: list[str]

    def untouched(self) -> bool:
        """Whether the graph is what it was, to the letter."""
        return dump(self.work.raw) == self.whole


@pytest.fixture(scope="module")
def stage(engine: str, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A graph with two projects of the same shape."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        bulk = Bulk(raw)
        HERE.build(bulk.within(HERE.project))
        build_elsewhere(bulk.within(ELSEWHERE.project))
        bulk.flush()
        yield Stage(Work(store, raw, HERE.project), dump(raw))
        store.close()


def test_every_method_and_argument_has_a_row() -> None:
    """A method or argument that is added needs one here, and so gets its bad values."""
    rows = {method: set(make(HERE)) for method, make in CALLS.items()}
    assert rows == {method: set(hints(method)) for method in methods()}


def test_the_calls_are_good_calls(store: GraphStore, raw: RawGraph) -> None:
    """What is refused below is refused for the one bad value: each call as it stands is in effect."""
    bulk = Bulk(raw)
    scenes = {method: Scene(f"for {method}", FLAGGED) for method in writes()}
    for scene in scenes.values():
        scene.build(bulk.within(scene.project))
    bulk.flush()
    for method in writes():
        if "job_id" in hints(method):
            leave_job(Work(store, raw, scenes[method].project))
    answers = {
        method: answer(bound(Work(store, raw, scene.project), method)(**CALLS[method](scene)))
        for method, scene in scenes.items()
    }
    assert {method: a for method, a in answers.items() if a != (True, None)} == {}


def documented(method: str) -> str:
    """What is said about a method: its own words, its class's, and those of what it points to."""
    part, name = method.split(".")
    words = [getdoc(CLASSES[part]) or "", getdoc(getattr(CLASSES[part], name)) or ""]
    for module in re.findall(r"`operations\.(\w+)`", words[1]):
        operation = getattr(import_module(f"graphstore.operations.{module}"), module)
        words.append(getdoc(operation) or "")
    others = re.findall(r"(?:as|those of)\s+`(\w+)`", " ".join(words))
    known = [other for other in others if other != name and hasattr(CLASSES[part], other)]
    return "\n".join([*words, *(documented(f"{part}.{other}") for other in known)])


@pytest.mark.parametrize("method", writes())
def test_a_write_refuses_each_bad_value_with_its_code(method: str, stage: Stage) -> None:
    """One code, which the documentation names, and not a trace in the graph."""
    call = bound(stage.work, method)
    wrong: dict[str, Any] = {}
    for argument in hints(method):
        for values, code in refused(method, argument):
            assert f"`{code}`" in documented(method), (method, code)
            for name, value in values.items():
                got = answer(call(**CALLS[method](HERE) | {argument: value}))
                if got != (False, code):
                    wrong[f"{argument}, {name}"] = got, code
    assert wrong == {}
    assert stage.untouched()


NAMES_OF_ACTOR = [name for name in Actor.model_fields if name != "door"]


def _by(stage: Stage, who: str, value: str) -> Work:
    """The project for somebody one of whose names is a text."""
    actor = Actor.model_validate({"agent_id": "a", who: value})
    return Work(stage.work.store, stage.work.raw, HERE.project, actor=actor)


@pytest.mark.parametrize("who", ["project_id", *NAMES_OF_ACTOR])
def test_who_writes_and_where_is_refused_alike(who: str, stage: Stage) -> None:
    """Project, author and every name of the actor: what is too long or not to be held, by every write."""
    rows = [(LONG, "name_too_long"), (UNHELD, "invalid_text")]
    rows += [(KEYS, "invalid_name")] if who == "project_id" else []
    wrong: dict[str, Any] = {}
    for values, code in rows:
        for name, value in values.items():
            work = stage.work.within(value) if who == "project_id" else _by(stage, who, value)
            for method in writes():
                got = answer(bound(work, method)(**CALLS[method](HERE)))
                if got != (False, code):
                    wrong[f"{method}, {name}"] = got, code
    assert wrong == {}
    assert stage.untouched()


PREVIEWS = {
    "documents.plan_put_document": "documents.put_document",
    "documents.plan_remove_document": "documents.remove_document",
    "traces.plan_withdrawal": "traces.withdraw_verdict",
    "retention.plan_redaction": "retention.redact_event",
    "retention.plan_deletion": "retention.delete_task",
}


@pytest.mark.parametrize("method", PREVIEWS)
def test_a_preview_refuses_what_the_write_refuses(method: str, stage: Stage) -> None:
    """Whoever is shown a plan is shown the very refusal that the write would give."""
    call = bound(stage.work, method)
    wrong: dict[str, Any] = {}
    for argument in hints(method):
        for values, code in refused(PREVIEWS[method], argument):
            for name, value in values.items():
                error = call(**CALLS[method](HERE) | {argument: value}).error
                if error != code:
                    wrong[f"{argument}, {name}"] = error, code
    assert wrong == {}
    assert stage.untouched()


NOTHING, ANYTHING, MISTAKE = "nothing", "anything", "a mistake"
FOREIGN = {
    "decision_id": ELSEWHERE.decision("days"),
    "verdict_id": ELSEWHERE.verdict,
    "task_id": derived(ELSEWHERE.project, "t"),
    "task_name": ALIEN,
    "choice_key": ALIEN,
    "document_key": ELSEWHERE.policy,
    "job_id": job(ELSEWHERE),
    "entry_id": derived("CtxTrace", ELSEWHERE.project, DELETION),
}
ANSWERS: dict[str, str] = {
    **dict.fromkeys(FOREIGN, NOTHING),
    **dict.fromkeys(("agent_id", "by", "author", "status", "review_state"), NOTHING),
    **dict.fromkeys(("words", "query", "after_name", "scope"), ANYTHING),
    "evidence_ids": NOTHING,
    "cursor": MISTAKE,
    "traces.list_verdicts cursor": ANYTHING,
    "traces.list_conflicts cursor": ANYTHING,
    "documents.list_documents cursor": ANYTHING,
    "state": MISTAKE,
    "kind": MISTAKE,
}
"""What a text that names nothing is answered with, by argument, or by method and argument."""
UNSAID = {"traces.browse_decisions", "traces.search_decisions", "documents.list_documents"}
"""Where a text that is empty or blank asks for everything, as if it had not been said."""


def _texts(method: str, argument: str) -> dict[str, Any]:
    values = NOWHERE | LONG | UNHELD
    if argument in FOREIGN:
        values |= {"of another project": FOREIGN[argument]}
    if argument == "scope":
        return {name: frozenset([value]) for name, value in values.items()}
    if argument == "evidence_ids":
        return {name: [value] for name, value in values.items()}
    empty = method in UNSAID or argument in ("cursor", "state", "kind")
    return {name: value for name, value in values.items() if value or not empty}


def nothing(result: Any) -> bool:
    """Whether a read found nothing."""
    if isinstance(result, list):
        return not any(getattr(one, "status", "ok") in ("ok", "truncated") for one in result)
    fields = dict(result or {})
    if "found" in fields:
        return not fields["found"]
    return not any(value for value in fields.values() if isinstance(value, list))


READS = [m for m in methods() if m not in writes() and m not in PREVIEWS]


@pytest.mark.parametrize("method", READS)
def test_a_read_of_what_is_nowhere_finds_nothing(method: str, stage: Stage) -> None:
    """Whatever the text, no read fails: it is not there, or the caller's mistake, as its documentation says."""
    call = bound(stage.work, method)
    good = CALLS[method](HERE)
    wrong: list[str] = []
    for argument, hint in hints(method).items():
        if "str" not in str(hint):
            continue
        row = ANSWERS.get(f"{method} {argument}") or ANSWERS[argument]
        for name, value in _texts(method, argument).items():
            try:
                got = NOTHING if nothing(call(**good | {argument: value})) else ANYTHING
            except ValueError as error:
                got = MISTAKE if argument in str(error) and len(str(error)) < 200 else str(error)
            if row not in (got, ANYTHING) or got not in (NOTHING, ANYTHING, MISTAKE):
                wrong.append(f"{argument}, {name}: {got}")
    assert wrong == []
    assert stage.untouched()


@pytest.mark.parametrize("method", READS)
def test_a_number_or_time_out_of_range_is_the_nearest(method: str, stage: Stage) -> None:
    """Any limit gives what a page gives; a number that nothing has, and a time before or after all, are ends."""
    call = bound(stage.work, method)
    good = CALLS[method](HERE)
    for argument, hint in hints(method).items():
        values = NUMBERS if "int" in str(hint) else TIMES if "datetime" in str(hint) else {}
        for value in values.values():
            result = call(**good | {argument: value})
            if argument == "limit" and not isinstance(result, int):
                assert nothing(result) == nothing(call(**good))
            if argument == "seq":
                assert nothing(result)
    assert stage.untouched()


FORGED = (
    "0001-01-01T00:00:00+23:59~x",
    "0001-06-01T00:00:00+00:00~",
    "9999-12-31T23:59:59-23:59~00000000-0000-0000-0000-000000000000",
    "2026-03-01T09:00:00+00:00~of another list",
    "0",
    "9" * 16,
)


@pytest.mark.parametrize("method", [m for m in READS if "cursor" in hints(m)])
def test_a_forged_cursor_is_a_place_or_a_mistake(method: str, stage: Stage) -> None:
    """Whoever makes up a cursor, or takes one of another list, gets a page from there or is told."""
    call = bound(stage.work, method)
    told: list[str] = []
    for cursor in FORGED:
        try:
            call(**CALLS[method](HERE) | {"cursor": cursor})
        except ValueError as error:
            told.append(str(error))
    assert set(told) <= {"This cursor is not one that a page gave."}
    assert stage.untouched()


def test_text_behind_a_fingerprint_is_no_fingerprint(stage: Stage) -> None:
    """What was shown is passed on whole and alone: any text behind it would reach the ledger."""
    w, policy, days = stage.work, HERE.policy, HERE.decision("days")
    desk = open_desk(w.store, HERE.project, days)
    assert desk is not None
    put = w.documents.plan_put_document(policy, "t").seen
    removal = w.documents.plan_remove_document(policy).seen
    redaction = w.retention.plan_redaction(HERE.event).seen
    deletion = w.retention.plan_deletion("t").seen
    answers = [
        w.documents.put_document(policy, "t", seen=f"{put}.text"),
        w.documents.remove_document(policy, seen=f"{removal}.text"),
        w.retention.redact_event(HERE.event, seen=f"{redaction}.text"),
        w.retention.delete_task("t", seen=f"{deletion}.text"),
        w.traces.reject_decision(days, "r", seen=f"{desk.seen}.text"),
        w.traces.reaffirm_decision(days, **evidence(HERE.current), seen=f"{desk.seen}.text"),
    ]
    assert {answer(one) for one in answers} == {(False, "moved")}
    assert stage.untouched()


def test_a_passage_is_never_longer_than_asked_for(stage: Stage) -> None:
    """Also where somebody asks for less than nothing."""
    asked = [HERE.current.evidence_id]
    for most in (-1, 0, 1):
        (found,) = stage.work.documents.fetch_evidence(asked, max_chars=most)
        assert (found.status, found.text) == ("truncated", HERE.current.words[: max(0, most)])


def test_a_place_in_the_ledger_that_is_none_is_the_beginning(stage: Stage) -> None:
    """Whatever its cursor says."""
    first = list_entries(stage.work.store, HERE.project)
    for cursor in [*NOWHERE.values(), *LONG.values(), *UNHELD.values(), "9" * 5000 + ".x"]:
        assert list_entries(stage.work.store, HERE.project, cursor=cursor) == first


def test_a_time_without_a_zone_is_in_utc() -> None:
    """Wherever the server stands; and what UTC cannot hold is no failure."""
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert iso(noon.replace(tzinfo=None)) == iso(noon) == "2026-03-01T12:00:00+00:00"
    assert microseconds(noon.replace(tzinfo=None)) == microseconds(noon)
    assert [iso(time)[:4] for time in TIMES.values()] == ["0001", "9999", "0001"]
