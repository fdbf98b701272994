"""The sweep: each kind of damage is found, mended once, counted, and said in the ledger.

Damage that the reference library can do is done with the library itself, in
`tests/interop/test_sweep.py`; here stands what only a raw write brings about, and what a
sweep costs.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from graphstore.store import GraphStore, counting
from graphstore.sweep import Swept, survey, sweep
from tests.contract.conftest import opened
from tests.contract.looking import decision, dump, entries, node, nodes, project, supports
from tests.contract.seeding import Heard, Passage, Seed, derived, named
from tests.contract.world import DAYS, POLICY, POLICY_15, Work
from tests.servers import RawGraph


class Graph(NamedTuple):
    """A graph that the tests here share, each in a project of its own."""

    store: GraphStore
    raw: RawGraph


@pytest.fixture(scope="module")
def graph(engine: str, request: pytest.FixtureRequest) -> Iterator[Graph]:
    """One graph with its schema."""
    with request.getfixturevalue(f"{engine}_graphs").empty_graph() as raw:
        store = opened(raw.settings)
        yield Graph(store, raw)
        store.close()


class Place(NamedTuple):
    """One project: its records, our operations on it, and how it is swept."""

    seed: Seed
    work: Work

    @property
    def raw(self) -> RawGraph:
        return self.work.raw

    @property
    def project(self) -> str:
        return self.work.project

    def sweep(self, **more: Any) -> Swept:
        """Sweep the project as a process that never did."""
        return sweep(self.work.store, self.project, **more)

    def sweep_twice(self) -> Swept:
        """Sweep; then again, which must find nothing and change nothing."""
        swept = self.sweep()
        before = dump(self.raw)
        again = self.sweep()
        assert (again.mended, again.more) == ({}, False)
        assert dump(self.raw) == before
        return swept

    def policy(self) -> str:
        """The key of the project's own document."""
        return f"{self.project}-policy"

    def cited(self, text: str = POLICY, words: str = DAYS, seq: int = 1) -> Passage:
        """A passage of it."""
        return Passage(self.policy(), text, words, seq)


@pytest.fixture
def place(graph: Graph) -> Place:
    """A project with a task of two events and a document that was swept once."""
    name = f"p-{uuid.uuid4().hex[:8]}"
    seed = Seed(graph.raw, name)
    seed.project_node()
    seed.task("t", "first", "second")
    found = Place(seed, Work(graph.store, graph.raw, name))
    seed.document(found.policy(), POLICY)
    return found


def mended(place: Place) -> list[dict[str, Any]]:
    """The ledger entries of mends."""
    return entries(place.raw, place.project, "mended")


def kinds(swept: Swept, *but: str) -> dict[str, int]:
    """What was mended, without what any record of another writer needs."""
    return {k: n for k, n in swept.mended.items() if k not in ("uncounted", *but)}


def test_a_clear_decision_on_an_outdated_version_is_flagged(place: Place) -> None:
    """With what rests on it, and with the cause and the time of the flag."""
    seed = place.seed
    document = seed.document(f"{place.project}-two", POLICY, POLICY_15)
    old = seed.decision("days", Passage(f"{place.project}-two", POLICY, DAYS))
    leaf = seed.decision("leaf", old)
    swept = place.sweep_twice()
    assert kinds(swept) == {"outdated_version": 1}
    found = decision(place.raw, old)
    assert (found["review_state"], found["review_reason"]) == ("needs_review", "source_changed")
    assert found["ctx_causes"] == [f"document:{document}:2"]
    below = decision(place.raw, leaf)
    assert (below["review_state"], below["ctx_causes"]) == (
        "needs_review",
        [f"document:{document}:2"],
    )
    assert [e["manifest"]["cause"] for e in mended(place)] == ["outdated_version,uncounted"]
    assert not project(place.raw, place.project)["review_incomplete"]


def test_an_idle_sweep_is_two_reads(place: Place) -> None:
    """One for the graph, one for the project; with a survey at hand one, and nothing is written."""
    place.work.record("days", place.cited())
    place.sweep()
    before = dump(place.raw)
    with counting() as trips:
        swept = place.sweep()
    assert (trips.count, swept.mended, swept.left) == (2, {}, {})
    surveyed = survey(place.work.store)
    with counting() as trips:
        place.sweep(surveyed=surveyed)
    assert trips.count == 1
    assert dump(place.raw) == before


def test_a_clear_decision_under_a_parent_that_fell_is_flagged(place: Place) -> None:
    """Under one that was rejected, whose queue mark is gone, as a drain that died leaves it."""
    parent = place.seed.decision("parent", Heard("t", 1), status="rejected", review_pending=False)
    leaf = place.seed.decision("leaf", parent)
    swept = place.sweep_twice()
    assert kinds(swept) == {"fallen_parent": 1}
    found = decision(place.raw, leaf)
    assert (found["review_reason"], found["ctx_causes"]) == (
        "dependency_review",
        [f"decision:{parent}"],
    )


def test_what_stands_on_a_lost_source_is_flagged(place: Place) -> None:
    """A redacted event, an event that is not there, a decision and a document that are not there."""
    seed, raw = place.seed, place.raw
    nothing = str(uuid.uuid4())
    made = seed.decisions(
        [
            ("redacted", [Heard("t", 1)]),
            ("missing", [Heard("t", 9)]),
            ("orphaned", [Heard("t", 2)]),
            ("bare", [Passage("nowhere", POLICY, DAYS)]),
            ("sound", [Heard("t", 2)]),
        ]
    )
    raw.run(
        "MATCH (e:Event {id: $id}) SET e.payload = '[REDACTED]', e.redacted_at = $at",
        {"id": derived("Event", derived(place.project, "t"), 1), "at": seed.now()},
    )
    raw.run(
        "MATCH (:Decision {id: $id})-[:HAS_SUPPORT]->(s) REMOVE s.event_id, s.seq "
        "SET s.kind = 'decision', s.decision_id = $gone, s.target_decision_id = $gone",
        {"id": made[2], "gone": nothing},
    )
    swept = place.sweep_twice()
    assert kinds(swept) == {"lost_source": 4, "gone_unsaid": 2}
    states = [decision(raw, i)["review_state"] for i in made]
    assert states == ["needs_review"] * 4 + ["clear"]
    assert ["ctx_gone_at" in s for i in made for s in supports(raw, i)] == [
        False, True, True, False, False,
    ]  # fmt: skip
    assert decision(raw, made[2])["ctx_causes"] == [f"decision:{nothing}"]
    assert decision(raw, made[3])["ctx_causes"] == [f"document:{named('Document', 'nowhere')}:0"]


def test_of_two_active_revisions_the_newest_stands(place: Place) -> None:
    """The older one is superseded by it, and what relied on it is flagged."""
    old = place.work.record("days", Heard("t", 1))
    leaf = place.work.record("leaf", str(old.id))
    new = place.seed.decision("days", Heard("t", 2), revision=2, conclusion="Another")
    swept = place.sweep_twice()
    assert kinds(swept) == {"second_revision": 1}
    assert decision(place.raw, old.id)["status"] == "superseded"
    assert decision(place.raw, leaf.id)["ctx_causes"] == [f"decision:{old.id}"]
    after = place.raw.run(
        "MATCH (n:Decision)-[:SUPERSEDES]->(:Decision {id: $id}) RETURN n.id", {"id": str(old.id)}
    )
    assert after == [[new]]
    choice = node(place.raw, "CtxChoice", project_id=place.project, choice_key="days")
    assert choice["stances"] == 1


def test_a_queue_without_its_mark_is_carried(place: Place) -> None:
    """Something is pending and the project does not say so, as a second drain can leave it."""
    parent = place.work.record("parent", Heard("t", 1))
    leaf = place.work.record("leaf", str(parent.id))
    place.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.review_state = 'needs_review', d.review_pending = true",
        {"id": str(parent.id)},
    )
    swept = place.sweep_twice()
    assert kinds(swept) == {"mark_missing": 1}
    assert decision(place.raw, leaf.id)["review_state"] == "needs_review"
    assert project(place.raw, place.project)["review_epoch"] > 0


def test_a_mark_without_a_queue_is_lifted(place: Place) -> None:
    """Everything would read unknown until somebody drains."""
    place.raw.run(
        "MATCH (q:Project {project_id: $p}) SET q.review_incomplete = true", {"p": place.project}
    )
    swept = place.sweep_twice()
    assert kinds(swept) == {"mark_stale": 1}
    assert project(place.raw, place.project)["review_incomplete"] is False


def test_a_last_number_unlike_the_last_event_is_mended(place: Place) -> None:
    """Behind it, or ahead of it where nothing cites what is lost; then numbers go on without a gap."""
    place.seed.task("behind", "a", "b", event_seq=1)
    place.seed.task("ahead", "a", event_seq=4)
    swept = place.sweep_twice()
    assert kinds(swept) == {"event_number": 2}
    for name, last in (("behind", 2), ("ahead", 1)):
        assert node(place.raw, "Task", project_id=place.project, name=name)["event_seq"] == last
        result = place.work.history.record_event(name, "note", payload="next")
        assert result.event is not None
        assert result.event.seq == last + 1


def test_lost_numbers_that_are_cited_are_left(place: Place) -> None:
    """They would name other events; it is counted as left, and nothing is written for it."""
    place.seed.task("ahead", "a", event_seq=3)
    place.seed.decision("on it", Heard("ahead", 3))
    swept = place.sweep_twice()
    assert swept.left == {"numbers_cited": 1}
    assert place.sweep().left == {"numbers_cited": 1}
    assert node(place.raw, "Task", project_id=place.project, name="ahead")["event_seq"] == 3


def test_an_event_without_an_id_gets_its_own(place: Place) -> None:
    """The one that is derived from its number; readers on both sides find it again."""
    task_id = derived(place.project, "t")
    place.raw.run("MATCH (e:Event {task_id: $t, seq: 2}) SET e.id = null", {"t": task_id})
    swept = place.sweep_twice()
    assert kinds(swept) == {"event_without_id": 1}
    assert node(place.raw, "Event", task_id=task_id, seq=2)["id"] == derived("Event", task_id, 2)


def test_wrong_counts_of_a_choice_are_counted_anew(place: Place) -> None:
    """Sides that nobody stands on any more, and a number of sides that is not so."""
    one = place.work.record("days", Heard("t", 1), says="30")
    choice = {"project_id": place.project, "choice_key": "days"}
    identity = node(place.raw, "CtxChoice", **choice)["id"]
    place.seed.create(
        "CtxStance",
        [{"id": f"{identity}-15", "choice_id": identity, "project_id": place.project, "active": 2}],
    )
    place.raw.run("MATCH (c:CtxChoice {id: $id}) SET c.stances = 2", {"id": identity})
    assert place.work.traces.count_conflicts() == 1
    swept = place.sweep_twice()
    assert kinds(swept) == {"choice_count": 1}
    assert place.work.traces.count_conflicts() == 0
    assert node(place.raw, "CtxStance", id=f"{identity}-15")["active"] == 0
    assert node(place.raw, "CtxStance", id=decision(place.raw, one.id)["ctx_stance"])["active"] == 1


def test_a_flag_that_nobody_dated_is_dated(place: Place) -> None:
    """With what caused it, as the page and the queue need."""
    made = place.work.record("days", Heard("t", 1))
    place.raw.run(
        "MATCH (d:Decision {id: $id}) SET d.review_state = 'needs_review', "
        "d.review_reason = 'source_changed'",
        {"id": str(made.id)},
    )
    assert kinds(place.sweep_twice()) == {"undated_flag": 1}
    assert decision(place.raw, made.id)["ctx_flagged_us"] > 0


def test_what_nobody_can_read_is_left(place: Place) -> None:
    """A damaged step, and a damaged stored result that holds a redacted event's id."""
    event_id = derived("Event", derived(place.project, "t"), 1)
    place.seed.step("read", result_supports='[{"document_node_id":"broken')
    place.seed.create(
        "Request",
        [
            {
                "_agrag_history_record": True,
                "id": f"r-{place.project}",
                "project_id": place.project,
                "request_id": "r",
                "operation": "record_event",
                "result_json": f'{{"broken {event_id}',
            }
        ],
    )
    place.raw.run(
        "MATCH (e:Event {id: $id}) SET e.redacted_at = $at",
        {"id": event_id, "at": "2999-01-01T00:00:00+00:00"},
    )
    swept = place.sweep()
    assert swept.left == {"step_unreadable": 1, "result_unreadable": 1}
    assert place.sweep().left == {"step_unreadable": 1}


def test_one_that_cannot_be_read_does_not_keep_the_others(place: Place) -> None:
    """What stands in one commit with it is mended in another."""
    broken = place.seed.decision("broken", Heard("t", 1), review_state="needs_review")
    place.raw.run(
        "MATCH (:Decision {id: $id})-[:HAS_SUPPORT]->(s) SET s.reviewed_at = 'never'",
        {"id": broken},
    )
    seen = place.seed.decision("days", Passage("nowhere", POLICY, DAYS))
    swept = place.sweep()
    assert (swept.mended["lost_source"], swept.left) == (1, {"unreadable": 1})
    assert decision(place.raw, seen)["review_state"] == "needs_review"
    again = place.sweep()
    assert (again.mended, again.left) == ({}, {"unreadable": 1})


def test_a_task_that_is_being_deleted_is_left_to_its_job(place: Place) -> None:
    """Its log shrinks and its decisions go; the sweep touches neither."""
    place.seed.task("going", "a", event_seq=7, ctx_deleting="job")
    place.seed.decision("in it", Heard("going", 5), task="going")
    place.raw.run(
        "MATCH (t:Task {name: 'going', project_id: $p}) SET t._agrag_history_record = false",
        {"p": place.project},
    )
    before = dump(place.raw)
    swept = place.sweep()
    assert (swept.mended, swept.left) == ({}, {})
    assert dump(place.raw) == before


def test_records_without_a_date_are_looked_at_in_turn(graph: Graph, place: Place) -> None:
    """However many there are: each survey takes the next, and begins again after the last."""
    place.seed.create(
        "CtxChoice",
        [
            {"id": f"{place.project}-{k:03}", "project_id": place.project, "choice_key": f"{k}"}
            | {"stances": 0 if k % 200 else 3}
            for k in range(450)
        ],
    )
    found: list[str] = []
    position: dict[str, Any] = {}
    rounds = 0
    while rounds == 0 or position["CtxChoice"]:
        surveyed = survey(graph.store, place=position)
        found += surveyed.of(place.project).choices
        position, rounds = dict(surveyed.place), rounds + 1
    assert (len(found), rounds >= 3) == (3, True)


def test_a_mend_is_said_in_the_ledger_without_a_text(place: Place) -> None:
    """Who, what was damaged, and which records it was; nothing that somebody wrote."""
    place.work.record("days", place.cited(), says="Thirty days")
    place.raw.run(
        "MATCH (d:Document {id: $id}) SET d.activation_seq = 2", {"id": place.cited().document_id}
    )
    place.sweep()
    (entry,) = mended(place)
    assert (entry["agent_id"], entry["door"]) == ("review-console", "job")
    assert entry["manifest"]["cause"] == "outdated_version"
    assert "Thirty" not in json.dumps(entry)
    assert nodes(place.raw, "CtxTrace", project_id=place.project, ctx_open=True)
