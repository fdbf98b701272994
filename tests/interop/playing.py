"""A list of steps played by one side, by the other, or by both in turn, and what it came to.

The library's names and arguments are ours, so a step is one operation with its
arguments, and each side's voice only says them in that side's types. What is
answered and what is recorded is kept without ids and times, so that plays in
different projects compare.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from agrag.common.data_models import decision as theirs
from agrag.common.data_models.document import Document
from agrag.common.data_models.evidence import FetchOutcome as TheirOutcome
from agrag.graphdb.errors import GraphStoreConstraintViolationError
from pydantic import BaseModel

from graphstore import records as ours
from tests.interop.console import Index
from tests.interop.library import Passage, derived
from tests.interop.world import Side

AGENT = "library-agent"


class Said(NamedTuple):
    """Some words of one text of one of the project's documents."""

    words: str
    text: str
    document: str = "policy"


class Bad(NamedTuple):
    """An evidence id as it stands."""

    evidence_id: str


class Heard(NamedTuple):
    """An event, by its task and number."""

    task: str
    seq: int


class Made(NamedTuple):
    """A decision, by its choice, revision and task."""

    choice: str
    revision: int = 1
    task: str = "audit"


class Fetched(NamedTuple):
    """What fetching these passages gives, perhaps cut short, or not as it was given."""

    passages: tuple[Said, ...] = ()
    max_chars: int = 1_000_000
    forged: Mapping[str, Any] = {}


class Held(NamedTuple):
    """What an earlier step `hold` of this name fetched."""

    name: str


class Step(NamedTuple):
    """One operation with its arguments, under a name of its own."""

    name: str
    operation: str
    args: tuple[Any, ...]
    named: Mapping[str, Any]


def step(title: str, operation: str, /, *args: Any, **named: Any) -> Step:
    """A step; documents among its supports are fetched by it, unless it says otherwise."""
    cited = [*named.get("supports", ()), *named.get("evidence", ())]
    passages = tuple(one for one in cited if isinstance(one, Said))
    if passages and "fetched_evidence" not in named:
        named = {**named, "fetched_evidence": Fetched(passages)}
    return Step(title, operation, args, named)


class Voice(Protocol):
    """How one side says a step."""

    name: str

    def say(self, operation: str, *args: Any, **named: Any) -> Any:
        """Call one of the library's operations."""
        ...

    def identity(self, identity: UUID) -> Any:
        """An id of a decision or event."""
        ...

    def support(self, kind: str, **named: Any) -> Any:
        """What a caller cites."""
        ...

    def fetch(self, passages: Sequence[Passage], max_chars: int = 1_000_000) -> list[Any]:
        """Fetch passages."""
        ...

    def outcome(self, fetched: dict[str, Any]) -> Any:
        """An outcome that somebody fetched."""
        ...


@dataclass
class TheLibrary:
    """The library's voice."""

    side: Side
    name: str = "the library"

    def say(self, operation: str, *args: Any, **named: Any) -> Any:
        return self.side.library.ask(operation, *args, **named)

    def identity(self, identity: UUID) -> Any:
        return identity

    def support(self, kind: str, **named: Any) -> Any:
        return getattr(theirs, kind)(**named)

    def fetch(self, passages: Sequence[Passage], max_chars: int = 1_000_000) -> list[Any]:
        return self.side.library.fetch_evidence(*passages, max_chars=max_chars)

    def outcome(self, fetched: dict[str, Any]) -> Any:
        return TheirOutcome.model_validate(fetched)


@dataclass
class We:
    """Our voice."""

    side: Side
    name: str = "we"

    def say(self, operation: str, *args: Any, **named: Any) -> Any:
        services = (self.side.history, self.side.traces, self.side.retention)
        service = next(s for s in services if hasattr(s, operation))
        return getattr(service, operation)(*args, **named)

    def identity(self, identity: UUID) -> Any:
        return str(identity)

    def support(self, kind: str, **named: Any) -> Any:
        return getattr(ours, kind)(**named)

    def fetch(self, passages: Sequence[Passage], max_chars: int = 1_000_000) -> list[Any]:
        ids = [one.evidence_id for one in passages]
        keys = frozenset(one.document_key for one in passages)
        return self.side.documents.fetch_evidence(ids, max_chars=max_chars, scope=keys)

    def outcome(self, fetched: dict[str, Any]) -> Any:
        return ours.FetchOutcome.model_validate(fetched)


@dataclass
class Play:
    """One project in which steps are played, and what was answered, by the name of the step.

    With a `console`, the step `look` takes in what others recorded.
    """

    side: Side
    console: Index | None = None
    answers: dict[str, Any] = field(default_factory=dict[str, Any])
    names: dict[str, str] = field(default_factory=dict[str, str])
    _tasks: dict[str, str] = field(default_factory=dict[str, str])
    _held: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])

    def __post_init__(self) -> None:
        self.names = {self.side.project: "<project>"}
        for key in (self.side.policy, self.side.handbook):
            name = key.removeprefix(f"{self.side.project}-")
            self.names[str(Document.node_id_for(document_key=key))] = f"<document {name}>"

    def play(self, steps: Sequence[Step], voices: Iterator[Voice]) -> "Play":
        """Each step by the voice whose turn it is."""
        for one, voice in zip(steps, voices, strict=False):
            try:
                answer = self._said(one, voice)
            except GraphStoreConstraintViolationError:
                answer = "a constraint was violated"
            except Exception as error:
                error.add_note(f"{voice.name}, at the step {one.name!r}")
                raise
            dumped = _dumped(answer)
            for record in _records(dumped):
                self._learn(record)
            plain = self.plain(dumped)
            if one.operation == "search_decisions":
                plain.sort(key=lambda hit: hit["decision"]["id"])
            self.answers[one.name] = plain
        return self

    def _said(self, one: Step, voice: Voice) -> Any:
        args = [self._argument(value, voice) for value in one.args]
        named = {key: self._argument(value, voice) for key, value in one.named.items()}
        if one.operation in ACTIVATIONS:
            return ACTIVATIONS[one.operation](self.side, *args)
        if one.operation == "fetch_evidence":
            return voice.fetch(args, **named)
        if one.operation == "look":
            if self.console is not None:
                self.console.look()
            return None
        if one.operation == "hold":
            self._held[args[0]] = _dumped(named["fetched_evidence"])
            return named["fetched_evidence"]
        if one.operation == "drain":
            while voice.say("continue_decision_review"):
                pass
            return None
        return voice.say(one.operation, *args, **named)

    def _argument(self, value: Any, voice: Voice) -> Any:
        match value:
            case Made():
                return voice.identity(self._decision(value))
            case Heard():
                return str(derived("Event", self._task(value.task), value.seq))
            case Said():
                return self._passage(value)
            case Fetched():
                passages = [self._passage(one) for one in value.passages]
                found = voice.fetch(passages, value.max_chars)
                return [one.model_copy(update=dict(value.forged)) for one in found]
            case Held():
                return [voice.outcome(one) for one in self._held[value.name]]
            case list():
                return [self._support(one, voice) for one in value]
            case _:
                return value

    def _support(self, one: Any, voice: Voice) -> Any:
        match one:
            case Said():
                identity = self._passage(one).evidence_id
                return voice.support("DocumentSupportInput", evidence_id=identity)
            case Bad():
                return voice.support("DocumentSupportInput", evidence_id=one.evidence_id)
            case Heard():
                return voice.support("EventSupportInput", task_name=one.task, seq=one.seq)
            case Made():
                decision_id = str(self._decision(one))
                return voice.support("DecisionSupportInput", decision_id=decision_id)
            case _:
                return one

    def _passage(self, one: Said) -> Passage:
        key = self.side.policy if one.document == "policy" else self.side.handbook
        return self.side.cite(one.text, one.words, key)

    def _decision(self, one: Made) -> UUID:
        return derived("Decision", self._task(one.task), one.choice, one.revision)

    def _task(self, name: str) -> str:
        return self._tasks.get(name) or str(derived(self.side.project, name))

    def _learn(self, record: Mapping[str, Any]) -> None:
        """Names for the ids of a record that was answered."""
        match record:
            case {"goal": _, "id": identity, "name": name}:
                self._tasks[name] = identity
                self.names[identity] = f"<task {name}>"
            case {"payload": _, "id": identity, "task_id": task_id, "seq": seq}:
                self.names[identity] = f"<event {self._called(task_id)} {seq}>"
            case {"choice_key": choice, "id": identity, "revision": revision, "task_id": task_id}:
                self.names[identity] = f"<decision {self._called(task_id)} {choice} {revision}>"
            case {"updated_seq": _, "id": identity, "task_id": task_id, "name": name}:
                self.names[identity] = f"<step {self._called(task_id)} {name}>"
            case _:
                pass

    def _called(self, task_id: str) -> str:
        return self.names.get(task_id, "?").strip("<>").removeprefix("task ")

    def plain(self, value: Any) -> Any:
        """The value without ids and times."""
        if isinstance(value, dict):
            return _sorted({key: self.plain(one) for key, one in _unhashed(value).items()})
        if isinstance(value, list):
            return [self.plain(one) for one in value]
        if not isinstance(value, str):
            return value
        if TIME.fullmatch(value):
            return "<time>"
        named = ID.sub(lambda found: self.names.get(found[0], found[0]), value)
        return named.replace(self.side.project, "<project>")


ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{6})?(\+00:00|Z)")

ACTIVATIONS: dict[str, Callable[..., Any]] = {
    "put_document": lambda side, which, text: side.library.put_document(
        f"{side.project}-{which}", text, title=which.title()
    ),
    "remove_document": lambda side, which: side.library.remove_document(f"{side.project}-{which}"),
    "purge_document": lambda side, which: side.library.purge_document(f"{side.project}-{which}"),
}
"""Documents change through the library's own statements, whoever plays."""


def _dumped(answer: Any) -> Any:
    if isinstance(answer, BaseModel):
        return answer.model_dump(mode="json")
    if isinstance(answer, list):
        return [_dumped(one) for one in answer]
    return answer


def _records(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every record in an answer, a task before what belongs to it."""
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from _records(one)
    elif isinstance(value, list):
        for one in value:
            yield from _records(one)


def _sorted(record: dict[str, Any]) -> dict[str, Any]:
    """Lists whose order says nothing, in one order."""
    if "affected_decision_ids" in record:
        record["affected_decision_ids"].sort()
    if set(record) == {"choice_key", "decisions", "truncated"}:
        record["decisions"].sort(key=lambda one: one["id"])
    return record


def _unhashed(record: dict[str, Any]) -> dict[str, Any]:
    """The hash of a note that names an id differs with the id, so it is checked here."""
    if not str(record.get("payload", "")).endswith(" reaffirmed."):
        return record
    assert record["payload_sha256"] == hashlib.sha256(record["payload"].encode()).hexdigest()
    return {key: value for key, value in record.items() if key != "payload_sha256"}
