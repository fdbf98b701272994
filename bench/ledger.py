"""What the ledger costs writers: 16 of them recording decisions into one project, with and without.

    python -m bench.ledger [--engine embedded|neo4j] [--rounds N] [--each N] [--writers 16]

*On* is what the product does: each commit writes its entry with its HMAC, while a sealer
chains what is open all the time. *Off* is a switch that exists here alone: commits leave
the entry out, and nothing seals. Rounds alternate, each in a fresh project of one graph, and
the order turns with each pair, so that neither side always meets the smaller graph. Writers
are threads of one process, each with a task of its own.
"""

import argparse
import os
import statistics
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphstore import ConversationHistory, DecisionTraces, GraphStore, Settings, connect, ledger
from graphstore.changeset import Changeset, Committed
from graphstore.engines.neo4j import Neo4jStore
from graphstore.ledger_keys import LedgerKeys
from graphstore.records import EventSupportInput
from graphstore.verbs import Verb
from tests.servers import EmbeddedGraphs, GraphSettings, Neo4jGraphs

PAUSE = 0.2
"""Between two looks of the sealer that found nothing."""


class Without:
    """A store whose commits leave no ledger entry."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        return self._store.commit(verb, replace(changeset, entries=[]))


def record(store: GraphStore, project: str, writers: int, each: int) -> float:
    """Decisions a second, over all writers."""
    supports = [EventSupportInput(task_name="", seq=1)]
    for k in range(writers):
        history = ConversationHistory(store, project_id=project, agent_id=f"agent-{k}")
        assert history.create_task(f"task {k}", "Decide.").recorded
        assert history.record_event(f"task {k}", "message", role="user", payload="Yes.").recorded
    ready = threading.Barrier(writers + 1)

    def write(k: int) -> None:
        traces = DecisionTraces(store, project_id=project, agent_id=f"agent-{k}")
        own = [s.model_copy(update={"task_name": f"task {k}"}) for s in supports]
        ready.wait()
        for n in range(each):
            made = traces.record_decision(
                f"task {k}", f"choice {k} {n}", f"It is {n}.", "It was said.", supports=own
            )
            assert made.recorded, made.error

    threads = [threading.Thread(target=write, args=(k,)) for k in range(writers)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    return writers * each / (time.perf_counter() - began)


def with_ledger(store: GraphStore, project: str, writers: int, each: int) -> float:
    """The same with a sealer beside, which must have sealed everything soon afterwards."""
    done = threading.Event()

    def go_on() -> None:
        while not done.is_set():
            if not ledger.seal(store, project).entries:
                done.wait(PAUSE)

    sealer = threading.Thread(target=go_on)
    sealer.start()
    try:
        speed = record(store, project, writers, each)
    finally:
        done.set()
        sealer.join()
    while ledger.seal(store, project).more:
        pass
    reached, _ = ledger.sealed_between(store, project, 0, 0)
    assert reached == writers * (each + 2), reached
    return speed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engine", choices=("embedded", "neo4j"), default="embedded")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--writers", type=int, default=16)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        if chosen.engine == "neo4j":
            graphs = Neo4jGraphs(Path(folder))
            with graphs.empty_graph() as raw:
                measure(raw.settings, chosen)
        else:
            from graphstore.engines.embedded import ensure_server

            with ensure_server(Path(folder)) as server:
                graphs = EmbeddedGraphs(server.data_dir, server.socket_path)
                with graphs.empty_graph() as raw:
                    measure(raw.settings, chosen)
                graphs.close()


def measure(settings: GraphSettings, chosen: argparse.Namespace) -> None:
    """Alternate, and print each pair and the medians."""
    key = {"LEDGER_KEY": f"bench:{os.urandom(40).hex()}"}
    store = connect(Settings.from_env(settings.environ() | key))
    store.setup_schema()
    without: Any = Without(store)
    without.ledger_keys = LedgerKeys()
    size = (chosen.writers, chosen.each)
    with_ledger(store, "warm-on", *size)
    record(without, "warm-off", *size)
    ons: list[float] = []
    offs: list[float] = []
    for n in range(chosen.rounds):
        turns = [
            lambda n=n: ons.append(with_ledger(store, f"on-{n}", *size)),
            lambda n=n: offs.append(record(without, f"off-{n}", *size)),
        ]
        for turn in turns if n % 2 else reversed(turns):
            turn()
        print(f"round {n + 1}: on {ons[-1]:7.1f}/s   off {offs[-1]:7.1f}/s")
    on, off = statistics.median(ons), statistics.median(offs)
    apart = (off - on) / off
    engine = "neo4j" if isinstance(store, Neo4jStore) else "embedded"
    print(f"{engine}, {chosen.writers} writers: on {on:.1f}/s, off {off:.1f}/s, {apart:+.1%} apart")
    store.close()


if __name__ == "__main__":
    main()
