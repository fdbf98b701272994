"""Median times of our operations beside the reference library's, on one graph, in one run.

    python -m bench.operations [--engine embedded|neo4j] [--decisions N] [--rounds N]

Fills a graph of its own with N decisions in the library's schema, runs each
operation in turn through both, and prints milliseconds, round trips and ratios.
Machines are noisy: quote the ratios.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from agrag.common.data_models import decision as models
from agrag.common.data_models.task import StepResultBasis, StepState

from graphstore import (
    ConversationHistory,
    DecisionTraces,
    Documents,
    GraphStore,
    Settings,
    connect,
    counting,
)
from graphstore.desk import open_desk
from graphstore.engines.embedded import ensure_server
from graphstore.ids import derived_id, evidence_id, named_id, sha256
from graphstore.records import (
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    SupportInput,
)
from graphstore.review_feed import take
from tests.interop.library import Library, Peer, passage
from tests.servers import EmbeddedGraphs, Neo4jGraphs, RawGraph

PROJECT = "bench"
TASK_SIZE = 100
CONFLICTS = 10
TEXT = "The limit is thirty minutes.\n\nBeyond it the consignment is held."


@dataclass
class Measured:
    """What one side took for one operation."""

    milliseconds: list[float] = field(default_factory=list)
    round_trips: int | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.milliseconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engine", choices=("embedded", "neo4j"), default="embedded")
    parser.add_argument("--decisions", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=15)
    chosen = parser.parse_args()
    with _graph(chosen.engine) as raw:
        store = connect(Settings.from_env(raw.settings.environ()))
        store.setup_schema()
        _seed(raw, chosen.decisions)
        peer = Peer.on(raw.settings)
        try:
            print(f"{chosen.engine}, {chosen.decisions} decisions, {chosen.rounds} rounds")
            _report(store, peer.library(PROJECT), chosen.rounds)
        finally:
            peer.close()
            store.close()


@contextmanager
def _graph(engine: str) -> Iterator[RawGraph]:
    with tempfile.TemporaryDirectory(prefix="bench") as folder:
        if engine == "neo4j":
            servers: Any = Neo4jGraphs(Path(folder))
        else:
            server = ensure_server(Path(folder))
            servers = EmbeddedGraphs(server.data_dir, server.socket_path)
        with servers.empty_graph() as raw:
            yield raw
        servers.close()


def _seed(raw: RawGraph, count: int) -> None:
    """`count` active decisions in tasks of 100, each citing the one before it in its task."""
    marker = {"_agrag_history_record": True}
    at = "2026-01-01T00:00:00.000001+00:00"
    project = {**marker, "project_id": PROJECT, "review_epoch": 0, "review_incomplete": False}
    raw.run("CREATE (n:Project) SET n = $p", {"p": project})
    for number in range(max(1, count // TASK_SIZE)):
        name = f"task {number}"
        task_id = derived_id(PROJECT, name)
        task = {**marker, "id": task_id, "project_id": PROJECT, "name": name, "goal": "g",
                "status": "open", "event_seq": 0, "author": "a", "created_at": at}  # fmt: skip
        ids = [derived_id("Decision", task_id, f"k{k}", 1) for k in range(TASK_SIZE)]
        decisions = [
            {**marker, "id": ids[k], "task_id": task_id, "project_id": PROJECT,
             "choice_key": f"k{k}", "revision": 1, "conclusion": f"c{k}", "rationale": "r",
             "assumptions": [], "open_questions": [], "author": "a", "status": "active",
             "review_state": "clear", "created_at": at}
            for k in range(TASK_SIZE)
        ]  # fmt: skip
        supports = [
            {**marker, "id": derived_id("Support", ids[k], 0), "kind": "decision", "ordinal": 0,
             "current": True, "project_id": PROJECT, "decision_id": ids[k - 1],
             "target_decision_id": ids[k - 1], "owner": ids[k]}
            for k in range(1, TASK_SIZE)
        ]  # fmt: skip
        raw.run(
            "CREATE (t:Task) SET t = $t WITH t UNWIND $d AS p CREATE (t)-[:MADE]->(d:Decision) SET d = p",
            {"t": task, "d": decisions},
        )
        raw.run(
            "UNWIND $s AS p MATCH (d:Decision {_agrag_history_record: true, id: p.owner}) "
            "WITH d, p MATCH (x:Decision {_agrag_history_record: true, id: p.decision_id}) "
            "CREATE (d)-[:HAS_SUPPORT]->(s:DecisionSupport) SET s = p CREATE (d)-[:DEPENDS_ON]->(x)",
            {"s": supports},
        )


def _report(store: GraphStore, library: Library, rounds: int) -> None:
    ours = _ours(store)
    theirs = _theirs(library)
    print(f"{'operation':28} {'ours ms':>9} {'trips':>5} {'library ms':>11} {'ratio':>7}")
    # Reads come first: the library's verdicts leave its queue open, which slows every list.
    for name, run in ours.items():
        left, right = Measured(), Measured()
        for k in range(rounds + 2):
            _time(left, run, k, warm=k < 2)
            if name in theirs:
                _time(right, theirs[name], k, warm=k < 2)
        other = (
            f"{right.median:11.1f} {right.median / left.median:6.1f}x" if right.milliseconds else ""
        )
        print(f"{name:28} {left.median:9.1f} {left.round_trips!s:>5} {other}")


def _time(into: Measured, run: Callable[[int], Callable[[], Any]], k: int, *, warm: bool) -> None:
    prepared = run(k)
    with counting() as trips:
        start = time.perf_counter()
        prepared()
        took = (time.perf_counter() - start) * 1000
    if not warm:
        into.milliseconds.append(took)
        into.round_trips = trips.count


Operations = dict[str, Callable[[int], Callable[[], Any]]]
"""A name, and what prepares the round of a number and returns what is measured."""


def _ours(store: GraphStore) -> Operations:
    history = ConversationHistory(store, project_id=PROJECT, agent_id="ours")
    traces = DecisionTraces(store, project_id=PROJECT, agent_id="ours")
    documents = Documents(store, project_id=PROJECT, agent_id="ours")
    history.create_task("ours", "g")
    history.record_event("ours", "note", payload="measured")
    documents.put_document("sop", TEXT)
    cited = evidence_id(named_id("Document", "sop"), sha256(TEXT), 0, 28)
    scope = frozenset({"sop"})
    parent = derived_id("Decision", derived_id(PROJECT, "task 0"), "k99", 1)
    supports = [
        DocumentSupportInput(evidence_id=cited),
        EventSupportInput(task_name="ours", seq=1),
        DecisionSupportInput(decision_id=parent),
    ]

    def record(key: str, *, small: bool = False) -> UUID:
        result = traces.record_decision(
            "ours", key, "c", "r",
            supports=supports[1:2] if small else supports,
            fetched_evidence=documents.fetch_evidence([cited], scope=scope),
        )  # fmt: skip
        assert result.decision is not None, result
        return result.decision.id

    def recording(k: int) -> Callable[[], Any]:
        fetched = documents.fetch_evidence([cited], scope=scope)
        return lambda: traces.record_decision(
            "ours", f"record {k}", "c", "r", supports=supports, fetched_evidence=fetched
        )

    def superseding(k: int) -> Callable[[], Any]:
        old = record(f"supersede {k}", small=True)
        return lambda: traces.supersede_decision(
            old, "c2", "r", explanation="e", supports=supports[1:2]
        )

    def rejecting(k: int) -> Callable[[], Any]:
        old = record(f"reject {k}", small=True)
        return lambda: traces.reject_decision(old, "no")

    def rejecting_under(k: int) -> Callable[[], Any]:
        # The first decision of a task of 100, each of which rests on the one before it.
        root = derived_id("Decision", derived_id(PROJECT, f"task {k + 1}"), "k91", 1)
        return lambda: traces.reject_decision(root, "no")

    def reaffirming(k: int) -> Callable[[], Any]:
        old = record(f"reaffirm {k}")
        fetched = documents.fetch_evidence([cited])
        evidence = [DocumentSupportInput(evidence_id=cited)]
        return lambda: traces.reaffirm_decision(old, evidence, fetched_evidence=fetched)

    def withdrawing(k: int) -> Callable[[], Any]:
        given = traces.reject_decision(record(f"withdraw {k}", small=True), "no").verdict_id or ""
        return lambda: traces.withdraw_verdict(given, "a slip")

    def asking(k: int) -> Callable[[], Any]:
        doubted = record(f"ask {k}", small=True)
        return lambda: traces.ask_for_review(doubted, "sure?")

    return {
        **_our_reads(store, supports[1:2]),
        "set_step": lambda k: lambda: history.set_step("ours", f"step {k}", "in_progress"),
        "ask_for_review": asking,
        "withdraw_verdict": withdrawing,
        "create_task": lambda k: lambda: history.create_task(f"new {k}", "g"),
        "record_event": lambda k: lambda: history.record_event("ours", "note", payload=f"{k}"),
        "record_decision (3 supports)": recording,
        "reaffirm_decision": reaffirming,
        "supersede_decision": superseding,
        "reject_decision": rejecting,
        "reject, 8 dependents": rejecting_under,
        "put_document": lambda k: lambda: documents.put_document("other", f"{TEXT} {k}"),
    }


def _our_reads(store: GraphStore, supports: Sequence[SupportInput]) -> Operations:
    """Reads of what is there: a step, ten conflicts, and the decisions of the fill."""
    history = ConversationHistory(store, project_id=PROJECT, agent_id="ours")
    traces = DecisionTraces(store, project_id=PROJECT, agent_id="ours")
    history.set_step("ours", "step", "completed", result_event_seq=1, result_basis="independent")
    history.create_task("rival", "g")
    for k in range(CONFLICTS):
        for task in ("ours", "rival"):
            traces.record_decision(
                task, f"conflict {k:02}", f"as {task} says", "r", supports=supports
            )
    first = derived_id("Decision", derived_id(PROJECT, "task 0"), "k50", 1)
    return {
        "list_steps": lambda _: lambda: history.list_steps("ours", "completed"),
        "list_decisions": lambda _: lambda: traces.list_decisions("task 0"),
        "search_decisions": lambda _: lambda: traces.search_decisions("c50"),
        "list_conflicts": lambda _: traces.list_conflicts,
        "list_support_history": lambda _: lambda: traces.list_support_history(first),
        "list_verdicts": lambda _: traces.list_verdicts,
        "browse, one status": lambda _: lambda: traces.browse_decisions(status="active"),
        "lineage, 60 nodes": lambda _: lambda: traces.get_lineage(first),
        "list_events": lambda _: lambda: history.list_events("ours"),
        "get_decision": lambda _: lambda: traces.get_decision(first),
        "get_task (100 decisions)": lambda _: lambda: history.get_task("task 0"),
        "list_decisions_for_review": lambda _: traces.list_decisions_for_review,
        "decision page": lambda _: lambda: open_desk(store, PROJECT, first),
        "feed, nothing new": lambda _: lambda: take(store, PROJECT, after_epoch=10**6),
    }


def _theirs(library: Library) -> Operations:
    library.create_task("theirs", "g")
    library.record_event("theirs", "measured")
    library.put_document("law", TEXT)
    cited = passage("law", TEXT, "The limit is thirty minutes.")
    parent = derived_id("Decision", derived_id(PROJECT, "task 0"), "k98", 1)
    supports: list[Any] = [
        models.DocumentSupportInput(evidence_id=cited.evidence_id),
        models.EventSupportInput(task_name="theirs", seq=1),
        models.DecisionSupportInput(decision_id=parent),
    ]

    def recorded(key: str, fetched: Any, given: list[Any]) -> UUID:
        result = library.record_decision(
            "theirs", key, "c", supports=given, fetched_evidence=fetched
        )
        assert result.decision is not None, result
        return result.decision.id

    def recording(k: int) -> Callable[[], Any]:
        fetched = library.fetch_evidence(cited)
        return lambda: library.record_decision(
            "theirs", f"record {k}", "c", supports=supports, fetched_evidence=fetched
        )

    def rejecting(k: int) -> Callable[[], Any]:
        old = recorded(f"reject {k}", [], supports[1:2])
        library.drain()
        return lambda: library.reject_decision(old, "no")

    first = UUID(derived_id("Decision", derived_id(PROJECT, "task 0"), "k50", 1))
    library.set_step(
        "theirs",
        "step",
        StepState.COMPLETED,
        result_event_seq=1,
        result_basis=StepResultBasis.INDEPENDENT,
    )
    return {
        "list_steps": lambda _: lambda: library.list_steps("theirs", StepState.COMPLETED),
        "list_decisions": lambda _: lambda: library.list_decisions("task 0"),
        "search_decisions": lambda _: lambda: library.search_decisions("c50"),
        "list_conflicts": lambda _: library.list_conflicts,
        "list_support_history": lambda _: lambda: library.list_support_history(first),
        "set_step": lambda k: (
            lambda: library.set_step("theirs", f"step {k}", StepState.IN_PROGRESS)
        ),
        "create_task": lambda k: lambda: library.create_task(f"their new {k}", "g"),
        "record_event": lambda k: lambda: library.record_event("theirs", f"{k}"),
        "list_events": lambda _: lambda: library.list_events("theirs"),
        "record_decision (3 supports)": recording,
        "reject_decision": rejecting,
        "get_decision": lambda _: lambda: library.get_decision(first),
        "get_task (100 decisions)": lambda _: lambda: library.get_task("task 0"),
        "list_decisions_for_review": lambda _: library.list_decisions_for_review,
    }


if __name__ == "__main__":
    main()
