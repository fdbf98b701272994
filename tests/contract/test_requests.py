"""What every operation does with a request id, an operation id, its ledger entry and its round trips."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from graphstore.records import Actor, EventKind
from graphstore.store import GraphStore, counting
from tests.contract.canon import Picture
from tests.contract.conftest import opened
from tests.contract.looking import Props, entries, nodes
from tests.contract.scenario import CALM, FLAGGED, OPERATIONS, TRAVELLING, Scene
from tests.contract.seeding import Bulk, Seed, derived
from tests.contract.world import Deaf, Work, answer
from tests.servers import RawGraph

WITH_REQUEST = [name for name in OPERATIONS if name != "continue_decision_review"]
STATE_OF = {"reaffirm_decision": FLAGGED, "continue_decision_review": TRAVELLING}
"""In what state an operation is most itself; the others start from a calm project."""
BOUNDARIES = [1, 64]


@dataclass
class Place:
    """One graph in which every test has a project of its own."""

    store: GraphStore
    raw: RawGraph

    def work(self, scene: Scene, agent: str = "agent") -> Work:
        """The operations of the scene's project."""
        return Work(self.store, self.raw, scene.project, agent)

    def holds(self, scene: Scene) -> Props:
        """Everything in the scene's project."""
        return Picture(self.raw, scene).everything()


def scene_of(test: str, name: str) -> Scene:
    """The project in which one test runs one operation."""
    return Scene(f"{test} {name}", STATE_OF.get(name, CALM))


TESTS = (
    "replay",
    "arguments",
    "author",
    "operation",
    "lost",
    "lost+",
    "ledger",
    "trips",
    "refused",
)


@pytest.fixture(scope="module")
def place(engine: str, request: pytest.FixtureRequest) -> Iterator[Place]:
    """A graph of this module's own, with all projects in it."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        bulk = Bulk(raw)
        for test in TESTS:
            for name in OPERATIONS:
                scene = scene_of(test, name)
                scene.build(bulk.within(scene.project))
        bulk.flush()
        yield Place(store, raw)
        store.close()


def claim(place: Place, scene: Scene, request_id: str = "r") -> Props:
    """The stored request of a scene's project."""
    (found,) = nodes(
        place.raw,
        "Request",
        id=derived("Request", scene.project, request_id),
    )
    return found


@pytest.mark.parametrize("name", WITH_REQUEST)
def test_a_repeat_returns_the_first_result(name: str, place: Place) -> None:
    """The same request id with the same arguments gives what the first call gave, and changes nothing."""
    scene = scene_of("replay", name)
    first = OPERATIONS[name](place.work(scene), scene, "r")
    before = place.holds(scene)
    again = OPERATIONS[name](place.work(scene), scene, "r")
    assert again == first
    assert first.recorded
    assert place.holds(scene) == before


@pytest.mark.parametrize("name", WITH_REQUEST)
def test_the_same_id_with_other_arguments_is_refused(name: str, place: Place) -> None:
    """Another call under a used id is refused, whatever it is, and the first can still be repeated."""
    scene = scene_of("arguments", name)
    work = place.work(scene)
    first = OPERATIONS[name](work, scene, "r")
    before = place.holds(scene)
    other = work.history.create_task("other", "Other.", request_id="r")
    event = work.history.record_event("t", EventKind.NOTE, payload="Other.", request_id="r")
    assert answer(other) == answer(event) == (False, "request_id_reused")
    assert place.holds(scene) == before
    assert OPERATIONS[name](work, scene, "r") == first


@pytest.mark.parametrize("name", WITH_REQUEST)
def test_the_same_id_from_another_author_is_refused(name: str, place: Place) -> None:
    """Nobody gets another's record by guessing a request id."""
    scene = scene_of("author", name)
    OPERATIONS[name](place.work(scene), scene, "r")
    before = place.holds(scene)
    # The arguments name the author in some operations, so the first call is repeated to the letter.
    stolen = OPERATIONS[name](Work(place.store, place.raw, scene.project, "thief"), scene, "r")
    assert answer(stolen) == (False, "request_id_reused")
    assert place.holds(scene) == before


@pytest.mark.parametrize("name", WITH_REQUEST)
def test_a_request_names_its_operation_and_author(name: str, place: Place) -> None:
    """The claim holds the operation, the library's digest, our own, and who made it."""
    scene = scene_of("operation", name)
    OPERATIONS[name](place.work(scene), scene, "r")
    found = claim(place, scene)
    assert found["operation"] == STEMS[name]
    assert len(found["payload_sha256"]) == len(found["ctx_digest"]) == 64
    assert found["ctx_author"] == "agent"
    assert json.loads(found["result_json"])["recorded"] is True


STEMS = {name: name for name in OPERATIONS} | {
    "record_dependent": "record_decision",
    "supersede_parent": "supersede_decision",
    "reject_parent": "reject_decision",
    "reject_child": "reject_decision",
    "reaffirm_child": "reaffirm_decision",
    "delete_task_only": "delete_task",
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_lost_answer_is_found_and_nothing_is_done_twice(name: str, place: Place) -> None:
    """A commit whose answer was lost is recognised by its operation id; the result is what was written."""
    scene, twin = scene_of("lost", name), scene_of("lost+", name)
    deaf = Deaf(place.store)
    result = OPERATIONS[name](place.work(scene).through(deaf), scene, None)
    heard = OPERATIONS[name](place.work(twin), twin, None)
    assert [verb.entry for verb in deaf.lost] == [True]
    lost, twins = Picture(place.raw, scene), Picture(place.raw, twin)
    assert lost.broken() == []
    assert lost.canonical() == twins.canonical()
    assert told(result, lost) == told(heard, twins)
    written = [entries(place.raw, each.project) for each in (scene, twin)]
    assert len(written[0]) == len(written[1])


def told(result: Any, picture: Picture) -> Any:
    """A result without ids and times."""
    if not hasattr(result, "model_dump"):
        return result
    text = json.dumps(result.model_dump(mode="json", exclude=UNTOLD), sort_keys=True)
    for identity, known in picture.names.items():
        text = text.replace(identity, known)
    return text


TIMES = {"created_at", "at", "flagged_at", "rejected_at", "updated_at", "id", "task_id"}
UNTOLD: Any = {
    "task": TIMES,
    "event": TIMES,
    "events": {"__all__": TIMES},
    "document": TIMES | {"document_key", "title"},
    "step": dict.fromkeys(TIMES, True)
    | {"result_supports": {"__all__": {"document_key", "evidence_id"}}},
    "to_do": {"__all__": {"set_at"}},
    "decision": dict.fromkeys(TIMES, True)
    | {"supports": {"__all__": {"id", "reviewed_at", "document_key", "evidence_id"}}},
}


TEXTS = ("Goal of", "Said by", "by agent", "Leaf of", "Citer of", "Days of", "Scope of",
         "Changed.", "Rejected by", "Reaffirmed by", "euro", "Asked by", "Taken back by")  # fmt: skip
ACTOR = Actor(
    agent_id="person:00000000-0000-0000-0000-000000000001",
    principal="alice",
    on_behalf_of="bob",
    session_id="session",
    parent_trace="parent",
    door="form",
)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_commit_leaves_an_entry_that_names_who_did_what(name: str, place: Place) -> None:
    """The ledger says who, for whom, through which door, and what was before and after; never a text."""
    scene = scene_of("ledger", name)
    work = Work(place.store, place.raw, scene.project, ACTOR.agent_id, ACTOR)
    OPERATIONS[name](work, scene, None)
    found = entries(place.raw, scene.project)
    assert found != []
    for entry in found:
        assert entry["action"] == STEMS[name]
        who = {key: entry[key] for key in ACTOR.model_dump()}
        assert who == entry["manifest"]["actor"] == ACTOR.model_dump()
        assert entry["ctx_open"] is True
        assert entry["manifest"]["project"] == scene.project
        assert entry["manifest"]["at"] == entry["created_at"]
        said = json.dumps(entry)
        assert [text for text in TEXTS if text in said] == []


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_one_read_and_one_commit(name: str, place: Place) -> None:
    """When nothing competes there are two round trips, however much the commit flags."""
    scene = scene_of("trips", name)
    with counting() as trips:
        OPERATIONS[name](place.work(scene), scene, None)
    assert trips.count == 2


@pytest.mark.parametrize("name", WITH_REQUEST)
@pytest.mark.parametrize("request_id", ["", "x" * 65])
def test_an_id_of_a_wrong_length_is_refused(name: str, request_id: str, place: Place) -> None:
    """A request id has 1 to 64 characters; anything else is refused before anything is read."""
    scene = scene_of("refused", name)
    before = place.holds(scene)
    with counting() as trips:
        refused = OPERATIONS[name](place.work(scene), scene, request_id)
    assert answer(refused) == (False, "invalid_request_id")
    assert trips.count == 0
    assert place.holds(scene) == before


@pytest.mark.parametrize("length", BOUNDARIES)
def test_ids_of_the_shortest_and_longest_length_hold(length: int, work: Work, seed: Seed) -> None:
    """One character and 64 are both right."""
    seed.project_node()
    assert work.history.create_task("t", "g", request_id="ü" * length).recorded


def test_projects_do_not_share_request_ids(work: Work, seed: Seed) -> None:
    """The same id in another project is another request."""
    seed.project_node()
    first = work.history.create_task("t", "g", request_id="r")
    second = work.within("q").history.create_task("t", "g", request_id="r")
    assert (first.recorded, second.recorded) == (True, True)
    assert first.task != second.task
