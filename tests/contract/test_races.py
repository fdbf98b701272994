"""Writers at the same instant: exactly one of them wins, and nothing is counted twice.

The rounds of `races` are played by 32 threads in four processes. In most of them four
contend, one of each process, and eight rounds are played at once; in the last eight all
32 contend for the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from graphstore.desk import open_desk
from graphstore.records import EventKind
from graphstore.store import GraphStore
from tests.contract.looking import Props, stances
from tests.contract.racers import Racers, Told
from tests.contract.races import AT_ONCE, RACES, ROUNDS, Round
from tests.contract.seeding import Bulk, Heard, Seed, derived
from tests.contract.standing import Standing
from tests.contract.world import Work, answer, on
from tests.servers import GraphSettings, RawGraph

WRITERS = 8
TRIES = 5
CROWDED = 8
"""Rounds for which all 32 contend."""


@dataclass
class Played:
    """A race that was run: what the contenders of each round were told, and what stands."""

    name: str
    told: dict[int, list[Told]]
    standing: Standing

    def rounds(self) -> Iterator[tuple[Round, dict[int, list[Told]]]]:
        """Each round, with what was told to who took each part."""
        for number, told in sorted(self.told.items()):
            parts: dict[int, list[Told]] = defaultdict(list)
            for one in told:
                parts[one.part].append(one)
            yield Round(self.name, number), parts

    def decision(self, identity: str) -> Props:
        return self.standing.decisions[identity]

    def sides(self, r: Round, name: str) -> int:
        """How many conclusions of a choice count."""
        return self.standing.choices[derived("CtxChoice", r.project, r.choice(name))]["stances"]


@pytest.fixture(scope="session")
def all_racers() -> Iterator[dict[str, Racers]]:
    """The processes by the graph that they write to, started once."""
    started: dict[str, Racers] = {}
    yield started
    for racers in started.values():
        racers.close()


@dataclass
class Track:
    """One empty graph with its racers."""

    raw: RawGraph
    store: GraphStore
    racers: Racers

    def run(self, name: str) -> Played:
        """All rounds of one race, and a look at what they left."""
        bulk = Bulk(self.raw)
        practice = Round(f"practice of {name}", 0)
        rounds = [practice, *(Round(name, number) for number in range(ROUNDS))]
        projects = {r.project: bulk.within(r.project) for r in rounds}
        for seed in projects.values():
            seed.project_node()
        for r in rounds:
            RACES[name].seed(projects[r.project], r)
        bulk.flush()
        for part in RACES[name].parts:
            # Neo4j plans each statement once, for a second or two; 32 at once would plan it 32 times.
            part(Work(self.store, self.raw, practice.project), practice, None)
        seen = {r.number: self._page(r) for r in rounds[1:] if RACES[name].shown}
        waves = [[*range(n, n + AT_ONCE)] for n in range(0, ROUNDS - CROWDED, AT_ONCE)]
        waves += [[number] for number in range(ROUNDS - CROWDED, ROUNDS)]
        told: dict[int, list[Told]] = defaultdict(list)
        for turn, wave in enumerate(waves):
            for one in self.racers.play(name, wave, seen, turn):
                told[one.number].append(one)
        assert len(told) == ROUNDS
        return Played(name, told, Standing(self.raw, name))

    def _page(self, r: Round) -> str:
        desk = open_desk(self.store, r.project, r.decision("days"))
        assert desk is not None
        return desk.seen


@pytest.fixture
def track(
    raw: RawGraph,
    store: GraphStore,
    graph_settings: GraphSettings,
    all_racers: dict[str, Racers],
) -> Track:
    """The graph that the tests of this suite share, emptied, with its racers."""
    address = graph_settings.uri or graph_settings.graph
    if address not in all_racers:
        all_racers[address] = Racers(graph_settings)
    return Track(raw, store, all_racers[address])


def errors(told: list[Told]) -> set[str | None]:
    """The different answers."""
    return {one.error for one in told}


def winners(told: list[Told]) -> list[Told]:
    """Those who wrote."""
    return [one for one in told if one.recorded]


def test_one_decision_judged_differently(track: Track) -> None:
    """Of reaffirm, supersede and reject one wins, the others hear why; dependents are flagged once."""
    after_a_reaffirmation = {"moved"}
    after_a_retirement = {"decision_not_active", "supersede_target_invalid"}
    played = track.run("verdicts")
    won = set[int]()
    for r, parts in played.rounds():
        told = [one for part in parts.values() for one in part]
        (winner,) = winners(told)
        won.add(winner.part)
        days, mail = played.decision(r.decision("days")), played.decision(r.decision("mail"))
        lost = errors(told) - {None}
        codes, status, child, sides = [
            (after_a_reaffirmation, "active", ("clear", 1), 1),
            (after_a_retirement, "superseded", ("needs_review", 2), 1),
            (after_a_retirement, "rejected", ("needs_review", 2), 0),
        ][min(winner.part, 2)]
        assert lost <= codes, (r, told)
        assert days["status"] == status
        assert (mail["review_state"], mail["ctx_version"]) == child
        assert played.sides(r, "days") == sides
    assert won >= {0, 1}
    assert played.standing.broken() == []


def test_one_choice_recorded_by_many(track: Track) -> None:
    """Of agents that decide one choice at once, one is recorded, and its side counts once."""
    played = track.run("choices")
    for r, parts in played.rounds():
        told = [one for part in parts.values() for one in part]
        (winner,) = winners(told)
        assert errors(told) == {None, "choice_exists"}
        assert played.decision(r.decision("days"))["id"] == winner.wrote
        assert played.sides(r, "days") == 1
    assert len(played.standing.decisions) == ROUNDS
    assert played.standing.broken() == []


def test_one_request_id_used_by_many(track: Track) -> None:
    """Whoever says the same gets the one record, whoever says something else is refused."""
    played = track.run("requests")
    for r, parts in played.rounds():
        same, other = [*parts[0], *parts[1]], [*parts[2], *parts[3]]
        answers = (
            {(one.recorded, one.error) for one in same},
            {(one.recorded, one.error) for one in other},
        )
        lost, won = sorted(answers, key=str)
        assert (won, lost) == ({(True, None)}, {(False, "request_id_reused")}), (r, parts)
        (wrote,) = {one.wrote for one in winners(same + other)}
        assert wrote in {*played.standing.decisions, *played.standing.events}
    assert len(played.standing.decisions) == ROUNDS // 2
    assert len(played.standing.events) == ROUNDS + ROUNDS // 2
    assert played.standing.broken() == []


def test_redaction_against_reaffirmation(track: Track) -> None:
    """However they fall, the body is gone, and no decision ends clear on it."""
    played = track.run("redactions")
    for r, parts in played.rounds():
        redactions = [*parts[0], *parts[2]]
        assert errors(redactions) == {None}
        assert errors(parts[1]) <= {None, "moved"}
        assert len(winners(parts[1])) <= 1
        assert errors(parts[3]) <= {None, "cannot_revalidate"}
        days, mail = played.decision(r.decision("days")), played.decision(r.decision("mail"))
        cause = [f"event:{r.event_id}"]
        assert (days["review_reason"], days["ctx_causes"]) == ("source_removed", cause)
        assert (mail["review_reason"], mail["ctx_causes"]) == ("dependency_review", cause)
        assert played.standing.events[r.event_id]["payload"] == "[REDACTED]"
        # Each reaffirmation left a note behind the message.
        notes = len(winners([*parts[1], *parts[3]]))
        assert played.standing.tasks[r.task_id]["event_seq"] == 1 + notes
    assert played.standing.broken() == []


def test_an_update_against_records_and_reaffirmations(track: Track) -> None:
    """However they fall, no decision ends clear on a version that is no longer current."""
    played = track.run("updates")
    for r, parts in played.rounds():
        assert errors([*parts[0], *parts[1], *parts[3]]) == {None}
        assert errors(parts[2]) <= {None, "cannot_revalidate"}
        document = played.standing.documents[r.document_id]
        assert document["activation_seq"] == 1 + len(parts[0])
        made = [r.decision("days"), *(one.wrote for one in (*parts[1], *parts[3]))]
        flags = {played.decision(str(identity))["review_state"] for identity in made}
        assert flags == {"needs_review"}
    assert played.standing.broken() == []


def test_a_deletion_against_events(track: Track) -> None:
    """An event is in the log that is left, or went with it, or was refused; no number is missing."""
    played = track.run("deletions")
    tasks, events = played.standing.tasks, played.standing.events
    assert {event["task_id"] for event in events.values()} <= tasks.keys()
    for r, parts in played.rounds():
        assert errors([*parts[0], *parts[1], *parts[2]]) <= {None, "task_not_found"}
        assert errors(parts[3]) == {None}
        lives = played.standing.lives[derived("CtxTombstone", r.project, r.task)]
        assert lives == len(winners(parts[0])) >= 1
        left = [i for i, task in tasks.items() if task["name"] == r.task]
        assert r.task_id not in tasks
        assert len(left) <= 1
        kept = played.decision(
            derived("Decision", derived(r.project, "keeper"), r.choice("kept"), 1)
        )
        assert (kept["review_reason"], kept["ctx_causes"]) == (
            "source_removed",
            [f"event:{r.event_id}"],
        )
    assert played.standing.broken() == []


def test_events_of_many_writers_have_neighbouring_numbers(work: Work, seed: Seed) -> None:
    """Writers to one task queue up: every event gets a number of its own, without gaps."""
    seed.project_node()
    seed.task("t")

    def record(k: int) -> list[int]:
        history = work.by(f"agent {k}").history
        made = [history.record_event("t", EventKind.NOTE, payload=str(i)) for i in range(TRIES)]
        return [m.event.seq for m in made if m.event is not None]

    with ThreadPoolExecutor(WRITERS) as pool:
        numbers = [seq for seqs in pool.map(record, range(WRITERS)) for seq in seqs]
    assert sorted(numbers) == list(range(1, WRITERS * TRIES + 1))


def test_one_of_many_withdrawals_wins(work: Work, seed: Seed) -> None:
    """Of people who take one verdict back at once, one does; the choice counts one decision more."""
    seed.project_node()
    seed.task("t", "Heard.")
    for number in range(TRIES):
        made = work.record(f"choice {number}", Heard("t", 1))
        given = work.traces.reject_decision(made.id, "No.").verdict_id or ""

        def withdraw(k: int, given: str = given) -> tuple[bool, str | None]:
            return answer(work.by(f"judge {k}").traces.withdraw_verdict(given, "A slip."))

        with ThreadPoolExecutor(WRITERS) as pool:
            answers = Counter(pool.map(withdraw, range(WRITERS)))
        assert answers == {(True, None): 1, (False, "verdict_not_found"): WRITERS - 1}
        assert stances(work.raw, f"choice {number}") == (1, [1])


def test_a_withdrawal_and_a_new_record_never_leave_two_active(work: Work, seed: Seed) -> None:
    """Either the choice is decided again and the rejection stays, or it is taken back first."""
    seed.project_node()
    seed.task("t", "Heard.")
    outcomes = {("built_upon", None), (None, "choice_exists")}
    for number in range(4 * TRIES):
        choice = f"choice {number}"
        made = work.record(choice, Heard("t", 1))
        given = work.traces.reject_decision(made.id, "No.").verdict_id or ""

        def withdraw(given: str = given) -> str | None:
            return answer(work.traces.withdraw_verdict(given, "A slip."))[1]

        def record(choice: str = choice) -> str | None:
            writer = work.by("other").traces
            return answer(writer.record_decision("t", choice, "Else.", "r", **on(Heard("t", 1))))[1]

        with ThreadPoolExecutor(2) as pool:
            back, again = pool.submit(withdraw), pool.submit(record)
            assert (back.result(), again.result()) in outcomes
        assert stances(work.raw, choice)[0] == 1
