"""A state machine that drives every write on a real record and on the model, and compares."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, ClassVar
from uuid import uuid4

from hypothesis import note, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.contract.standing import Standing
from tests.model.acting import Acting
from tests.model.calls import Call, Outcome, Seen, Spec
from tests.model.reading import read
from tests.model.rules import Model
from tests.model.state import Decision
from tests.servers import RawGraph

TASKS = ("collect", "compare", "decide")
CHOICES = ("days", "mail", "scope")
SAYS = ("Yes.", "No.", "No. ", "It depends.")
STEPS = ("read", "count")
AGENTS = ("ada", "bob")
LOOKS = 8
"""After how many calls everything is read back."""

some = strategies.integers(0, 9999)
few = strategies.lists(some, min_size=1, max_size=3)
seldom = strategies.sampled_from([False] * 11 + [True])


def pick[T](found: Sequence[T], number: int) -> T:
    """One of them."""
    return found[number % len(found)]


class Machine(RuleBasedStateMachine):
    """Numbers choose among what the model knows to be there, so that most calls mean something."""

    acting: ClassVar[Acting]
    raw: ClassVar[RawGraph]
    steps: ClassVar[int] = 0
    answers: ClassVar[Counter[tuple[str, str | None]]] = Counter()
    examples: ClassVar[Any] = count()
    run: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.name = f"{self.run} {next(Machine.examples)}"
        self.projects = [f"{self.name} a", f"{self.name} b"]
        self.keys = [f"{self.name} policy", f"{self.name} handbook"]
        self.calls: list[Call] = []
        self.pages: list[tuple[str, Seen]] = []
        self.plans: list[tuple[str, str, str | None, Seen]] = []
        self.asked = 0
        self.sound = True

    # Choosing

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
        kept = [s for p, k, t, s in self.plans if (p, k, t) == (project, key, text)]
        if number % 3 == 0 and kept:
            return pick(kept, number // 3)
        if number % 4 == 0:
            picture = self.model.put_picture(project, key, text)
            seen = Seen(self.acting.plan(project, key, text), picture)
            self.plans.append((project, key, text, seen))
            return seen
        return None

    # Comparing

    def call(
        self,
        op: str,
        project: str,
        who: int,
        args: Mapping[str, Any],
        request_id: str | None = None,
        seen: Seen | None = None,
    ) -> None:
        self.make(Call(op, project, pick(AGENTS, who), args, request_id, seen))

    def make(self, call: Call) -> None:
        """The same call on both: they must answer alike, and now and then all must be alike."""
        self.sound = False
        actual, verdict = self.acting.do(call)
        expected = self.model.do(call, lambda: verdict)
        note(f"{call}\n  -> {actual}")
        assert actual == expected, f"{call}: {actual}, and by the rules {expected}"
        if isinstance(call.request_id, str):
            self.calls.append(call)
        self.sound = True
        Machine.steps += 1
        Machine.answers[call.op, actual.error] += 1
        self.asked += 1
        if self.asked % LOOKS == 0:
            self.look()

    def look(self) -> None:
        """Everything as readers find it must be as the model has it."""
        self.sound = False
        for project in self.projects:
            actual, expected = (
                self.acting.read(project, self.keys),
                read(self.model, project, self.keys),
            )
            for part, value in expected.items():
                assert actual[part] == value, (project, part, *_differences(actual[part], value))
        self.sound = True

    def teardown(self) -> None:
        """At the end also what no reader sees must hold, unless a call failed already."""
        if self.sound:
            self.look()
            broken = Standing(self.raw, self.name).broken()
            assert [line for line in broken if "epoch" not in line] == []

    # The calls

    @initialize(number=some)
    def begin(self, number: int) -> None:
        """Two tasks and two documents, and a decision that others rest on."""
        a, b = self.projects
        for project, name in ((a, TASKS[0]), (a, TASKS[1]), (b, TASKS[0])):
            self.call("create_task", project, 0, {"task_name": name, "goal": "Find out."})
            payloads = ["Thirty days.", "By mail."]
            self.call("record_events", project, 0, {"task_name": name, "payloads": payloads})
        for k, key in enumerate(self.keys):
            self.call("put_document", a, 0, {"document_key": key, "text": self.text(number + k)})
        read = [self.passage(self.keys[0], 1)]
        args = {"task_name": TASKS[0], "choice_key": "days 0", "says": "Yes.", "supports": read}
        self.call("record_decision", a, 0, args)
        self.call("record_decision", b, 0, args)
        on = [Spec("decision", self.decisions(a, active=True)[0].id), Spec("event", TASKS[1], 1)]
        args = {"task_name": TASKS[1], "choice_key": "mail 0", "says": "No.", "supports": on}
        self.call("record_decision", a, 1, args)

    @rule(where=some, who=some, which=some, rid=some)
    def create_task(self, where: int, who: int, which: int, rid: int) -> None:
        args = {
            "task_name": self.odd(pick(TASKS, which), which),
            "goal": "Find out." if which % 5 else "Something else.",
        }
        self.call("create_task", self.project(where), who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, rid=some)
    def record_event(self, where: int, who: int, which: int, rid: int) -> None:
        payload = f"Said {which}." if which % 29 else "long " * 7000
        project = self.project(where)
        args = {"task_name": self.odd(self.task(project, which), which), "payload": payload}
        self.call("record_event", project, who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, rid=some)
    def record_events(self, where: int, who: int, which: int, rid: int) -> None:
        many = 101 if which % 37 == 0 else which // 3 % 4
        payloads = [f"Heard {which}, {k}" + "\0" * (which % 43 == 0) for k in range(many)]
        project = self.project(where)
        args = {"task_name": self.task(project, which), "payloads": payloads}
        self.call("record_events", project, who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, state=some, cited=few, rid=some)
    def set_step(
        self, where: int, who: int, which: int, state: int, cited: list[int], rid: int
    ) -> None:
        project = self.project(where)
        states = ("not_started", "in_progress", "completed", "completed", "failed", "unknown")
        args = {
            "task_name": self.task(project, which),
            "name": self.odd(pick(STEPS, which // 3), which),
            "state": pick(states, state),
            "kind": pick(("read", "analysis", "other"), state // 6),
            "basis": pick(("supported", "supported", "independent", "unknown"), state // 18),
            "result": (None, 1, 2, 3, 99)[state // 72 % 5],
            "supports": self.specs(project, cited),
        }
        self.call("set_step", project, who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, rid=some)
    def resume_task(self, where: int, who: int, which: int, rid: int) -> None:
        project = self.project(where)
        args = {"task_name": self.task(project, which)}
        self.call("resume_task", project, who, args, self.request_id(rid))

    def _record(self, where: int, who: int, which: int, cited: list[int], rid: int) -> None:
        project = self.project(where)
        args = {
            "task_name": self.task(project, which),
            "choice_key": self.odd(f"{pick(CHOICES, which // 3)} {which // 9 % 3}", which),
            "says": pick(SAYS, which // 27),
            "supports": self.specs(project, cited),
        }
        self.call("record_decision", project, who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, cited=few, rid=some)
    def record_decision(self, where: int, who: int, which: int, cited: list[int], rid: int) -> None:
        self._record(where, who, which, cited, rid)

    @rule(where=some, who=some, which=some, cited=few, rid=some)
    def record_another(self, where: int, who: int, which: int, cited: list[int], rid: int) -> None:
        self._record(where, who, which, cited, rid)

    @rule(where=some, who=some, which=some, cited=few, rid=some, page=some)
    def supersede(
        self, where: int, who: int, which: int, cited: list[int], rid: int, page: int
    ) -> None:
        project = self.project(where)
        target = self.target(project, which)
        args = {
            "decision_id": target,
            "says": pick(SAYS, which),
            "explanation": " " if which % 31 == 0 else "Changed.",
            "supports": self.specs(project, cited),
        }
        seen = self.shown(target, page)
        self.call("supersede", project, who, args, self.request_id(rid), seen)

    @rule(where=some, who=some, which=some, rid=some, page=some)
    def reject(self, where: int, who: int, which: int, rid: int, page: int) -> None:
        project = self.project(where)
        target = self.target(project, which)
        args = {"decision_id": target, "reason": "No." if which % 23 else ""}
        seen = self.shown(target, page)
        self.call("reject", project, who, args, self.request_id(rid), seen)

    def _reaffirm(self, where: int, who: int, which: int, cited: int, rid: int, page: int) -> None:
        project = self.project(where)
        flagged = [d.id for d in self.decisions(project, active=True) if d.flagged]
        target = pick(flagged, which) if flagged and which % 4 else self.target(project, which)
        args = {
            "decision_id": target,
            "evidence": self.evidence(target, cited),
            "explanation": "Still so.",
        }
        seen = self.shown(target, page)
        self.call("reaffirm", project, who, args, self.request_id(rid), seen)

    @rule(where=some, who=some, which=some, cited=some, rid=some, page=some)
    def reaffirm(self, where: int, who: int, which: int, cited: int, rid: int, page: int) -> None:
        self._reaffirm(where, who, which, cited, rid, page)

    @rule(where=some, who=some, which=some, cited=some, rid=some, page=some)
    def reaffirm_another(
        self, where: int, who: int, which: int, cited: int, rid: int, page: int
    ) -> None:
        self._reaffirm(where, who, which, cited, rid, page)

    @rule(where=some, who=some, which=some, rid=some, page=some)
    def ask(self, where: int, who: int, which: int, rid: int, page: int) -> None:
        project = self.project(where)
        target = self.target(project, which)
        args = {"decision_id": target, "reason": "\t" if which % 31 == 0 else "Really?"}
        self.call("ask", project, who, args, self.request_id(rid), self.shown(target, page))

    def _withdraw(self, where: int, who: int, which: int, rid: int) -> None:
        project = self.project(where)
        given = [v for v in self.model.verdicts.values() if v.project == project]
        if not given:
            return self.ask(where, who, which, rid, rid)
        latest = [v.id for v in given if not v.withdrawn][-3:]
        found = latest if which % 5 else [*self.model.verdicts]
        args = {
            "verdict_id": pick([*found, *(["nothing"] if which % 37 == 0 else [])] or [""], which),
            "explanation": "A slip." if which % 31 else "",
        }
        return self.call("withdraw", project, who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, rid=some)
    def withdraw(self, where: int, who: int, which: int, rid: int) -> None:
        self._withdraw(where, who, which, rid)

    @rule(where=some, who=some, which=some, rid=some)
    def withdraw_another(self, where: int, who: int, which: int, rid: int) -> None:
        self._withdraw(where, who, which, rid)

    @rule(where=some, who=some, limit=strategies.sampled_from([0, 1, 2, 100, 100]))
    def continue_review(self, where: int, who: int, limit: int) -> None:
        self.call("continue_review", self.project(where), who, {"limit": limit})

    @rule(where=some, who=some, which=some, rid=some, page=some)
    def put_document(self, where: int, who: int, which: int, rid: int, page: int) -> None:
        project, key = self.project(where), pick(self.keys, which)
        text = " \n" if which % 43 == 0 else self.text(which // 2)
        seen = self.planned(project, key, text, page) if text.strip() else None
        args = {"document_key": key, "text": text}
        self.call("put_document", project, who, args, self.request_id(rid), seen)

    @rule(where=some, who=some, which=some, rid=some, page=some, really=seldom)
    def remove_document(
        self, where: int, who: int, which: int, rid: int, page: int, *, really: bool
    ) -> None:
        project, key = self.project(where), pick(self.keys, which)
        if really:
            seen = self.planned(project, key, None, page)
            self.call(
                "remove_document", project, who, {"document_key": key}, self.request_id(rid), seen
            )
        else:
            op = "grant_document" if which // 2 % 2 else "revoke_document"
            self.call(op, project, who, {"document_key": key}, self.request_id(rid))

    @rule(where=some, who=some, which=some, rid=some)
    def redact_event(self, where: int, who: int, which: int, rid: int) -> None:
        project = self.project(where)
        tasks = [t for t in self.model.tasks.values() if t.project == project or which % 47 == 0]
        events = [e.id for t in tasks for e in t.events]
        args = {"event_id": pick(events or ["nothing"], which)}
        self.call("redact_event", project, who, args, self.request_id(rid))

    @rule(where=some, who=some, which=some, rid=some, really=seldom)
    def delete_task(self, where: int, who: int, which: int, rid: int, *, really: bool) -> None:
        project = self.project(where)
        if really:
            args = {"name": self.task(project, which), "whole": which // 3 % 2 == 0}
            self.call("delete_task", project, who, args, self.request_id(rid))
        else:
            self.call("continue_review", project, who, {"limit": 100})

    def _repeat(self, which: int, change: int) -> None:
        if not self.calls:
            self.call("continue_review", self.projects[0], 0, {"limit": 100})
            return
        call = pick(self.calls, which)
        agent = pick(AGENTS, change) if change % 5 == 0 else call.agent
        self.make(Call(call.op, call.project, agent, call.args, call.request_id, call.seen))

    @rule(which=some, change=some)
    def repeat(self, which: int, change: int) -> None:
        """A retry: the same call again, sometimes by another agent."""
        self._repeat(which, change)

    @rule(which=some, change=some)
    def repeat_another(self, which: int, change: int) -> None:
        self._repeat(which, change)


def _differences(actual: Any, expected: Any) -> list[Any]:
    """What differs, key by key where there are keys."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        keys = [k for k in {**actual, **expected} if actual.get(k) != expected.get(k)]
        return [(k, "is", actual.get(k), "and by the rules", expected.get(k)) for k in keys]
    return ["is", actual, "and by the rules", expected]


def bound(acting: Acting, raw: RawGraph) -> type[Machine]:
    """The machine on one graph, under names that no other run has."""
    name = f"model {os.getpid()} {uuid4().hex[:6]}"
    return type("Bound", (Machine,), {"acting": acting, "raw": raw, "run": name})


__all__ = ["Machine", "Outcome", "bound"]
