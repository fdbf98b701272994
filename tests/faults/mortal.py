"""Clients of the record that are killed at one point of their work, cheaply.

    python -m tests.faults.mortal

The environment names the graph. This process has imported everything; for each order
that it reads from standard input it forks a child, which opens a connection of its own,
works and dies. Its answer says how the child ended and which statements it had made.
"""

import json
import os
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from graphstore import Settings, connect
from graphstore.changeset import Changeset, Committed
from graphstore.operations.record_events import NewEvent
from graphstore.records import EventKind
from graphstore.retention import Bounds, HistoryRetention
from graphstore.review_feed import take
from graphstore.store import GraphStore, Row
from graphstore.verbs import Verb
from tests.contract.scenario import OPERATIONS, Act, Scene
from tests.contract.world import Work, Wrapped, answer
from tests.servers import GraphSettings

READ, COMMIT = "r", "c"
STARTED, ENDED = "s", "."
AFTER = "after statements"
"""The client dies once it has made so many statements."""
BEFORE_COMMIT = "before commit"
"""The client dies when it would commit, having committed so often."""
AFTER_COMMIT = "after commit"
"""The client dies before the answer to this commit reaches anybody."""
MOMENT = "moment"
"""The client is killed from outside, so many seconds after it began."""


@dataclass(frozen=True)
class Order:
    """One life: what a client of the project does and how it dies; `how` None lets it live."""

    act: str
    project: str
    state: str
    how: str | None = None
    at: float = 0
    request_id: str | None = "the only one"

    @property
    def scene(self) -> Scene:
        """The names of its project."""
        return Scene(self.project, self.state)


@dataclass(frozen=True)
class Life:
    """How a client ended: the statements it made, and its answer if it came to that."""

    killed: bool
    log: str
    answer: list[Any] | None = None


def _second_event(w: Work, s: Scene, request_id: str | None) -> Any:
    """An event by a client that knows the task's last number, and therefore gathers nothing."""
    del s
    w.history.record_event("t", EventKind.NOTE, payload="First.", request_id=f"{request_id}, first")
    return w.history.record_events(
        "t", [NewEvent(EventKind.NOTE, "Second.")], request_id=request_id
    )


def _take(w: Work, s: Scene, request_id: str | None) -> Any:
    """What a console does whenever it comes by: jobs and the queue of flags, to the end."""
    del s, request_id
    epoch: int | None = None
    while (batch := take(w.store, w.project, after_epoch=epoch)).more:
        epoch = batch.epoch


def _drain(w: Work, s: Scene, request_id: str | None) -> Any:
    """The queue of flags, a unit at a time."""
    del s, request_id
    while w.traces.continue_decision_review(limit=1):
        pass


def _delete_in_parts(w: Work, s: Scene, request_id: str | None) -> Any:
    """The deletion of a task that is too large for one commit."""
    del s
    small = HistoryRetention(w.store, w.project, w.agent, bounds=Bounds(1, events=1, decisions=2))
    return small.delete_task("t", request_id=request_id)


ACTS: dict[str, Act] = OPERATIONS | {
    "delete_in_parts": _delete_in_parts,
    "second_event": _second_event,
    "take": _take,
    "drain": _drain,
}
"""What a client can do: every operation, and the works of several commits."""


class Mortal(Wrapped):
    """Tells somebody of each statement, and may end its process as `kill -9` does."""

    def __init__(
        self, store: GraphStore, tell: Callable[[str], None], how: str | None = None, at: float = 0
    ) -> None:
        super().__init__(store)
        self._tell, self._how, self._at = tell, how, at
        self._made = self._commits = 0

    def read(self, name: str, p: Mapping[str, Any], *, leader: bool = False) -> list[Row]:
        """Read, unless its time has come."""
        self.die_at(AFTER, self._made)
        found = super().read(name, p, leader=leader)
        self._done(READ)
        return found

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Commit, unless its time has come."""
        self.die_at(AFTER, self._made)
        self.die_at(BEFORE_COMMIT, self._commits)
        committed = super().commit(verb, changeset)
        self._commits += 1
        self._done(COMMIT)
        self.die_at(AFTER_COMMIT, self._commits)
        return committed

    def _done(self, statement: str) -> None:
        self._made += 1
        self._tell(statement)

    def die_at(self, how: str, count: int) -> None:
        """Die when this is the way and the number."""
        if (how, count) == (self._how, self._at):
            os.kill(os.getpid(), signal.SIGKILL)

    def die_in_the_end(self) -> None:
        """Die after the last statement, when only the answer is missing."""
        self.die_at(AFTER, self._made)


def observed(act: str, work: Work, scene: Scene, request_id: str | None) -> tuple[Any, str]:
    """Do it here, with nobody dying; returns the result and the statements made."""
    log: list[str] = []
    store = Mortal(work.store, log.append)
    return ACTS[act](work.through(store), scene, request_id), "".join(log)


class Mother:
    """The process that bears the clients, seen from whoever orders their deaths."""

    def __init__(self, settings: GraphSettings) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.mortal"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | settings.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def bear(self, order: Order) -> Life:
        """Let one client live; returns how it ended."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(asdict(order)) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline()
        assert said, "the mother of all clients died"
        return Life(**json.loads(said))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def live(order: Order, tell: Callable[[str], None]) -> None:
    """Be a client: connect, work, and die as ordered."""
    store = Mortal(connect(Settings.from_env(os.environ)), tell, order.how, order.at)
    # The raw graph is only for looking, which a dying client does not.
    work = Work(store, None, order.project, "client")  # type: ignore[arg-type]
    tell(STARTED)
    result = ACTS[order.act](work, order.scene, order.request_id)
    store.die_in_the_end()
    tell(ENDED + json.dumps(answer(result) if hasattr(result, "recorded") else None))


def bear(order: Order) -> Life:
    """Fork a client and wait for its end."""
    listening, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listening)
        code = 1
        try:
            live(order, lambda word: _say(telling, word))
            code = 0
        except BaseException:  # noqa: BLE001 - nothing may come back into the mother's loop
            traceback.print_exc()
        os._exit(code)
    os.close(telling)
    said = ""
    if order.how == MOMENT:
        said = os.read(listening, 1).decode()
        select.select([], [], [], order.at)
        os.kill(child, signal.SIGKILL)
    while word := os.read(listening, 65536):
        said += word.decode()
    os.close(listening)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), said
    log, _, answered = said.partition(ENDED)
    return Life(
        code != 0, log.removeprefix(STARTED), json.loads(answered) if answered.strip() else None
    )


def _say(telling: int, word: str) -> None:
    os.write(telling, word.encode())


def main() -> None:
    """Bear a client for each order."""
    while line := sys.stdin.readline():
        life = bear(Order(**json.loads(line)))
        print(json.dumps(asdict(life)), flush=True)


if __name__ == "__main__":
    main()
