"""Four processes of eight threads that write to one graph, and play rounds against each other.

    python -m tests.contract.racers <number of this process>

Each line on standard input is one wave, a JSON object {race, rounds, seen, turn}:
with one round everybody contends for it, with eight each thread for its own, so that
a round has one contender of each process. Each line of the answer is what the
contenders were told. The environment names the graph.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from graphstore import GraphStore, Settings, connect
from graphstore.faults import Contended
from tests.contract.races import PROCESSES, RACES, THREADS, Round
from tests.contract.world import Work
from tests.servers import GraphSettings


@dataclass(frozen=True)
class Told:
    """What one contender was told: which part it took, and the id of what it wrote."""

    number: int
    part: int
    recorded: bool
    error: str | None
    wrote: str | None


class Racers:
    """The processes, from the outside."""

    def __init__(self, settings: GraphSettings) -> None:
        environ = os.environ | settings.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)}
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.contract.racers", str(number)],
                env=environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(PROCESSES)
        ]
        for process in self._processes:
            self._heard(process)

    def play(
        self, race: str, rounds: Sequence[int], seen: Mapping[int, str], turn: int
    ) -> list[Told]:
        """One wave; parts are dealt anew with each `turn`."""
        shown = {number: seen[number] for number in rounds if number in seen}
        wave = json.dumps({"race": race, "rounds": list(rounds), "seen": shown, "turn": turn})
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(wave + "\n")
            process.stdin.flush()
        return [Told(*told) for process in self._processes for told in self._heard(process)]

    @staticmethod
    def _heard(process: "subprocess.Popen[str]") -> Any:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, "a writer ended early"
        return json.loads(line)

    def close(self) -> None:
        """End the processes, which stop when nobody speaks to them."""
        for process in self._processes:
            process.communicate()


def _insistent(act: Callable[[], Any]) -> Any:
    """Try again when others held the records for all of the deadline, as whoever is told so does."""
    until = time.monotonic() + 120
    while True:
        try:
            return act()
        except Contended:
            if time.monotonic() > until:
                raise


def _written(result: Any) -> str | None:
    record = getattr(result, "event", None) or getattr(result, "decision", None)
    return str(record.id) if record is not None else None


class _Process:
    """One process with its threads."""

    def __init__(self, number: int, store: GraphStore) -> None:
        self._number = number
        self._store = store
        self._start = threading.Barrier(THREADS)
        self._pool = ThreadPoolExecutor(THREADS)

    def play(self, wave: Mapping[str, Any]) -> list[list[Any]]:
        return list(self._pool.map(lambda thread: self._contend(wave, thread), range(THREADS)))

    def _contend(self, wave: Mapping[str, Any], thread: int) -> list[Any]:
        rounds = wave["rounds"]
        number = rounds[thread % len(rounds)]
        part = (self._number + wave["turn"] + thread // len(rounds)) % 4
        one = Round(wave["race"], number)
        # The raw graph is only for looking, which a contender does not.
        work = Work(self._store, None, one.project, f"{self._number}.{thread}")  # type: ignore[arg-type]
        act = RACES[one.race].parts[part]
        self._start.wait(timeout=60)
        result = _insistent(lambda: act(work, one, wave["seen"].get(str(number))))
        error = result.error and str(result.error)
        return [number, part, result.recorded, error, _written(result)]


def main(number: int) -> None:
    """Play wave after wave until the input ends."""
    store = connect(Settings.from_env(os.environ))
    process = _Process(number, store)
    print("[]", flush=True)
    for line in sys.stdin:
        print(json.dumps(process.play(json.loads(line))), flush=True)
    store.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
