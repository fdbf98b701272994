"""Plays the demo's script through the operations that every other writer uses.

Each write has a request id made from its place in the script, and each decision an
id that follows from its task, choice and revision. So a load that was killed goes
on where it stopped: what is there is found, and nothing is written twice.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

from graphstore import (
    ConversationHistory,
    DecisionTraces,
    Documents,
    HistoryRetention,
    NewEvent,
)
from graphstore.ids import derived_id, evidence_id, named_id, sha256
from graphstore.records import (
    Actor,
    DecisionSupportInput,
    DocumentSupportInput,
    EventSupportInput,
    FetchOutcome,
    FetchStatus,
    Ground,
    StepState,
    SupportInput,
)
from graphstore.results import WriteResult
from graphstore.store import GraphStore
from reviewconsole.demo.library import documents, find_quote, text_of
from reviewconsole.demo.script import (
    Cited,
    CitedDecision,
    CitedEvent,
    Decide,
    Entry,
    Happening,
    OpenTask,
    Put,
    Quote,
    Reaffirm,
    Redact,
    Reject,
    Remove,
    SetStep,
    Supersede,
    events_of,
    read_script,
)

__all__ = ["DemoLoader", "DemoRefused", "is_complete"]

LIBRARIAN = "document-sync"
EVENTS_AT_ONCE = 100
PASSAGE_CHARS = 20_000


class DemoRefused(Exception):
    """The record refused what the script asks for: this graph holds something else."""


@dataclass
class _Recorded:
    """A decision as the script may name it later."""

    id: str
    task: str
    key: str
    revision: int
    quotes: list[Quote]


def is_complete(store: GraphStore) -> bool:
    """Whether the last thing of the script is there, which nothing but this loader makes."""
    last = read_script()[-1]
    history = ConversationHistory(store, project_id=last.project, agent_id=last.step.agent)
    return history.get_task(last.step.name).found


class DemoLoader:
    """One run over the script.

    `people` gives the agent id of each person by sign-in name. `flagged` is called
    with a project after something flagged decisions there; `progress` with each
    entry that was played.
    """

    def __init__(
        self,
        store: GraphStore,
        people: Mapping[str, str],
        *,
        flagged: Callable[[str], None] = lambda _project: None,
        progress: Callable[[Entry], None] = lambda _entry: None,
    ) -> None:
        self._store = store
        self._people = people
        self._flagged = flagged
        self._progress = progress
        self._tasks: dict[str, OpenTask] = {}
        self._task_ids: dict[str, str] = {}
        self._events: dict[str, tuple[EventSupportInput, str]] = {}
        self._decisions: dict[str, _Recorded] = {}
        self._current: dict[str, int] = {}
        self._read_before: dict[str, FetchOutcome] = {}

    def play(self) -> None:
        """Write everything, or find it written.

        Raises `DemoRefused` when the record refuses, which a graph of this demo's
        own never does, and a `StoreFault` when the graph does not answer.
        """
        waiting: list[Entry] = []
        for entry in read_script():
            if isinstance(entry.step, Happening):
                if waiting and waiting[-1].task != entry.task:
                    self._record_events(waiting)
                    waiting = []
                waiting.append(entry)
            else:
                self._record_events(waiting)
                waiting = []
                self._play(entry)
            self._progress(entry)
        self._record_events(waiting)

    def _play(self, entry: Entry) -> None:
        match entry.step:
            case Put() | Remove() | Redact() as step:
                self._change_source(entry, step)
            case OpenTask() as step:
                self._open_task(entry, step)
            case SetStep() as step:
                self._set_step(entry, step)
            case Decide() as step:
                self._decide(entry, step)
            case Supersede() as step:
                self._supersede(entry, step)
            case Reject() as step:
                result = self._traces(entry, step.by).reject_decision(
                    self._decisions[step.id].id,
                    step.why,
                    request_id=_request(entry),
                    ground=_ground(step.ground),
                )
                _require(result, entry)
            case Reaffirm() as step:
                for number, name in enumerate(step.ids, start=1):
                    self._reaffirm(entry, step, name, number)
            case _:
                pass

    # Documents and erasure

    def _change_source(self, entry: Entry, step: Put | Remove | Redact) -> None:
        match step:
            case Put():
                self._put(entry, step)
            case Remove():
                result = self._documents(entry).remove_document(
                    step.document, request_id=_request(entry)
                )
                _require(result, entry)
                self._flagged(entry.project)
            case Redact():
                retention = HistoryRetention(
                    self._store, project_id=entry.project, agent_id=self._author(step.by)
                )
                result = retention.redact_event(
                    self._events[step.event][1], request_id=_request(entry)
                )
                _require(result, entry)
                self._flagged(entry.project)

    def _put(self, entry: Entry, step: Put) -> None:
        document = documents()[step.document]
        if step.document in self._current:
            self._read_ahead(entry, step.document)
        result = self._documents(entry).put_document(
            document.key,
            text_of(document.key, step.version),
            title=document.title,
            uri=document.uri,
            request_id=_request(entry),
        )
        _require(result, entry)
        self._current[document.key] = step.version
        if step.version > 1:
            self._flagged(entry.project)

    def _read_ahead(self, entry: Entry, key: str) -> None:
        """Read what agents cite from the version that is about to be replaced.

        They read it before the new version and record after it, as it happens when
        a source changes while a decision is being recorded.
        """
        quotes = [
            cited
            for later in read_script()[entry.number :]
            if isinstance(later.step, Decide)
            for cited in _quotes(later.step.supports)
            if cited.document == key and cited.version == self._current[key]
        ]
        ids = list(dict.fromkeys(self._evidence_id(quote) for quote in quotes))
        self._read_before.update(zip(ids, self._fetch(entry, ids), strict=True))

    def _evidence_id(self, quote: Quote) -> str:
        """The id of a quoted passage, found by its words in the version it is of."""
        text = text_of(quote.document, quote.version or self._current[quote.document])
        start, end = find_quote(quote.quote, text)
        return evidence_id(named_id("Document", quote.document), sha256(text), start, end)

    def _fetch(self, entry: Entry, ids: list[str]) -> list[FetchOutcome]:
        unread = [each for each in ids if each not in self._read_before]
        if not unread:
            return [self._read_before[each] for each in ids]
        # An agent may read what it is about to cite for the first time.
        outcomes = self._documents(entry).fetch_evidence(
            unread, max_chars=PASSAGE_CHARS, scope=frozenset(documents())
        )
        for outcome in outcomes:
            if outcome.status is not FetchStatus.OK:
                raise DemoRefused(f"{entry}: a passage is {outcome.status}")
        read = {outcome.evidence_id: outcome for outcome in outcomes} | self._read_before
        return [read[each] for each in ids]

    # Tasks and events

    def _open_task(self, entry: Entry, step: OpenTask) -> None:
        result = self._history(entry, step.agent).create_task(
            step.name, step.goal, request_id=_request(entry)
        )
        _require(result, entry)
        if result.task is None:
            raise DemoRefused(f"{entry}: no task came back")
        self._tasks[step.id] = step
        self._task_ids[step.id] = str(result.task.id)

    def _record_events(self, entries: Sequence[Entry]) -> None:
        """Neighbouring events of one task in as few commits as they fit into."""
        if not entries:
            return
        first = entries[0]
        task = self._tasks[first.task or ""]
        history = self._history(first, task.agent)
        logged = [(entry, event) for entry in entries for event in events_of(entry.step)]
        for number, batch in enumerate(batched(logged, EVENTS_AT_ONCE), start=1):
            result = history.record_events(
                task.name,
                [NewEvent(e.kind, e.payload, e.role, e.name) for _, e in batch],
                request_id=_request(first, number),
            )
            _require(result, first)
            for (entry, _), event in zip(batch, result.events, strict=True):
                if entry.step.id:
                    # The last event of an entry is the one that its name means.
                    cited = EventSupportInput(task_name=task.name, seq=event.seq)
                    self._events[entry.step.id] = (cited, str(event.id))

    def _set_step(self, entry: Entry, step: SetStep) -> None:
        task = self._tasks[entry.task or ""]
        history = self._history(entry, task.agent)
        if step.supports and self._is_completed(history, task, step):
            return
        supports = [self._support(cited) for cited in step.supports]
        result = history.set_step(
            task.name,
            step.name,
            step.state,
            kind=step.kind,
            result_event_seq=self._events[step.result][0].seq if step.result else None,
            result_basis=step.basis,
            supports=supports,
            fetched_evidence=self._fetch(entry, _evidence_of(supports)),
            request_id=_request(entry),
        )
        _require(result, entry)

    def _is_completed(self, history: ConversationHistory, task: OpenTask, step: SetStep) -> bool:
        """Whether an earlier run set it: its evidence may have been replaced since."""
        done = history.list_steps(task.name, StepState.COMPLETED, limit=200).steps
        return any(one.name == step.name for one in done)

    # Decisions

    def _decide(self, entry: Entry, step: Decide) -> None:
        task = self._tasks[entry.task or ""]
        recorded = _Recorded("", task.id, step.key, 1, _quotes(step.supports))
        if self._not_there(entry, recorded):
            supports = [self._support(cited) for cited in step.supports]
            result = self._traces(entry, step.by or task.agent).record_decision(
                task.name,
                step.key,
                step.conclusion.strip(),
                step.rationale,
                supports=supports,
                fetched_evidence=self._fetch(entry, _evidence_of(supports)),
                assumptions=step.assumptions,
                open_questions=step.open_questions,
                request_id=_request(entry),
            )
            _require(result, entry)
        self._decisions[step.id] = recorded

    def _supersede(self, entry: Entry, step: Supersede) -> None:
        before = self._decisions[step.id]
        recorded = _Recorded(
            "", before.task, before.key, before.revision + 1, _quotes(step.supports)
        )
        if self._not_there(entry, recorded):
            supports = [self._support(cited) for cited in step.supports]
            result = self._traces(entry, step.by).supersede_decision(
                before.id,
                step.conclusion.strip(),
                step.rationale,
                explanation=step.explanation,
                supports=supports,
                fetched_evidence=self._fetch(entry, _evidence_of(supports)),
                assumptions=step.assumptions,
                open_questions=step.open_questions,
                request_id=_request(entry),
                ground=_ground(step.ground),
            )
            _require(result, entry)
        self._decisions[step.id] = recorded

    def _not_there(self, entry: Entry, recorded: _Recorded) -> bool:
        """Give a decision the id that it has or will have; say whether it must be written.

        A repeat by request id alone would not do: its evidence may have been
        followed by another version, or removed, after it was recorded.
        """
        recorded.id = derived_id(
            "Decision", self._task_ids[recorded.task], recorded.key, recorded.revision
        )
        return not self._traces(entry, LIBRARIAN).get_decision(recorded.id).found

    def _reaffirm(self, entry: Entry, step: Reaffirm, name: str, number: int) -> None:
        decision = self._decisions[name]
        chosen = {quote.document: quote for quote in step.passages}
        quotes = [
            chosen.get(quote.document, quote.model_copy(update={"version": None}))
            for quote in decision.quotes
        ]
        ids = list(dict.fromkeys(self._evidence_id(quote) for quote in quotes))
        result = self._traces(entry, step.by).reaffirm_decision(
            decision.id,
            [DocumentSupportInput(evidence_id=each) for each in ids],
            fetched_evidence=self._fetch(entry, ids),
            explanation=step.why,
            request_id=_request(entry, number),
            ground=_ground(step.ground),
        )
        _require(result, entry)
        decision.quotes = quotes

    def _support(self, cited: Cited) -> SupportInput:
        match cited:
            case Quote():
                return DocumentSupportInput(evidence_id=self._evidence_id(cited))
            case CitedEvent():
                return self._events[cited.event][0]
            case CitedDecision():
                return DecisionSupportInput(decision_id=self._decisions[cited.decision].id)

    # Who writes

    def _author(self, name: str | None) -> str:
        return self._people.get(name or "", name or LIBRARIAN)

    def _actor(self, name: str | None) -> Actor:
        author = self._author(name)
        return Actor(agent_id=author, principal=author, door="command")

    def _history(self, entry: Entry, agent: str) -> ConversationHistory:
        return ConversationHistory(
            self._store, project_id=entry.project, agent_id=agent, actor=self._actor(agent)
        )

    def _traces(self, entry: Entry, name: str | None) -> DecisionTraces:
        return DecisionTraces(
            self._store,
            project_id=entry.project,
            agent_id=self._author(name),
            actor=self._actor(name),
        )

    def _documents(self, entry: Entry) -> Documents:
        return Documents(
            self._store,
            project_id=entry.project,
            agent_id=LIBRARIAN,
            actor=self._actor(LIBRARIAN),
        )


def _request(entry: Entry, number: int = 1) -> str:
    return f"demo-{entry.number:04d}-{number}"


def _quotes(supports: Sequence[Cited]) -> list[Quote]:
    return [cited for cited in supports if isinstance(cited, Quote)]


def _evidence_of(supports: Sequence[SupportInput]) -> list[str]:
    return [each.evidence_id for each in supports if isinstance(each, DocumentSupportInput)]


def _ground(name: str | None) -> Ground | None:
    return Ground(name) if name else None


def _require(result: WriteResult, entry: Entry) -> None:
    if not result.recorded:
        blockers = ", ".join(f"{b.label}: {b.cause}" for b in result.blockers)
        raise DemoRefused(f"{entry} was refused: {result.error} {blockers}".rstrip())
