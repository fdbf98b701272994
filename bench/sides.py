"""The two sides of a measurement: the same operation as we and as the library do it.

Each side prepares the round of a number and gives back what is measured. Both
work on the graph that `bench.load` filled; each writes into a task of its own.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from agrag.common.data_models import decision as models
from agrag.common.data_models.task import StepState

from bench import load
from graphstore import (
    ConversationHistory,
    DecisionTraces,
    Documents,
    GraphStore,
    HistoryRetention,
    NewEvent,
)
from graphstore.records import (
    DecisionSupportInput,
    DocumentSupportInput,
    EventKind,
    EventSupportInput,
)
from tests.interop.library import Library, passage
from tests.servers import RawGraph

Prepared = Callable[[], Any]
Side = Callable[[int], Prepared]

TEXT = "The limit is thirty minutes.\n\nBeyond it the consignment is held."
WORDS = "The limit is thirty minutes."
READ_TASK = 1
"""The task whose decisions are read; the writes of neither side go there."""
EVENTS_AT_ONCE = 100


@dataclass(frozen=True)
class Operation:
    """One row of the table.

    `goal` are the ratios to reach, embedded and on Neo4j. `around` prepares the graph
    before all rounds and returns what puts it back.
    """

    name: str
    ours: Side
    theirs: Side | None = None
    goal: tuple[float | None, float | None] = (None, None)
    around: Callable[[], Prepared] | None = None
    pages: bool = field(default=False, kw_only=True)
    """Whether its page is not full in a small graph, so that growth says nothing."""


def operations(ours: "Ours", theirs: "Theirs", raw: RawGraph) -> list[Operation]:
    """What is measured, reads before writes, in the order of the table."""
    pending = _pending(raw)
    return [
        Operation("get_decision", ours.get_decision, theirs.get_decision),
        Operation("get_task (100 decisions)", ours.get_task, theirs.get_task, (30, 3000)),
        Operation("list_decisions", ours.list_decisions, theirs.list_decisions),
        Operation(
            "list_decisions_for_review", ours.list_for_review, theirs.list_for_review, (50, 200)
        ),
        Operation(
            "list_decisions_for_review, one item pending",
            ours.list_for_review,
            theirs.list_for_review,
            (50, 200),
            around=pending,
        ),
        Operation("list_conflicts", ours.list_conflicts, theirs.list_conflicts, (50, 50), pages=True),
        Operation("list_conflicts, page of 5", ours.five_conflicts),
        Operation("search_decisions, 20 hits", ours.search_few, theirs.search_few),
        Operation(
            "search_decisions, 1 in 200 hit", ours.search_many, theirs.search_many, pages=True
        ),
        Operation("list_events", ours.list_events, theirs.list_events),
        Operation("list_tasks", ours.list_tasks, pages=True),
        Operation("browse_decisions", ours.browse),
        Operation("create_task", ours.create_task, theirs.create_task),
        Operation("record_event", ours.record_event, theirs.record_event),
        Operation("record_events, 100", ours.record_events, theirs.record_events, (10, 10)),
        Operation("set_step", ours.set_step, theirs.set_step),
        Operation("record_decision, 3 supports", ours.record, theirs.record, (10, 2.5)),
        Operation("supersede_decision", ours.supersede, theirs.supersede),
        Operation("reject_decision", ours.reject, theirs.reject, (10, 2.5)),
        Operation("reaffirm_decision", ours.reaffirm, theirs.reaffirm, (10, 2.5)),
        Operation("redact_event (8 decisions cite it)", ours.redact, theirs.redact, (10, 2.5)),
    ]  # fmt: skip


def _pending(raw: RawGraph) -> Callable[[], Prepared]:
    """One queued decision of the project, as between a flag and its drain."""
    pending = {"i": load.decision_id(0, 7), "p": load.PROJECT}
    mark = (
        "MATCH (q:Project {_agrag_history_record: true, project_id: $p}) "
        "MATCH (d:Decision {_agrag_history_record: true, id: $i}) "
    )

    def around() -> Prepared:
        raw.run(f"{mark} SET q.review_incomplete = true, d.review_pending = true", pending)
        return lambda: raw.run(
            f"{mark} SET q.review_incomplete = false, d.review_pending = null", pending
        )

    return around


class Ours:
    """Our operations."""

    def __init__(self, store: GraphStore, decisions: int) -> None:
        named: dict[str, Any] = {"project_id": load.PROJECT, "agent_id": "ours"}
        self.history = ConversationHistory(store, **named)
        self.traces = DecisionTraces(store, **named)
        self.documents = Documents(store, **named)
        self.retention = HistoryRetention(store, **named)
        self._tasks = decisions // load.TASK_SIZE
        # A name of this run, so that a graph can be measured twice.
        self.task = f"ours {secrets.token_hex(4)}"
        self.history.create_task(self.task, "g")
        self.history.record_event(self.task, "note", payload="measured")
        self.documents.put_document("sop", TEXT)
        self.cited = DocumentSupportInput(evidence_id=passage("sop", TEXT, WORDS).evidence_id)
        self.event = EventSupportInput(task_name=self.task, seq=1)
        self.parent = DecisionSupportInput(decision_id=load.decision_id(READ_TASK, 50))

    def _fetched(self) -> Any:
        return self.documents.fetch_evidence([self.cited.evidence_id], scope=frozenset({"sop"}))

    def _made(self, key: str, supports: list[Any]) -> UUID:
        made = self.traces.record_decision(
            self.task, key, "c", "r", supports=supports, fetched_evidence=self._fetched()
        )
        assert made.decision is not None, made
        return made.decision.id

    def get_decision(self, _: int) -> Prepared:
        return lambda: self.traces.get_decision(load.decision_id(READ_TASK, 50))

    def get_task(self, _: int) -> Prepared:
        return lambda: self.history.get_task(load.task_name(READ_TASK))

    def list_decisions(self, _: int) -> Prepared:
        return lambda: self.traces.list_decisions(load.task_name(READ_TASK))

    def list_for_review(self, _: int) -> Prepared:
        return self.traces.list_decisions_for_review

    def list_conflicts(self, _: int) -> Prepared:
        return self.traces.list_conflicts

    def five_conflicts(self, _: int) -> Prepared:
        return lambda: self.traces.list_conflicts(limit=5)

    def search_few(self, _: int) -> Prepared:
        return lambda: self.traces.search_decisions("needle")

    def search_many(self, _: int) -> Prepared:
        return lambda: self.traces.search_decisions("percent")

    def list_events(self, _: int) -> Prepared:
        return lambda: self.history.list_events(load.task_name(READ_TASK))

    def list_tasks(self, _: int) -> Prepared:
        return self.history.list_tasks

    def browse(self, _: int) -> Prepared:
        return self.traces.browse_decisions

    def create_task(self, k: int) -> Prepared:
        return lambda: self.history.create_task(f"{self.task} {k}", "g")

    def record_event(self, k: int) -> Prepared:
        return lambda: self.history.record_event(self.task, "note", payload=f"event {k}")

    def record_events(self, k: int) -> Prepared:
        events = [NewEvent(EventKind.NOTE, f"event {k} {n}") for n in range(EVENTS_AT_ONCE)]
        return lambda: self.history.record_events(self.task, events)

    def set_step(self, k: int) -> Prepared:
        return lambda: self.history.set_step(self.task, f"step {k}", "in_progress")

    def record(self, k: int) -> Prepared:
        fetched = self._fetched()
        supports = [self.cited, self.event, self.parent]
        return lambda: self.traces.record_decision(
            self.task, f"record {k}", "c", "r", supports=supports, fetched_evidence=fetched
        )

    def supersede(self, k: int) -> Prepared:
        old = self._made(f"supersede {k}", [self.event])
        return lambda: self.traces.supersede_decision(
            old, "c2", "r", explanation="e", supports=[self.event]
        )

    def reject(self, k: int) -> Prepared:
        old = self._made(f"reject {k}", [self.event])
        return lambda: self.traces.reject_decision(old, "no")

    def reaffirm(self, k: int) -> Prepared:
        old = self._made(f"reaffirm {k}", [self.cited, self.event])
        fetched = self._fetched()
        return lambda: self.traces.reaffirm_decision(old, [self.cited], fetched_evidence=fetched)

    def redact(self, k: int) -> Prepared:
        event = load.event_id(*cited_event(k, 0, self._tasks))
        return lambda: self.retention.redact_event(event)


class Theirs:
    """The library's operations. Its verdicts leave the project's queue open: each is closed again."""

    def __init__(self, library: Library, raw: RawGraph, decisions: int) -> None:
        self.library = library
        self._raw = raw
        self._tasks = decisions // load.TASK_SIZE
        self.task = f"theirs {secrets.token_hex(4)}"
        library.create_task(self.task, "g")
        library.record_event(self.task, "measured")
        self.cited = passage("sop", TEXT, WORDS)
        self.document = models.DocumentSupportInput(evidence_id=self.cited.evidence_id)
        self.event = models.EventSupportInput(task_name=self.task, seq=1)
        self.parent = models.DecisionSupportInput(decision_id=load.decision_id(READ_TASK, 50))

    def settle(self) -> None:
        """Close the queue without the library's drain, which would take minutes."""
        self._raw.run(
            "MATCH (q:Project {_agrag_history_record: true, project_id: $p}) "
            "SET q.review_incomplete = false",
            {"p": load.PROJECT},
        )
        self._raw.run(
            "MATCH (d:Decision {project_id: $p, review_pending: true}) SET d.review_pending = null",
            {"p": load.PROJECT},
        )

    def _made(self, key: str, supports: list[Any]) -> UUID:
        made = self.library.record_decision(
            self.task, key, "c", supports=supports,
            fetched_evidence=self.library.fetch_evidence(self.cited),
        )  # fmt: skip
        assert made.decision is not None, made
        self.settle()
        return made.decision.id

    def get_decision(self, _: int) -> Prepared:
        return lambda: self.library.get_decision(load.decision_id(READ_TASK, 50))

    def get_task(self, _: int) -> Prepared:
        return lambda: self.library.get_task(load.task_name(READ_TASK))

    def list_decisions(self, _: int) -> Prepared:
        return lambda: self.library.list_decisions(load.task_name(READ_TASK))

    def list_for_review(self, _: int) -> Prepared:
        return self.library.list_decisions_for_review

    def list_conflicts(self, _: int) -> Prepared:
        return self.library.list_conflicts

    def search_few(self, _: int) -> Prepared:
        return lambda: self.library.search_decisions("needle")

    def search_many(self, _: int) -> Prepared:
        return lambda: self.library.search_decisions("percent")

    def list_events(self, _: int) -> Prepared:
        return lambda: self.library.list_events(load.task_name(READ_TASK))

    def create_task(self, k: int) -> Prepared:
        return lambda: self.library.create_task(f"{self.task} {k}", "g")

    def record_event(self, k: int) -> Prepared:
        return lambda: self.library.record_event(self.task, f"event {k}")

    def record_events(self, k: int) -> Prepared:
        def all_of_them() -> None:
            for n in range(EVENTS_AT_ONCE):
                self.library.record_event(self.task, f"event {k} {n}")

        return all_of_them

    def set_step(self, k: int) -> Prepared:
        return lambda: self.library.set_step(self.task, f"step {k}", StepState.IN_PROGRESS)

    def record(self, k: int) -> Prepared:
        fetched = self.library.fetch_evidence(self.cited)
        supports = [self.document, self.event, self.parent]
        return lambda: self.library.record_decision(
            self.task, f"record {k}", "c", supports=supports, fetched_evidence=fetched
        )

    def supersede(self, k: int) -> Prepared:
        old = self._made(f"supersede {k}", [self.event])
        return lambda: self.library.supersede_decision(
            old, "c2", explanation="e", supports=[self.event]
        )

    def reject(self, k: int) -> Prepared:
        old = self._made(f"reject {k}", [self.event])
        return lambda: self.library.reject_decision(old, "no")

    def reaffirm(self, k: int) -> Prepared:
        old = self._made(f"reaffirm {k}", [self.document, self.event])
        fetched = self.library.fetch_evidence(self.cited)
        return lambda: self.library.reaffirm_decision(
            old, [self.document], fetched_evidence=fetched
        )

    def redact(self, k: int) -> Prepared:
        self.settle()
        event = load.event_id(*cited_event(k, 1, self._tasks))
        return lambda: self.library.redact_event(event)


def cited_event(k: int, side: int, tasks: int) -> tuple[int, int]:
    """The k-th event to redact of one side, from its own half of the tasks behind those read."""
    first = READ_TASK + 1
    half = (tasks - first) // 2
    assert k < half * load.CITED_EVENTS, "there are no more events to redact; measure fewer rounds"
    return first + side * half + k // load.CITED_EVENTS, k % load.CITED_EVENTS + 1
