"""A text written through every door is gone from everything that the system holds once it is erased.

Each door writes a word of its own. Whoever adds a way to write adds it to `DOORS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import falkordb
import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection, models
from django.test import Client

from graphstore import HistoryRetention, NewEvent
from graphstore.ids import derived_id
from graphstore.records import Decision, EventKind, EventSupportInput
from graphstore.retention import Bounds
from reviewconsole import jobs, text_stores
from reviewconsole.addresses import ask_url, delete_task_url, redact_event_url
from reviewconsole.models import User
from tests.contract.looking import dump
from tests.contract.seeding import MARK, Seed
from tests.servers import GraphSettings, RawGraph, engines_asked_for
from tests.web.browsing import judge, post, shown_form
from tests.web.conftest import SignedIn
from tests.web.world import PROJECT, World

TASK = "the secret matter"
KEPT = "keptword" + uuid4().hex[:8]
"""Stands in another task: that it is found everywhere shows that the search can see."""


@pytest.fixture(scope="session", params=engines_asked_for())
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine of this run in turn."""
    return request.param


@dataclass
class Place:
    """Where doors write: a task whose every text must go."""

    world: World
    raw: RawGraph
    client: Client
    word: str

    def on(self, seq: int = 1) -> list[EventSupportInput]:
        """An event of the task, to cite."""
        return [EventSupportInput(task_name=TASK, seq=seq)]

    def decide(self, choice: str, says: str, task: str = TASK) -> Decision:
        """Record a decision on the first event, with a request id."""
        made = self.world.traces.record_decision(
            task, choice, says, says, supports=self.on(), request_id=f"decide {choice}"
        )
        assert made.decision is not None, made
        return made.decision


Door = Callable[[Place, str], object]


def _step(place: Place, word: str) -> None:
    history = place.world.history
    history.set_step(TASK, word, "completed", result_event_seq=1, request_id="step")
    history.set_step(TASK, f"{word} two", "in_progress")
    history.resume_task(TASK, request_id="resume")


def _decision(place: Place, word: str) -> None:
    made = place.world.traces.record_decision(
        TASK,
        f"choice {word}",
        f"concludes {word}",
        f"because {word}",
        assumptions=[f"assumes {word}"],
        open_questions=[f"asks {word}"],
        supports=place.on(),
        request_id="full",
    )
    assert made.recorded


def _verdicts(place: Place, word: str) -> None:
    traces = place.world.traces
    one, two = place.decide("one", f"one {word}"), place.decide("two", f"two {word}")
    asked = traces.ask_for_review(one.id, f"asked {word}", request_id="ask")
    traces.withdraw_verdict(asked.verdict_id or "", f"withdrawn {word}", request_id="withdraw")
    traces.ask_for_review(one.id, f"again {word}")
    traces.reaffirm_decision(one.id, [], explanation=f"reaffirmed {word}", request_id="keep")
    traces.reject_decision(two.id, f"rejected {word}", request_id="reject")
    replaced = traces.supersede_decision(
        one.id,
        f"new {word}",
        f"reason {word}",
        explanation=f"superseded {word}",
        supports=place.on(),
        request_id="supersede",
    )
    assert replaced.recorded


def _elsewhere(place: Place, word: str) -> None:
    """What other tasks keep of it: the event's number, and a step's support; no word of ours."""
    place.decide("cites it", "Elsewhere.", task="letters")
    rests = place.world.history.set_step(
        "letters",
        "rests",
        "completed",
        result_event_seq=1,
        result_basis="supported",
        supports=place.on(),
        request_id="rests",
    )
    assert rests.recorded
    place.world.history.record_event(TASK, "note", payload=word)


def _verdict_form(place: Place, word: str) -> None:
    decision = place.decide("by form", f"form {word}")
    place.world.traces.ask_for_review(decision.id, "Look.")
    assert judge(place.client, decision, "reject", explanation=f"why {word}").status_code == 303


def _draft(place: Place, word: str) -> None:
    """A verdict that was refused: its words are kept for the person."""
    decision = place.decide("drafted", "Drafted.")
    place.world.traces.ask_for_review(decision.id, "Look.")
    assert judge(place.client, decision, "supersede", explanation=word).status_code == 422


def _asked_by_form(place: Place, word: str) -> None:
    decision = place.decide("asked", "Asked.")
    url = ask_url(PROJECT, decision.id)
    form = shown_form(place.client.get(url))
    assert post(place.client, url, {**form, "explanation": word}).status_code == 303


def _as_the_library(place: Place, word: str) -> None:
    """Records and a stored result as the library leaves them, past our code."""
    seed = Seed(place.raw, PROJECT)
    seed.events(TASK, f"event {word}")
    seed.step(f"step {word}", task=TASK)
    stored = MARK | {"operation": "create_task", "payload_sha256": "0" * 64, "project_id": PROJECT}
    task_id = derived_id(PROJECT, TASK)
    result = f'{{"recorded": true, "task": {{"id": "{task_id}", "goal": "{word}"}}}}'
    seed.create(
        "Request", [stored | {"id": uuid4().hex, "request_id": "lib", "result_json": result}]
    )


DOORS: dict[str, Door] = {
    "one event": lambda p, word: p.world.history.record_event(
        TASK, "note", role=f"role {word}", name=f"name {word}", payload=word, request_id="event"
    ),
    "many events": lambda p, word: p.world.history.record_events(
        TASK,
        [NewEvent(EventKind.NOTE, word), NewEvent(EventKind.NOTE, f"{word} again")],
        request_id="events",
    ),
    "steps": _step,
    "decision": _decision,
    "verdicts": _verdicts,
    "elsewhere": _elsewhere,
    "verdict form": _verdict_form,
    "draft": _draft,
    "asked by form": _asked_by_form,
    "as the library": _as_the_library,
}
"""How a text comes in. Each gets the place and its own word."""


def own_word(place: Place, door: str) -> str:
    """The word of one door."""
    return f"{place.word}{list(DOORS).index(door):02}"


@pytest.fixture
def place(world: World, raw: RawGraph, alice: User, signed_in: SignedIn) -> Place:
    """The task, written through every door, and another that stays."""
    uncompressed(raw.settings)
    word = "w" + uuid4().hex[:8]
    place = Place(world, raw, signed_in(alice), word)
    world.history.create_task(TASK, f"Goal {word}goal", request_id="create")
    world.history.record_event(TASK, "note", payload=f"first {word}first", request_id="first")
    world.history.record_event("letters", "note", payload=f"Another matter, {KEPT}.")
    for name, door in DOORS.items():
        door(place, own_word(place, name))
    return place


def in_the_database(word: str) -> list[str]:
    """The tables of the console's database that hold it, sessions read as they are meant."""
    found: list[str] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of our own tables
            found += [table for row in cursor.fetchall() if word in str(row)]
    found += ["session" for one in Session.objects.all() if word in str(one.get_decoded())]
    return found


def uncompressed(settings: GraphSettings) -> None:
    """Have the embedded engine write its files so that a text in them can be found."""
    for path in [settings.socket_path] * bool(settings.socket_path):
        client = falkordb.FalkorDB(unix_socket_path=str(path))
        client.connection.config_set("rdbcompression", "no")
        client.close()


def in_the_files(settings: GraphSettings, word: str) -> list[str]:
    """The files of the embedded engine that hold it; of another engine there are none to see."""
    roots: list[Path] = [settings.data_dir] * bool(settings.data_dir)  # type: ignore[list-item]
    files = [path for root in roots for path in root.rglob("*") if path.is_file()]
    return [str(path) for path in files if word.encode() in path.read_bytes()]


def in_the_graph(raw: RawGraph, word: str) -> list[str]:
    """Every node and relationship that holds it."""
    return [line for line in dump(raw) if word in line]


def erased(place: Place, caplog: pytest.LogCaptureFixture, *words: str) -> None:
    """None of the words is anywhere, and what stays is still found by the same search."""
    jobs.catch_up(PROJECT)
    for word in words:
        assert in_the_graph(place.raw, word) == []
        assert in_the_database(word) == []
        assert text_stores.search(word) == []
        assert in_the_files(place.raw.settings, word) == []
        assert word not in caplog.text
    assert in_the_graph(place.raw, KEPT) != []
    embedded = place.raw.settings.engine == "embedded"
    assert bool(in_the_files(place.raw.settings, KEPT)) is embedded


def test_every_door_leaves_its_word_somewhere(place: Place) -> None:
    """Otherwise nothing would be shown by the word being gone."""
    words = {name: own_word(place, name) for name in DOORS}
    missing = [
        name
        for name, word in words.items()
        if not in_the_graph(place.raw, word) and not text_stores.search(word)
    ]
    assert missing == []
    assert text_stores.search(words["draft"]) != []


def test_nothing_of_a_deleted_task_is_left(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    """Deleted on its page: graph, stored results, database, logs and the engine's files."""
    url = delete_task_url(PROJECT, TASK)
    form = shown_form(place.client.get(url))
    assert post(place.client, url, {**form, "name": TASK}).status_code == 303
    erased(place, caplog, place.word)
    assert TASK not in "\n".join(dump(place.raw))


def test_nothing_of_a_task_that_a_job_deleted_is_left(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """The same in many commits, which a worker makes."""
    small = Bounds(at_once=0, events=2, decisions=2)
    result = HistoryRetention(place.world.store, PROJECT, "admin", bounds=small).delete_task(TASK)
    assert result.left_to_job
    erased(place, caplog, place.word)
    assert TASK not in "\n".join(dump(place.raw))


def test_nothing_of_a_redacted_event_is_left(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """Of its body; what people and agents wrote in words of their own stays."""
    body = f"body{uuid4().hex[:8]}"
    history = place.world.history
    told = history.record_event(TASK, "note", payload=f"It said {body}.", request_id="told")
    assert told.event is not None
    decision = place.decide("quoting", "Drafted.")
    place.world.traces.ask_for_review(decision.id, "Look.")
    judge(place.client, decision, "supersede", explanation=f"It said {body}.")
    assert in_the_graph(place.raw, body) != []
    assert text_stores.search(body) != []
    url = redact_event_url(PROJECT, TASK, told.event.seq)
    form = shown_form(place.client.get(url))
    sent = {**form, "name": f"{TASK}/{told.event.seq}"}
    assert post(place.client, url, sent).status_code == 303
    erased(place, caplog, body)


TEXT = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def test_every_table_with_text_is_registered() -> None:
    """A new model with a text column is either searched and erased, or named as without."""
    with_text = {
        model._meta.label_lower  # noqa: SLF001 - Django's own way to ask
        for model in apps.get_models()
        if any(isinstance(field, TEXT) for field in model._meta.get_fields())  # noqa: SLF001
    }
    known = {store.name for store in text_stores.STORES} | text_stores.WITHOUT_TEXT
    assert with_text - known == set()
    assert known - with_text == set()
