"""A client that writes one thing after another by chance, and repeats what a fault kept it from.

What it does follows from its seed and from what it was answered, so that the same
player on another graph does the same, and playing once more repeats every request id.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from graphstore.faults import StoreFault
from graphstore.operations.record_events import NewEvent
from graphstore.records import EventKind, StepState
from graphstore.results import WriteResult
from tests.contract.looking import Props
from tests.contract.scenario import Scene
from tests.contract.seeding import Cited, Heard, Passage, derived
from tests.contract.world import POLICY, Work, answer, evidence, on

Write = Callable[[], WriteResult]
MOVES = {
    "event": 6,
    "events": 2,
    "decide": 6,
    "supersede": 2,
    "reject": 2,
    "withdraw": 1,
    "reaffirm": 2,
    "ask": 1,
    "put": 1,
    "redact": 1,
    "step": 1,
    "resume": 1,
    "task": 1,
    "delete": 1,
}
"""What a player does, and how often beside the others."""
FEW_MOVES = {"event": 4, "decide": 4, "supersede": 1, "reject": 2, "put": 1}
"""The same for a server that must plan every statement again after each start."""
RECENT = 12
"""How far back it judges and cites, so that no verdict reaches ever more decisions."""


@dataclass(frozen=True)
class Played:
    """One write as it was answered in the end, and how often a fault came first."""

    move: str
    recorded: bool
    error: str | None
    faults: int = 0

    @property
    def answered(self) -> tuple[bool, str | None]:
        """What counts when two players are compared."""
        return self.recorded, self.error


@dataclass(frozen=True)
class Made:
    """A decision that the player recorded and nobody has retired."""

    id: str
    choice: str
    cited: Sequence[Cited]


@dataclass
class Player:
    """One author in one project of its own."""

    work: Work
    scene: Scene
    seed: int
    moves: dict[str, int]
    pause: Callable[[StoreFault], None]
    """Called after a fault, before the write is repeated."""
    played: list[Played] = field(default_factory=list[Played])
    made: list[Made] = field(default_factory=list[Made])
    verdicts: list[tuple[str, Made]] = field(default_factory=list[tuple[str, Made]])
    extra: list[str] = field(default_factory=list[str])
    heard: int = 2
    version: int = 1

    def __post_init__(self) -> None:
        self.random = Random(self.seed)  # noqa: S311 - no secret

    @property
    def request(self) -> str:
        """The request id of the next write."""
        return f"r{len(self.played)}"

    @property
    def text(self) -> str:
        """The policy as it stands."""
        return POLICY if self.version == 1 else POLICY.replace("30 days", f"{self.version} days")

    @property
    def passage(self) -> Passage:
        """What it cites of the policy."""
        days = 30 if self.version == 1 else self.version
        return Passage(self.scene.policy, self.text, f"paid within {days} days", self.version)

    def play(self, known: Played | None = None) -> None:
        """Do the next thing until it is answered; one `known` to be refused is not asked again."""
        (move,) = self.random.choices([*self.moves], [*self.moves.values()])
        write, then = getattr(self, f"_{move}")()
        if known is not None and not known.recorded:
            self.played.append(known)
            return
        faults = 0
        while True:
            try:
                result: WriteResult = write()
            except StoreFault as fault:
                faults += 1
                self.pause(fault)
            else:
                break
        recorded, error = answer(result)
        # A task that was deleted since is not found by its own request; it was made all the same.
        if recorded or known is not None:
            then(result)
        self.played.append(Played(move, recorded, error, faults))

    def replay(self, played: Sequence[Played]) -> list[Played]:
        """Repeat every write that was recorded, with its request id; returns the answers."""
        for known in played:
            self.play(known)
        return self.played

    def _event(self) -> Any:
        said = f"{self.request} said"
        return (
            lambda: self.work.history.record_event(
                "t", EventKind.NOTE, payload=said, request_id=self.request
            ),
            lambda _: self._hear(1),
        )

    def _events(self) -> Any:
        made = [NewEvent(EventKind.NOTE, f"{self.request} said {k}") for k in range(3)]
        return (
            lambda: self.work.history.record_events("t", made, request_id=self.request),
            lambda _: self._hear(3),
        )

    def _hear(self, number: int) -> None:
        self.heard += number

    def _cited(self) -> list[Cited]:
        """What it happens to cite: something heard, maybe the policy, maybe a decision."""
        cited: list[Cited] = [Heard("t", self.random.randint(max(1, self.heard - 9), self.heard))]
        if self.random.random() < 0.4:
            cited.append(self.passage)
        if self.made and self.random.random() < 0.6:
            cited.append(self.random.choice(self.made[-RECENT:]).id)
        return cited

    def _decide(self) -> Any:
        choice, cited = self.request, self._cited()

        def then(result: Any) -> None:
            self.made.append(Made(str(result.decision.id), choice, cited))

        return lambda: self.work.traces.record_decision(
            "t", choice, f"{choice} it is", "Because.", **on(*cited), request_id=self.request
        ), then

    def _one(self) -> Made:
        """A decision that it may judge; before there are any, one of the scene's."""
        if self.made:
            return self.random.choice(self.made[-RECENT:])
        return Made(self.scene.decision("mail"), "mail", [self.scene.decision("days")])

    def _retire(self, one: Made) -> None:
        if one in self.made:
            self.made.remove(one)

    def _supersede(self) -> Any:
        one, cited = self._one(), self._cited()
        cited = [c for c in cited if c != one.id]

        def then(result: Any) -> None:
            self._retire(one)
            self.made.append(Made(str(result.decision.id), one.choice, cited))

        return lambda: self.work.traces.supersede_decision(
            one.id,
            f"{one.choice} after {self.request}",
            "Because.",
            explanation="Changed.",
            **on(*cited),
            request_id=self.request,
        ), then

    def _reject(self) -> Any:
        one = self._one()

        def then(result: Any) -> None:
            self._retire(one)
            self.verdicts.append((result.verdict_id, one))

        return lambda: self.work.traces.reject_decision(
            one.id, f"{self.request} says no", request_id=self.request
        ), then

    def _withdraw(self) -> Any:
        verdict, one = self.verdicts[-1] if self.verdicts else (self.scene.verdict, None)

        def then(_: Any) -> None:
            if self.verdicts:
                self.verdicts.pop()
            if one is not None:
                self.made.append(one)

        return lambda: self.work.traces.withdraw_verdict(
            verdict, f"{self.request} was wrong", request_id=self.request
        ), then

    def _reaffirm(self) -> Any:
        one = self._one()
        cites = any(isinstance(c, Passage) for c in one.cited)
        passages = [self.passage] * cites
        return lambda: self.work.traces.reaffirm_decision(
            one.id,
            **evidence(*passages),
            explanation=f"{self.request} looked",
            request_id=self.request,
        ), _nothing

    def _ask(self) -> Any:
        one = self._one()
        return lambda: self.work.traces.ask_for_review(
            one.id, f"{self.request} wonders", request_id=self.request
        ), _nothing

    def _put(self) -> Any:
        text = POLICY.replace("30 days", f"{self.version + 1} days")

        def then(_: Any) -> None:
            self.version += 1

        return lambda: self.work.documents.put_document(
            self.scene.policy, text, request_id=self.request
        ), then

    def _redact(self) -> Any:
        seq = self.random.randint(1, self.heard)
        event = derived("Event", derived(self.scene.project, "t"), seq)
        return (
            lambda: self.work.retention.redact_event(event, request_id=self.request),
            _nothing,
        )

    def _step(self) -> Any:
        name = f"step {self.random.randint(1, 5)}"
        state = self.random.choice([StepState.IN_PROGRESS, StepState.NOT_STARTED])
        return (
            lambda: self.work.history.set_step("t", name, state, request_id=self.request),
            _nothing,
        )

    def _resume(self) -> Any:
        return lambda: self.work.history.resume_task("t", request_id=self.request), _nothing

    def _task(self) -> Any:
        name = f"task {self.request}"
        return (
            lambda: self.work.history.create_task(name, "Try.", request_id=self.request),
            lambda _: self.extra.append(name),
        )

    def _delete(self) -> Any:
        name = self.extra[0] if self.extra else "u"

        def then(_: Any) -> None:
            if name in self.extra:
                self.extra.remove(name)

        return lambda: self.work.retention.delete_task(name, request_id=self.request), then


def _nothing(_: Props) -> None:
    """What follows from a write that the player need not remember."""
