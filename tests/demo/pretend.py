"""A small model of the record, enough to play the demo's script without a graph.

It knows the rules that the content must keep (a quote stands in the current
version, a verdict is possible when it is given) and who is flagged in the end.
"""

from dataclasses import dataclass, field

from graphstore.records import StepResultBasis, StepState
from reviewconsole.demo.library import find_quote, text_of
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
    Resume,
    SetStep,
    Supersede,
    events_of,
)

LONGEST_PAYLOAD = 32_000


@dataclass
class PretendSupport:
    kind: str
    ref: str
    quote: str = ""
    version: int = 0
    span: tuple[int, int] = (0, 0)
    decision: "PretendDecision | None" = None


@dataclass
class PretendDecision:
    name: str
    revision: int
    project: str
    task: str
    key: str
    author: str
    conclusion: str
    supports: list[PretendSupport]
    status: str = "active"
    reason: str = ""
    parents: list["PretendDecision"] = field(default_factory=list)
    reaffirmed: int = 0

    @property
    def documents(self) -> set[str]:
        return {support.ref for support in self.supports if support.kind == "document"}


@dataclass
class PretendStep:
    set: SetStep
    supports: list[PretendSupport]


class Impossible(AssertionError):
    """The script asks for what the record would refuse."""


class PretendRecord:
    """What the record holds after some entries of the script."""

    def __init__(self) -> None:
        self.current: dict[str, int | None] = {}
        self.tasks: dict[str, OpenTask] = {}
        self.task_names: set[tuple[str, str]] = set()
        self.decisions: list[PretendDecision] = []
        self.latest: dict[str, PretendDecision] = {}
        self.events: dict[str, str] = {}
        self.redacted: set[str] = set()
        self.cut: set[str] = set()
        self.steps: dict[tuple[str, str], PretendStep] = {}
        self.event_count = 0

    def play(self, entry: Entry) -> None:
        match entry.step:
            case Put() | Remove() | Redact() as step:
                self._change_source(step)
            case OpenTask() | Resume() | Happening() as step:
                self._log(entry, step)
            case SetStep() as step:
                self._set_step(entry, step)
            case Decide() as step:
                self._decide(entry, step)
            case Supersede() as step:
                self._supersede(entry, step)
            case Reject() as step:
                decision = self._active(step.id)
                decision.status, decision.reason = "rejected", ""
                self._spread([decision])
            case Reaffirm() as step:
                for name in step.ids:
                    self._reaffirm(name, step.passages)
            case _:
                raise TypeError(entry)

    def _change_source(self, step: Put | Remove | Redact) -> None:
        match step:
            case Put():
                expected = (self.current.get(step.document) or 0) + 1
                _expect(step.version == expected, f"{step.document} skips a version")
                self.current[step.document] = step.version
                self._flag_citers("document", step.document, "source_changed")
            case Remove():
                self.current[step.document] = None
                self._flag_citers("document", step.document, "source_removed")
            case Redact():
                _expect(step.event in self.events, f"no event {step.event}")
                self.redacted.add(step.event)
                self._flag_citers("event", step.event, "source_removed")

    def _log(self, entry: Entry, step: OpenTask | Resume | Happening) -> None:
        match step:
            case OpenTask():
                _expect(step.id not in self.tasks, f"task {step.id} twice")
                _expect((entry.project, step.name) not in self.task_names, f"{step.name} twice")
                self.tasks[step.id] = step
                self.task_names.add((entry.project, step.name))
            case Resume():
                _expect(step.id in self.tasks, f"no task {step.id} yet")
            case Happening():
                logged = events_of(step)
                self.event_count += len(logged)
                if step.id and len(logged[-1].payload) > LONGEST_PAYLOAD:
                    self.cut.add(step.id)
                if step.id:
                    _expect(step.id not in self.events, f"event {step.id} twice")
                    self.events[step.id] = entry.project

    def _set_step(self, entry: Entry, step: SetStep) -> None:
        completed = step.state is StepState.COMPLETED
        _expect(completed or not step.supports, f"{step.name}: supports and not completed")
        _expect(not completed or bool(step.result), f"{step.name}: completed without a result")
        if step.result:
            _expect(self.events.get(step.result) == entry.project, f"{step.name}: no such event")
            _expect(not completed or step.result not in self.cut, f"{step.name}: result is cut")
        for cited in step.supports:
            if isinstance(cited, CitedDecision):
                self._active(cited.decision)
        name = (entry.task or "", step.name)
        _expect(not completed or name not in self.steps, f"{step.name}: completed twice")
        self.steps[name] = PretendStep(step, [self._support(cited) for cited in step.supports])

    def validity(self, step: PretendStep) -> str:
        """What the result of a completed step is worth in the end."""
        if step.set.result in self.redacted:
            return "unavailable"
        worth = [self._worth(support) for support in step.supports]
        blocked = [one for one in worth if one != "reusable"]
        if blocked or step.set.basis is not StepResultBasis.UNKNOWN:
            return blocked[0] if blocked else "reusable"
        return "unknown"

    def _worth(self, support: PretendSupport) -> str:
        match support.kind:
            case "document" if self.current[support.ref] is None:
                return "unavailable"
            case "document" if self.current[support.ref] != support.version:
                return "needs_review"
            case "event" if support.ref in self.redacted:
                return "unavailable"
            case "decision" if support.decision is not None:
                clear = support.decision.status == "active" and not support.decision.reason
                return "reusable" if clear else "needs_review"
            case _:
                return "reusable"

    def flagged(self, *reasons: str) -> list[PretendDecision]:
        return [
            decision
            for decision in self.decisions
            if decision.status == "active"
            and decision.reason
            and (not reasons or decision.reason in reasons)
        ]

    def _decide(self, entry: Entry, step: Decide) -> None:
        _expect(step.id not in self.latest, f"decision {step.id} twice")
        _expect(
            not any(d.task == entry.task and d.key == step.key for d in self.decisions),
            f"{step.id}: the task has a decision on {step.key}",
        )
        author = step.by or self.tasks[entry.task or ""].agent
        self._record(entry, step, author, None)

    def _supersede(self, entry: Entry, step: Supersede) -> None:
        before = self._active(step.id)
        _expect(bool(step.explanation.strip()), "no explanation")
        _expect(
            all(not isinstance(c, CitedDecision) or c.decision != step.id for c in step.supports),
            f"{step.id} cites itself",
        )
        _expect(step.by is not None, f"{step.id}: superseded by nobody")
        self._record(entry, step, str(step.by), before)
        before.status, before.reason = "superseded", ""
        self._spread([before])

    def _record(
        self, entry: Entry, step: Decide | Supersede, author: str, before: PretendDecision | None
    ) -> None:
        _expect(1 <= len(step.supports) <= 20, f"{step.id}: supports")
        parents = [self._active(c.decision) for c in step.supports if isinstance(c, CitedDecision)]
        _expect(all(p.project == entry.project for p in parents), f"{step.id}: other project")
        supports = [self._support(cited) for cited in step.supports]
        stale = any(s.kind == "document" and s.version != self.current[s.ref] for s in supports)
        unclear = any(parent.reason for parent in parents)
        decision = PretendDecision(
            name=step.id,
            revision=before.revision + 1 if before else 1,
            project=entry.project,
            task=before.task if before else entry.task or "",
            key=before.key if before else step.key if isinstance(step, Decide) else "",
            author=author,
            conclusion=step.conclusion.strip(),
            supports=supports,
            reason="source_changed_during_recording"
            if stale
            else "dependency_review"
            if unclear
            else "",
            parents=parents,
        )
        self.decisions.append(decision)
        self.latest[step.id] = decision

    def _support(self, cited: Cited) -> PretendSupport:
        match cited:
            case Quote():
                version = cited.version or self.current.get(cited.document)
                _expect(version is not None, f"{cited.document} is not there")
                span = find_quote(cited.quote, text_of(cited.document, version or 0))
                return PretendSupport("document", cited.document, cited.quote, version or 0, span)
            case CitedEvent():
                _expect(cited.event in self.events, f"no event {cited.event} yet")
                _expect(cited.event not in self.redacted, f"{cited.event} is redacted")
                return PretendSupport("event", cited.event)
            case CitedDecision():
                latest = self.latest.get(cited.decision)
                return PretendSupport("decision", cited.decision, decision=latest)

    def _reaffirm(self, name: str, passages: list[Quote]) -> None:
        decision = self._active(name)
        for parent in decision.parents:
            _expect(parent.status == "active", f"{name}: parent {parent.name} {parent.status}")
            _expect(not parent.reason, f"{name}: parent {parent.name} is flagged")
        chosen = {quote.document: quote for quote in passages}
        for support in decision.supports:
            if support.kind == "event":
                _expect(support.ref not in self.redacted, f"{name}: {support.ref} redacted")
            if support.kind == "document":
                version = self.current[support.ref]
                _expect(version is not None, f"{name}: {support.ref} is removed")
                quote = chosen[support.ref].quote if support.ref in chosen else support.quote
                support.span = find_quote(quote, text_of(support.ref, version or 0))
                support.quote, support.version = quote, version or 0
        decision.reason = ""
        decision.reaffirmed += 1

    def _active(self, name: str) -> PretendDecision:
        _expect(name in self.latest, f"no decision {name} yet")
        decision = self.latest[name]
        _expect(decision.status == "active", f"{name} is {decision.status}")
        return decision

    def _flag_citers(self, kind: str, ref: str, reason: str) -> None:
        hit = [
            decision
            for decision in self.decisions
            if decision.status == "active"
            and any(s.kind == kind and s.ref == ref for s in decision.supports)
        ]
        for decision in hit:
            decision.reason = reason
        self._spread(hit)

    def _spread(self, roots: list[PretendDecision]) -> None:
        waiting = list(roots)
        while waiting:
            parent = waiting.pop()
            for child in self.decisions:
                if child.status == "active" and not child.reason and parent in child.parents:
                    child.reason = "dependency_review"
                    waiting.append(child)


def _expect(holds: bool, sentence: str) -> None:
    if not holds:
        raise Impossible(sentence)
