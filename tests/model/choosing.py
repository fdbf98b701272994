"""What a call could be about: numbers choose among what the model knows to be there."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar
from uuid import uuid4

from tests.model.acting import Acting
from tests.model.calls import Call, Seen, Spec
from tests.model.rules import Model
from tests.model.state import Decision

TASKS = ("collect", "compare", "decide")
CHOICES = ("days", "mail", "scope")
SAYS = ("Yes.", "No.", "No. ", "It depends.")
STEPS = ("read", "count")
AGENTS = ("ada", "bob")


def pick[T](found: Sequence[T], number: int) -> T:
    """One of them."""
    return found[number % len(found)]


class Choosing:
    """One example's names, and what was called and shown in it."""

    acting: ClassVar[Acting]
    model: Model
    projects: list[str]
    keys: list[str]
    calls: list[Call]
    pages: list[tuple[str, Seen]]
    plans: list[tuple[Any, Seen]]

    def project(self, number: int) -> str:
        return self.projects[number % 7 == 0]

    def text(self, number: int) -> str:
        """One of four versions, so that an earlier one comes back now and then."""
        days = number % 4 + 1
        return (
            f"Refunds are paid within {days * 10} days, never later, whoever asks for them. v{days}"
        )

    def task(self, project: str, number: int) -> str:
        """A task, usually one that is there."""
        there = [t.name for t in self.model.tasks.values() if t.project == project]
        return pick(there if there and number % 11 else TASKS, number)

    def decisions(self, project: str, *, active: bool) -> list[Decision]:
        found = [d for d in self.model.decisions.values() if d.project == project]
        return [d for d in found if d.active] if active else found

    def target(self, project: str, number: int) -> str:
        """A decision, usually an active one, seldom one of nowhere."""
        found = self.decisions(project, active=number % 4 > 0)
        if not found or number % 41 == 0:
            return pick([*self.model.decisions, str(uuid4()), ""], number // 4)
        return pick(found, number // 4).id

    def spec(self, project: str, number: int) -> Spec:
        """A support, usually one that can be cited."""
        kind, which = number % 5, number // 5
        if number % 83 == 0:
            return Spec("malformed")
        if kind < 2:
            return self.passage(pick(self.keys, which), which)
        tasks = [t for t in self.model.tasks.values() if t.project == project and t.events]
        decisions = self.decisions(project, active=which % 13 > 0)
        if kind < 4 and decisions:
            return Spec("decision", pick(decisions, which).id)
        if tasks and which % 17:
            task = pick(tasks, which)
            return Spec("event", task.name, pick(task.events, which // 3).seq)
        return Spec("event", pick(TASKS, which), which % 5)

    def passage(self, key: str, number: int) -> Spec:
        """A passage of a document, usually of the version that is current."""
        document = self.model.documents.get(key)
        texts = document.texts if document else [self.text(number)]
        seq = len(texts) if number % 6 else number // 6 % len(texts) + 1
        text = texts[seq - 1] or self.text(number)
        how = {3: "unread", 4: "forged"}.get(number % 31, "read")
        return Spec("document", key, seq, text, how)

    def specs(self, project: str, numbers: Sequence[int]) -> list[Spec]:
        found = {
            s[:2] if s.kind == "document" else s: s
            for s in (self.spec(project, n) for n in numbers)
        }
        many = 21 if numbers[0] % 97 == 0 else 1
        return [] if numbers[0] % 61 == 0 else [*found.values()] * many

    def evidence(self, decision_id: str, number: int) -> list[Spec]:
        """Usually current passages of exactly what the decision cites."""
        d = self.model.decisions.get(decision_id)
        cited = {s.ref for s in d.current if s.kind == "document"} if d else set[str]()
        keys = sorted(cited) if number % 9 else self.keys
        return [self.passage(key, number // 9) for key in keys]

    def request_id(self, number: int) -> str | None:
        """Mostly none, then a new one, an old one, or one that is no id."""
        kind = number % 20
        if kind < 10:
            return None
        used = [call.request_id for call in self.calls if call.request_id]
        if kind == 18 and used:
            return pick(used, number // 20)
        if kind == 19:
            return pick(["", "x" * 65, " padded", "a\x01b", "n\0l"], number // 20)
        return f"request {len(self.calls)}"

    def odd(self, name: str, number: int) -> str:
        """A name, seldom one that cannot be a key."""
        odd = ["", " padded", "x" * 1001, "é" * 600, "nul\0", "lone\ud800"]
        return pick(odd, number // 70) if number % 70 == 0 else name

    def shown(self, decision_id: str, number: int) -> Seen | None:
        """Nothing, the page as it is, or the page as it was."""
        kept = [seen for identity, seen in self.pages if identity == decision_id]
        if number % 3 == 0 and kept:
            return pick(kept, number // 3)
        if number % 5 == 0 and decision_id in self.model.decisions:
            return self.look_at(decision_id)
        return None

    def look_at(self, decision_id: str) -> Seen:
        d = self.model.decisions[decision_id]
        seen = Seen(self.acting.page(d.project, d.id), self.model.picture(d.id))
        self.pages.append((d.id, seen))
        return seen

    def planned(self, project: str, key: str, text: str | None, number: int) -> Seen | None:
        """Nothing, or a plan of this very version, of now or of earlier."""
        return self.plan(
            (project, key, text),
            number,
            lambda: Seen(
                self.acting.plan(project, key, text),
                self.model.put_picture(project, key, text),
            ),
        )

    def redaction(self, project: str, event_id: str, number: int) -> Seen | None:
        """Nothing, or a plan of this redaction, of now or of earlier."""
        return self.plan(
            (project, event_id),
            number,
            lambda: Seen(
                self.acting.plan_redaction(project, event_id),
                self.model.redaction_picture(event_id),
            ),
        )

    def deletion(self, project: str, name: str, number: int, *, whole: bool) -> Seen | None:
        """Nothing, or a plan of this deletion, of now or of earlier."""
        return self.plan(
            (project, name, whole),
            number,
            lambda: Seen(
                self.acting.plan_deletion(project, name, whole=whole),
                self.model.deletion_picture(project, name, whole=whole),
            ),
        )

    def plan(self, of: Any, number: int, look: Callable[[], Seen]) -> Seen | None:
        kept = [seen for what, seen in self.plans if what == of]
        if number % 3 == 0 and kept:
            return pick(kept, number // 3)
        if number % 4 == 0:
            self.plans.append((of, look()))
            return self.plans[-1][1]
        return None
