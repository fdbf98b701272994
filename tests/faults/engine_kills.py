"""An engine that is killed again and again while several clients write.

Each player writes in a project of its own and repeats, with the same request id, what
a fault kept it from. Afterwards the same players play the same again on another, empty
graph, where nothing dies: what the two graphs hold must be equal in every property. So
an acknowledged write that was lost, one that is half there or there twice is seen,
whatever it wrote. Beside that all players write into one common project.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from graphstore import Settings, connect
from graphstore.faults import StoreFault
from graphstore.schema import CONSTRAINTS
from tests.contract.canon import Picture
from tests.contract.seeding import Bulk, derived
from tests.faults.victims import BACK_SECONDS, Victim
from tests.faults.writers import COMMON, Board, Told, Writers, player_of, scene_of
from tests.servers import GraphSettings, RawGraph, wait_until


def build(raw: RawGraph, players: int) -> None:
    """Every player's project and the common one, as they are at first."""
    bulk = Bulk(raw)
    for number in range(players):
        scene = scene_of(number)
        scene.build(bulk.within(scene.project))
    common = bulk.within(COMMON.project)
    common.project_node()
    common.task("t")
    bulk.flush()


def killing(victim: Victim, board: Board, random: Random, kills: int) -> Iterator[str]:
    """Kill it so often, each time while all players write; says what was killed."""
    for _ in range(kills):
        before = board.answers
        wait_until(
            lambda before=before: all(
                now > then for now, then in zip(board.answers, before, strict=True)
            ),
            4 * BACK_SECONDS,
            "an answer for every player",
        )
        time.sleep(random.uniform(0, 0.15))
        yield victim.kill(random)
        victim.come_back()


@dataclass(frozen=True)
class Report:
    """What one run killed, and what was written meanwhile."""

    killed: Counter[str]
    answers: int
    unanswered: int
    """Commits that a death left open, which the client looked up by itself."""
    interrupted: int
    """Writes that met a fault first and were answered to a repeat."""
    faults: Counter[str]
    said: int
    seconds: float

    def __str__(self) -> str:
        killed = ", ".join(f"{name} {n}" for name, n in sorted(self.killed.items()))
        faults = ", ".join(f"{name} {n}" for name, n in sorted(self.faults.items()))
        return (
            f"{sum(self.killed.values())} kills ({killed}) in {self.seconds:.0f} s; "
            f"{self.answers} writes answered and {self.said} more in one log, "
            f"{self.unanswered} commits were left open by a death and looked up, "
            f"{self.interrupted} writes were repeated after a fault ({faults or 'none'}); "
            "none lost, none half done, none twice"
        )


def run(victim: Victim, kills: int, seed: int, progress: Callable[[str], None]) -> Report:
    """Kill an engine so often while it is written to, then see that nothing is amiss."""
    began = time.monotonic()
    victim.setup(victim.settings)
    players = victim.writers * victim.threads
    build(victim.raw(), players)
    board = Board(players)
    writers = Writers.start(victim, board, seed)
    killed: Counter[str] = Counter()
    random = Random(seed)  # noqa: S311 - no secret
    try:
        for name in killing(victim, board, random, kills):
            killed[name] += 1
            progress(f"{sum(killed.values())} of {kills}: {name}, {sum(board.answers)} answers")
        board.end()
        told = writers.tell()
    finally:
        writers.end()
    seconds = time.monotonic() - began
    check(victim, told, seed)
    every = [played for one in told for played in (*one.played, *one.common)]
    return Report(
        killed,
        sum(len(one.played) for one in told),
        sum(one.unanswered for one in told),
        sum(played.faults > 0 for played in every),
        sum((Counter(one.faults) for one in told), Counter()),
        sum(len(one.common) for one in told),
        seconds,
    )


def check(victim: Victim, told: Sequence[Told], seed: int) -> None:
    """See that the graph holds what was answered, once, and answers every request id right."""
    raw = victim.raw()
    assert doubles(raw) == []
    for one in told:
        assert Picture(raw, scene_of(one.number)).broken() == []
    check_common(raw, told)
    killed = picture(raw)
    again = replayed(victim.settings, told, seed, victim.moves)
    assert picture(raw) == killed, "repeating every request id changed something"
    settings = victim.fresh()
    victim.setup(settings)
    calm = victim.raw()
    build(calm, len(told))
    answers, calm_again = undisturbed(settings, told, seed, victim.moves)
    assert [[p.answered for p in one.played] for one in told] == answers
    assert again == calm_again
    differs(killed, picture(calm))


def differs(killed: Counter[str], calm: Counter[str]) -> None:
    """See that two graphs hold the same."""
    lost, more = calm - killed, killed - calm
    seen = [f"- {line}" for line in sorted(lost)] + [f"+ {line}" for line in sorted(more)]
    told = "\n".join(line[:700] for line in seen[:10])
    assert not seen, f"{len(seen)} things are not as where nobody died:\n{told}"


def doubles(raw: RawGraph) -> list[Any]:
    """Keys that several nodes have, though a constraint forbids it."""
    found: list[Any] = []
    for c in CONSTRAINTS:
        key = ", ".join(f"n.{name}" for name in c.properties)
        there = " AND ".join(f"n.{name} IS NOT NULL" for name in c.properties)
        found += raw.run(
            f"MATCH (n:{c.label}) WHERE {there} WITH [{key}] AS key, count(*) AS nodes "
            f"WHERE nodes > 1 RETURN '{c.label}', key, nodes"
        )
    return found


def check_common(raw: RawGraph, told: Sequence[Told]) -> None:
    """See that the common log holds everything that was said there, once, without a gap."""
    found = raw.run(
        "MATCH (e:Event {_agrag_history_record: true, task_id: $id}) WHERE e.seq > 0 "
        "RETURN e.seq, e.payload ORDER BY e.seq",
        {"id": derived(COMMON.project, "t")},
    )
    assert [seq for seq, _ in found] == list(range(1, len(found) + 1))
    assert sorted(said for _, said in found) == sorted(
        played.move for one in told for played in one.common
    )
    assert all(played.recorded for one in told for played in one.common)


def never(fault: StoreFault) -> None:
    """Nothing goes wrong where nobody dies."""
    raise fault


Answers = list[list[tuple[bool, str | None]]]


def replayed(
    settings: GraphSettings, told: Sequence[Told], seed: int, moves: dict[str, int]
) -> Answers:
    """Repeat every request id of every player; returns the answers."""
    store = connect(Settings.from_env(settings.environ()))
    players = [player_of(store, None, one.number, seed, moves, never) for one in told]
    answers = [
        [played.answered for played in player.replay(one.played)]
        for player, one in zip(players, told, strict=True)
    ]
    store.close()
    return answers


def undisturbed(
    settings: GraphSettings, told: Sequence[Told], seed: int, moves: dict[str, int]
) -> tuple[Answers, Answers]:
    """The same players where nobody dies; returns their answers, and those to a repeat of everything."""
    store = connect(Settings.from_env(settings.environ()))
    calm: list[Told] = []
    for one in told:
        player = player_of(store, None, one.number, seed, moves, never)
        for _ in one.played:
            player.play()
        calm.append(Told(one.number, player.played))
    store.close()
    answers = [[played.answered for played in one.played] for one in calm]
    return answers, replayed(settings, calm, seed, moves)


MOMENTS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?")
IDS = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OF_THE_MOMENT = re.compile(r"(_us|^us|_at|^at|^content_hash|^mac|_mac|^operation_id)$")
"""Properties that differ between two runs: times, what is computed over them, ids made anew."""


def picture(raw: RawGraph) -> Counter[str]:
    """Every node and relationship but those of the common project, without moments."""
    task = derived(COMMON.project, "t")
    others = (
        "coalesce(n.project_id, '') <> $project AND coalesce(n.task_id, '') <> $task "
        "AND coalesce(n.ctx_task_id, '') <> $task"
    )
    p = {"project": COMMON.project, "task": task}
    nodes = raw.run(f"MATCH (n) WHERE {others} RETURN labels(n), properties(n)", p)
    edges = raw.run(
        f"MATCH (n)-[r]->(m) WHERE {others} "
        "RETURN coalesce(n.id, n.project_id), type(r), properties(r), coalesce(m.id, m.project_id)",
        p,
    )
    names = _names_of_supports(raw)
    lines = [[labels, _timeless(props)] for labels, props in nodes]
    lines += [[start, [kind, _timeless(props)], end] for start, kind, props, end in edges]
    return Counter(json.dumps([_plain(part, names) for part in line]) for line in lines)


def _names_of_supports(raw: RawGraph) -> dict[str, str]:
    """What each support is called: those of a reaffirmation have ids that are made anew each time."""
    found = raw.run(
        "MATCH (d:Decision)-[:HAS_SUPPORT]->(s:DecisionSupport) RETURN s.id, d.id, s.ordinal"
    )
    return {identity: f"support {ordinal} of {made}" for identity, made, ordinal in found}


def _timeless(props: dict[str, Any]) -> dict[str, Any]:
    return {
        key: json.loads(value) if key.endswith("_json") else value
        for key, value in props.items()
        if value is not None and not OF_THE_MOMENT.search(key)
    }


def _plain(value: Any, names: dict[str, str]) -> Any:
    """A value without times, ids of supports by their names, lists in an order of their own.

    In which order an engine finds what it flags is not promised, and a restart changes it.
    """
    if isinstance(value, str):
        value = MOMENTS.sub("then", value)
        return IDS.sub(lambda found: names.get(found[0], found[0]), value)
    if isinstance(value, list):
        return sorted((_plain(item, names) for item in value), key=json.dumps)
    if isinstance(value, dict):
        return {_plain(key, names): _plain(value[key], names) for key in sorted(value)}
    return "then" if isinstance(value, int) and value > 10**15 else value
