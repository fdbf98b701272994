"""The demo's script: everything that happens, in the order of the record.

The files of `script/` are read in the order of their names. An entry says what it
is by its first key: `task`, `decide`, `put` and so on. Entries of a task follow
it, or follow a `resume` that names it.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from graphstore.ids import sha256
from graphstore.records import EventKind, StepKind, StepResultBasis, StepState
from reviewconsole.demo.telemetry import logger_export, polls

__all__ = [
    "Cited",
    "Decide",
    "Entry",
    "Happening",
    "OpenTask",
    "Put",
    "Quote",
    "Reaffirm",
    "Redact",
    "Reject",
    "Remove",
    "Resume",
    "SetStep",
    "Supersede",
    "read_script",
]

HERE = Path(__file__).parent / "script"

AgentName = Literal[
    "lane-scout", "quality-reader", "carrier-desk", "site-steward", "contract-clerk"
]
Verdict = Literal["source_changed", "wrong_when_made", "no_longer_needed", "still_holds"]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Quote(Strict):
    """A passage of a document, by its words. Without `version` the current one is meant."""

    document: str
    quote: str
    version: int | None = None


class CitedEvent(Strict):
    event: str


class CitedDecision(Strict):
    decision: str


Cited = Quote | CitedEvent | CitedDecision


class Put(Strict):
    document: str = Field(alias="put")
    version: int


class Remove(Strict):
    document: str = Field(alias="remove")


class OpenTask(Strict):
    name: str = Field(alias="task")
    id: str
    agent: AgentName
    goal: str


class Resume(Strict):
    id: str = Field(alias="resume")


class Happening(Strict):
    """Something that a task's log holds. `id` names its last event, for citing."""

    id: str | None = None


class Say(Happening):
    text: str = Field(alias="say")


class Ask(Happening):
    text: str = Field(alias="ask")


class Note(Happening):
    text: str = Field(alias="note")


class Readings(Strict):
    devices: int
    count: int
    seed: int


class Tool(Happening):
    """A tool call and its result: JSON, plain text, or readings that are reckoned."""

    name: str = Field(alias="tool")
    arguments: dict[str, Any]
    result: dict[str, Any] | str | None = None
    readings: Readings | None = None


class Watch(Happening):
    """Many calls and results: a consignment that is followed on its way."""

    consignment: str = Field(alias="watch")
    origin: str = Field(alias="from")
    destination: str = Field(alias="to")
    start: str
    minutes: int
    every: int
    seed: int
    warm: list[tuple[int, int]]


class _Reasoned(Strict):
    conclusion: str
    rationale: str
    supports: list[Cited]
    assumptions: list[str] = []
    open_questions: list[str] = []
    by: str | None = None


class Decide(_Reasoned):
    id: str = Field(alias="decide")
    key: str


class Supersede(_Reasoned):
    """A next revision; from here on the id means this one."""

    id: str = Field(alias="supersede")
    explanation: str
    ground: Verdict | None = None


class Reject(Strict):
    id: str = Field(alias="reject")
    by: str
    why: str
    ground: Verdict | None = None


class Reaffirm(Strict):
    """Decisions confirmed for one reason.

    A passage that stands word for word in the current text is cited again;
    `passages` names the others.
    """

    id: str | list[str] = Field(alias="reaffirm")
    by: str
    why: str
    ground: Verdict | None = None
    passages: list[Quote] = []

    @property
    def ids(self) -> list[str]:
        return [self.id] if isinstance(self.id, str) else self.id


class Redact(Strict):
    event: str = Field(alias="redact")
    by: str


class SetStep(Strict):
    """How a step of the task stands from here on.

    A completed step has its `result` in an event; it rests on `supports`, or is
    `independent` of everything that can change, or nobody said what it rests on.
    """

    name: str = Field(alias="step")
    state: StepState
    kind: StepKind = StepKind.OTHER
    result: str | None = None
    independent: bool = False
    supports: list[Cited] = []

    @property
    def basis(self) -> StepResultBasis:
        if self.supports:
            return StepResultBasis.SUPPORTED
        return StepResultBasis.INDEPENDENT if self.independent else StepResultBasis.UNKNOWN


_VERBS: dict[str, type[Strict]] = {
    "put": Put,
    "remove": Remove,
    "task": OpenTask,
    "resume": Resume,
    "say": Say,
    "ask": Ask,
    "note": Note,
    "tool": Tool,
    "watch": Watch,
    "decide": Decide,
    "supersede": Supersede,
    "reject": Reject,
    "reaffirm": Reaffirm,
    "redact": Redact,
    "step": SetStep,
}


class Entry(Strict):
    """One step with the place where it stands. `task` is the id of the task it belongs to."""

    number: int
    chapter: str
    project: str
    task: str | None
    step: Any

    def __str__(self) -> str:
        return f"{self.chapter}, entry {self.number}: {self.step}"


@cache
def read_script() -> list[Entry]:
    """Every entry in the order of the record."""
    return list(_entries())


def _entries() -> Iterator[Entry]:
    number = 0
    for path in sorted(HERE.glob("*.toml")):
        chapter = tomllib.loads(path.read_text(encoding="utf-8"))
        task: str | None = None
        for fields in chapter["entry"]:
            number += 1
            step = _VERBS[next(iter(fields))].model_validate(fields)
            if isinstance(step, OpenTask | Resume):
                task = step.id
            yield Entry(
                number=number,
                chapter=path.stem,
                project=chapter["project"],
                task=task,
                step=step,
            )


class LoggedEvent(Strict):
    """One event to record."""

    kind: EventKind
    payload: str
    role: str | None = None
    name: str | None = None


def events_of(step: Happening) -> list[LoggedEvent]:
    """The events that a step puts into its task's log, in order."""
    match step:
        case Say():
            return [LoggedEvent(kind=EventKind.MESSAGE, role="assistant", payload=step.text)]
        case Ask():
            return [LoggedEvent(kind=EventKind.MESSAGE, role="user", payload=step.text)]
        case Note():
            return [LoggedEvent(kind=EventKind.NOTE, payload=step.text)]
        case Tool():
            return _call(step.name, step.arguments, _result_of(step))
        case Watch():
            told = polls(
                step.consignment,
                origin=step.origin,
                destination=step.destination,
                start=step.start,
                minutes=step.minutes,
                every=step.every,
                seed=step.seed,
                warm=step.warm,
            )
            return [
                event
                for asked, answer in told
                for event in _call("read_position", json.loads(asked), json.loads(answer))
            ]
        case _:
            raise TypeError(f"no events in {step}")


def _result_of(step: Tool) -> object:
    if step.readings is not None:
        return logger_export(**step.readings.model_dump())
    return step.result.strip() if isinstance(step.result, str) else step.result


def _call(name: str, arguments: object, content: object) -> list[LoggedEvent]:
    """A call and its result as agents record them: each names the call."""
    said = {"arguments": arguments, "content": content}
    call_id = f"call-{sha256(_json([name, said]))[:12]}"
    asked, answered = (_json({"tool_call_id": call_id, part: said[part]}) for part in said)
    return [
        LoggedEvent(kind=EventKind.TOOL_CALL, role="assistant", name=name, payload=asked),
        LoggedEvent(kind=EventKind.TOOL_RESULT, role="tool", name=name, payload=answered),
    ]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
