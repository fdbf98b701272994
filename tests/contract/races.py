"""What writers race for: the records of each round, and what each of four contenders does to them.

Eight neighbouring rounds stand in one project, so that rounds that are played at once
also meet on its lock and its counters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphstore.records import EventKind
from tests.contract.seeding import Heard, Passage, Seed, derived, digest, named
from tests.contract.world import DAYS, POLICY, POLICY_15, Work, evidence, on

ROUNDS = 200
AT_ONCE = 8
"""Rounds that are played at the same time, each by one thread of each process."""
PROCESSES = 4
THREADS = 8
GOAL = "Find out."


@dataclass(frozen=True)
class Round:
    """The names of one round."""

    race: str
    number: int

    @property
    def project(self) -> str:
        return f"{self.race} {self.number // AT_ONCE}"

    @property
    def task(self) -> str:
        return f"task {self.number}"

    @property
    def task_id(self) -> str:
        return derived(self.project, self.task)

    @property
    def heard(self) -> Heard:
        """The message that its decisions rest on."""
        return Heard(self.task, 1)

    @property
    def event_id(self) -> str:
        return derived("Event", self.task_id, 1)

    @property
    def policy(self) -> str:
        """The key of its document."""
        return f"policy of {self.race} {self.number}"

    @property
    def document_id(self) -> str:
        return named("Document", self.policy)

    @property
    def cited(self) -> Passage:
        return Passage(self.policy, POLICY, DAYS)

    def choice(self, name: str) -> str:
        """The key of a choice that only this round decides."""
        return f"{name} {self.number}"

    def decision(self, name: str, revision: int = 1) -> str:
        """The id of a decision of its task."""
        return derived("Decision", self.task_id, self.choice(name), revision)

    def stood(self, seed: Seed, name: str, *cited: Any, task: str | None = None) -> None:
        """A clear decision as we would have recorded it, with its side counted."""
        choice = self.choice(name)
        says = f"Conclusion of {choice}"
        side = derived("CtxStance", derived("CtxChoice", self.project, choice), digest(says))
        seed.decision(choice, *cited, task=task or self.task, ctx_version=1, ctx_stance=side)
        seed.counted(choice, says)


Act = Callable[[Work, Round, str | None], Any]
"""What a contender does. The text is the fingerprint of `days`, for who judges what was shown."""


@dataclass(frozen=True)
class Race:
    """Four parts that contenders take; with more contenders than parts, several take the same."""

    seed: Callable[[Seed, Round], None]
    parts: tuple[Act, Act, Act, Act]
    shown: bool = False
    """Whether contenders judge a page that they were shown."""


def _heard(seed: Seed, r: Round) -> None:
    seed.task(r.task, "Thirty days.", goal=GOAL)


def _on_a_document(seed: Seed, r: Round) -> None:
    _heard(seed, r)
    seed.document(r.policy, POLICY)
    r.stood(seed, "days", r.cited)
    r.stood(seed, "mail", r.decision("days"))


def _on_an_event(seed: Seed, r: Round) -> None:
    _heard(seed, r)
    r.stood(seed, "days", r.heard)
    r.stood(seed, "mail", r.decision("days"))


def _cited_elsewhere(seed: Seed, r: Round) -> None:
    _heard(seed, r)
    if r.number % AT_ONCE == 0:
        seed.task("keeper", goal=GOAL)
    r.stood(seed, "kept", r.heard, task="keeper")


def _supersede(w: Work, r: Round, seen: str | None) -> Any:
    return w.traces.supersede_decision(
        r.decision("days"), "Else.", "r", explanation="Changed.", **on(r.heard), seen=seen
    )


def _reject(w: Work, r: Round, seen: str | None) -> Any:
    return w.traces.reject_decision(r.decision("days"), "No.", seen=seen)


def _reaffirm(w: Work, r: Round, seen: str | None) -> Any:
    return w.traces.reaffirm_decision(r.decision("days"), **evidence(r.cited), seen=seen)


def _reaffirm_shown(w: Work, r: Round, seen: str | None) -> Any:
    return w.traces.reaffirm_decision(r.decision("days"), [], seen=seen)


def _reaffirm_blind(w: Work, r: Round, seen: str | None) -> Any:
    return w.traces.reaffirm_decision(r.decision("days"), [])


def _record(w: Work, r: Round, seen: str | None) -> Any:
    says = f"As {w.agent} says."
    return w.traces.record_decision(r.task, r.choice("days"), says, "r", **on(r.heard))


def _with_one_request_id(says: str) -> Act:
    """Everybody is the same agent and uses one request id, but not the same words."""

    def act(w: Work, r: Round, seen: str | None) -> Any:
        same = w.by("agent")
        request_id = f"only {r.number}"
        if r.number % 2:
            return same.traces.record_decision(
                r.task, r.choice("days"), says, "r", **on(r.heard), request_id=request_id
            )
        return same.history.record_event(
            r.task, EventKind.NOTE, payload=says, request_id=request_id
        )

    return act


def _redact(w: Work, r: Round, seen: str | None) -> Any:
    return w.retention.redact_event(r.event_id)


def _put(w: Work, r: Round, seen: str | None) -> Any:
    return w.documents.put_document(r.policy, f"{POLICY_15}\n\nBy {w.agent}.")


def _record_citer(w: Work, r: Round, seen: str | None) -> Any:
    choice = r.choice(f"citer of {w.agent},")
    return w.traces.record_decision(r.task, choice, "Yes.", "r", **on(r.cited))


def _record_dependent(w: Work, r: Round, seen: str | None) -> Any:
    choice = r.choice(f"dependent of {w.agent},")
    return w.traces.record_decision(r.task, choice, "Yes.", "r", **on(r.decision("days")))


def _delete(w: Work, r: Round, seen: str | None) -> Any:
    return w.retention.delete_task(r.task)


def _event(w: Work, r: Round, seen: str | None) -> Any:
    """Twice: the second time the writer knows the task, and sends its commit at once."""
    w.history.record_event(r.task, EventKind.NOTE, payload="First.")
    return w.history.record_event(r.task, EventKind.NOTE, payload="Second.")


def _create(w: Work, r: Round, seen: str | None) -> Any:
    return w.history.create_task(r.task, GOAL)


RACES: dict[str, Race] = {
    "verdicts": Race(_on_a_document, (_reaffirm, _supersede, _reject, _reject), shown=True),
    "choices": Race(_heard, (_record, _record, _record, _record)),
    "requests": Race(
        _heard,
        (
            _with_one_request_id("One."),
            _with_one_request_id("One."),
            _with_one_request_id("Other."),
            _with_one_request_id("Other."),
        ),
    ),
    "redactions": Race(
        _on_an_event, (_redact, _reaffirm_shown, _redact, _reaffirm_blind), shown=True
    ),
    "updates": Race(_on_a_document, (_put, _record_citer, _reaffirm, _record_dependent)),
    "deletions": Race(_cited_elsewhere, (_delete, _event, _event, _create)),
}
