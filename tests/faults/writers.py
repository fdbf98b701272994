"""Several processes of several players each, which write until they are told to end."""

import contextlib
import json
import mmap
import os
import signal
import struct
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random

from graphstore import GraphStore, Settings, connect
from graphstore.changeset import Changeset, Committed
from graphstore.faults import StoreFault
from graphstore.records import EventKind
from graphstore.store import Unanswered
from graphstore.verbs import Verb
from tests.contract.scenario import CALM, Scene
from tests.contract.world import Work, Wrapped
from tests.faults.playing import Played, Player
from tests.faults.victims import Victim
from tests.servers import RawGraph

COMMON = Scene("common", CALM)
"""The project that all write to."""


class Board:
    """What forked writers and whoever kills tell each other, in shared memory.

    A number for each player, raised with each answer that it got, and one that ends all.
    """

    def __init__(self, players: int) -> None:
        self._memory = mmap.mmap(-1, 8 * (players + 1))
        self._players = players

    def _read(self, slot: int) -> int:
        return struct.unpack_from("q", self._memory, 8 * slot)[0]

    def _write(self, slot: int, value: int) -> None:
        struct.pack_into("q", self._memory, 8 * slot, value)

    def answered(self, player: int) -> None:
        """One more answer for this player."""
        self._write(player, self._read(player) + 1)

    @property
    def answers(self) -> list[int]:
        """How many answers each player got."""
        return [self._read(slot) for slot in range(self._players)]

    def end(self) -> None:
        """Nobody begins anything more."""
        self._write(self._players, 1)

    @property
    def ended(self) -> bool:
        """Whether to stop."""
        return self._read(self._players) == 1


class Watched(Wrapped):
    """Counts the commits whose answer never came."""

    def __init__(self, store: GraphStore) -> None:
        super().__init__(store)
        self.unanswered = 0

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Commit, or count that nobody can tell."""
        try:
            return super().commit(verb, changeset)
        except Unanswered:
            self.unanswered += 1
            raise


@dataclass
class Told:
    """What one player has to tell in the end."""

    number: int
    played: list[Played] = field(default_factory=list[Played])
    common: list[Played] = field(default_factory=list[Played])
    """What it wrote into the common project: `move` is what it said there."""
    faults: dict[str, int] = field(default_factory=dict[str, int])
    unanswered: int = 0
    """Commits that an engine's death left open, which the client then looked up by itself."""

    @classmethod
    def read(cls, line: str) -> "Told":
        """As `line` wrote it."""
        told = json.loads(line)
        for name in ("played", "common"):
            told[name] = [Played(**played) for played in told[name]]
        return cls(**told)

    def line(self) -> str:
        """All of it as one line."""
        return json.dumps(asdict(self)) + "\n"


def scene_of(player: int) -> Scene:
    """The project of one player."""
    return Scene(f"player {player}", CALM)


def player_of(
    store: GraphStore,
    raw: RawGraph | None,
    number: int,
    seed: int,
    moves: dict[str, int],
    pause: Callable[[StoreFault], None],
) -> Player:
    """The player with this number."""
    scene = scene_of(number)
    work = Work(store, raw, scene.project, "client")  # type: ignore[arg-type]
    return Player(work, scene, seed * 1000 + number, moves, pause)


def write_until_ended(
    store: GraphStore, number: int, seed: int, moves: dict[str, int], board: Board
) -> Told:
    """Be one player until the board says that it is over."""
    told = Told(number)
    store = Watched(store)
    random = Random(seed * 77 + number)  # noqa: S311 - no secret
    faults: Counter[str] = Counter()

    def pause(fault: StoreFault) -> None:
        faults[type(fault).__name__] += 1
        time.sleep(random.uniform(0, 0.05))

    player = player_of(store, None, number, seed, moves, pause)
    common = Work(store, None, COMMON.project, f"client {number}")  # type: ignore[arg-type]
    while not board.ended:
        player.play()
        board.answered(number)
        if random.random() < 0.3:
            told.common.append(_say(common, f"{number}: {len(told.common)}", pause))
    told.played, told.faults = player.played, dict(faults)
    told.unanswered = store.unanswered
    return told


def _say(work: Work, said: str, pause: Callable[[StoreFault], None]) -> Played:
    """Append to the one log that all write to, until it is answered."""
    tries = 0
    while True:
        try:
            result = work.history.record_event(
                "t", EventKind.NOTE, payload=said, request_id=f"say {said}"
            )
        except StoreFault as fault:
            tries += 1
            pause(fault)
        else:
            return Played(said, result.recorded, str(result.error), tries)


def writer(first: int, seed: int, victim: Victim, board: Board, telling: int) -> None:
    """One process with a store of its own and some players; tells what they were answered."""
    store = connect(Settings.from_env(victim.settings.environ()))
    told: list[Told] = []

    def play(number: int) -> None:
        told.append(write_until_ended(store, number, seed, victim.moves, board))

    threads = [threading.Thread(target=play, args=(first + k,)) for k in range(victim.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == victim.threads, "a player died of something that is no fault of the store"
    with os.fdopen(telling, "w") as out:
        out.writelines(one.line() for one in told)
    store.close()


@dataclass(frozen=True)
class Writers:
    """The forked writers."""

    pids: Sequence[int]
    pipes: Sequence[int]

    @classmethod
    def start(cls, victim: Victim, board: Board, seed: int) -> "Writers":
        """Fork them; nothing here has opened a connection yet."""
        pids: list[int] = []
        pipes: list[int] = []
        for k in range(victim.writers):
            listening, telling = os.pipe()
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    writer(k * victim.threads, seed, victim, board, telling)
                    code = 0
                except BaseException:  # noqa: BLE001 - nothing may come back into the forker's work
                    traceback.print_exc()
                os._exit(code)
            os.close(telling)
            pids.append(pid)
            pipes.append(listening)
        return cls(pids, pipes)

    def end(self) -> None:
        """Kill those that are left."""
        for pid in self.pids:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def tell(self) -> list[Told]:
        """What all players have to tell, once they have ended."""
        told: list[Told] = []
        for pipe in self.pipes:
            with os.fdopen(pipe) as lines:
                told += [Told.read(line) for line in lines]
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in self.pids]
        assert codes == [0] * len(codes), "a writer died of something that is no fault of the store"
        return sorted(told, key=lambda one: one.number)
