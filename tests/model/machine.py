"""A state machine that drives every write on a real record and on the model, and compares."""

import os
from collections import Counter
from collections.abc import Mapping
from itertools import count
from typing import Any, ClassVar
from uuid import uuid4

from hypothesis import note, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.contract.standing import Standing
from tests.model.acting import Acting
from tests.model.calls import Call, Outcome, Seen, Spec
from tests.model.choosing import AGENTS, CHOICES, SAYS, STEPS, TASKS, Choosing, pick
from tests.model.reading import read
from tests.model.rules import Model
from tests.servers import RawGraph

LOOKS = 8
"""After how many calls everything is read back."""

some = strategies.integers(0, 9999)
few = strategies.lists(some, min_size=1, max_size=3)
seldom = strategies.sampled_from([False] * 11 + [True])


class Machine(Choosing, RuleBasedStateMachine):
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
        self.plans: list[tuple[Any, Seen]] = []
        self.asked = 0
        self.sound = True

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

    @rule(where=some, who=some, which=some, rid=some, page=some)
    def redact_event(self, where: int, who: int, which: int, rid: int, page: int) -> None:
        project = self.project(where)
        tasks = [t for t in self.model.tasks.values() if t.project == project or which % 47 == 0]
        events = [e.id for t in tasks for e in t.events]
        event_id = pick(events or ["nothing"], which)
        seen = self.redaction(project, event_id, page) if events else None
        self.call("redact_event", project, who, {"event_id": event_id}, self.request_id(rid), seen)

    @rule(where=some, who=some, which=some, rid=some, page=some, really=seldom)
    def delete_task(
        self, where: int, who: int, which: int, rid: int, page: int, *, really: bool
    ) -> None:
        project = self.project(where)
        if really:
            name, whole = self.task(project, which), which // 3 % 2 == 0
            seen = self.deletion(project, name, page, whole=whole)
            args = {"name": name, "whole": whole}
            self.call("delete_task", project, who, args, self.request_id(rid), seen)
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
