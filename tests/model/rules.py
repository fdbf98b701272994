"""The rules of history, documents and retention on plain values. Decisions are in `judgement`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.contract.seeding import derived
from tests.model.calls import Call, Outcome, Spec
from tests.model.state import Decision, Document, Request, Step, Support, Task
from tests.model.undoing import Undoing

KEYS = {"create_task": "task_name", "record_decision": "choice_key", "set_step": "name"}
LONG_NAMES = ("task_name", "choice_key", "document_key")


class Model(Undoing):
    """Everything recorded so far, and what the next call does to it."""

    def do(self, call: Call, minted: Callable[[], str]) -> Outcome:
        """What the call must answer; the state is afterwards as it must be.

        `minted` gives the id of the verdict that the real call wrote, which nobody can know.
        """
        if early := self._early(call):
            return Outcome(early)
        if error := _invalid(call):
            return Outcome(error)
        if call.op == "put_document" and not call.args["text"].strip():
            return Outcome("document_empty")
        if call.op == "record_events" and len(call.args["payloads"]) > 100:
            return Outcome("too_many_events")
        arguments = _covered(call)
        key = (call.project, call.request_id or "")
        used = self.requests.get(key) if call.request_id else None
        if used is not None:
            same = (used.operation, used.arguments) == (call.op, arguments)
            if not same or used.author != call.agent:
                return Outcome("request_id_reused")
            return Outcome("task_not_found") if used.emptied else used.outcome
        self.minted = minted
        outcome, task_id = getattr(self, call.op)(call, **call.args)
        if outcome.error is None and call.request_id and call.op != "continue_review":
            self.requests[key] = Request(call.op, arguments, call.agent, outcome, task_id)
        return outcome

    @staticmethod
    def _early(call: Call) -> str | None:
        """What is refused before anything else is looked at."""
        if call.op == "record_decision" and not call.args["supports"]:
            return "support_required"
        named = {"supersede": "explanation", "ask": "reason", "withdraw": "explanation"}
        if call.op in named and not call.args[named[call.op]].strip():
            return "explanation_required"
        return None

    # History

    def create_task(self, call: Call, task_name: str, goal: str) -> tuple[Outcome, str | None]:
        place = (call.project, task_name)
        task = self.tasks.get(place)
        if task is None:
            lives = self.lives.get(place)
            life = () if lives is None else (lives + 1,)
            task = Task(derived(*place, *life), call.project, task_name, goal)
            self.tasks[place] = task
            self.projects.setdefault(call.project, False)
        elif task.goal != goal:
            return Outcome("task_exists"), None
        return Outcome(None, {"task": task.id}), task.id

    def record_event(self, call: Call, task_name: str, payload: str) -> tuple[Outcome, str | None]:
        return self.record_events(call, task_name, [payload])

    def record_events(
        self, call: Call, task_name: str, payloads: Sequence[str]
    ) -> tuple[Outcome, str | None]:
        task = self.tasks.get((call.project, task_name))
        if task is None:
            return Outcome("task_not_found"), None
        events = [self.append(task, payload, call.agent) for payload in payloads]
        return Outcome(None, {"events": [(e.id, e.seq) for e in events]}), task.id

    def set_step(
        self,
        call: Call,
        task_name: str,
        name: str,
        state: str,
        kind: str,
        basis: str,
        result: int | None,
        supports: Sequence[Spec],
    ) -> tuple[Outcome, str | None]:
        task = self.tasks.get((call.project, task_name))
        if task is None:
            return Outcome("task_not_found"), None
        kept: list[Support] = []
        if state == "completed" and basis == "supported":
            if not supports:
                return Outcome("support_required"), None
            cited = self.cite(call.project, supports)
            if isinstance(cited, str) or cited.changed:
                return Outcome("support_invalid"), None
            kept = cited.supports
        if result is not None:
            found = [e for e in task.events if e.seq == result]
            if not found:
                return Outcome("event_not_found"), None
            if state == "completed" and (found[0].redacted or found[0].truncated):
                return Outcome("support_invalid"), None
        updated = max(len(task.events), result or 0)
        task.steps[name] = Step(state, kind, basis, result, kept, updated, call.agent)
        return Outcome(None, {"step": (name, state)}), task.id

    def resume_task(self, call: Call, task_name: str) -> tuple[Outcome, str | None]:
        task = self.tasks.get((call.project, task_name))
        if task is None:
            return Outcome("task_not_found"), None
        running = [name for name, step in task.steps.items() if step.state == "in_progress"]
        recheck = [
            name
            for name, step in task.steps.items()
            if step.state == "completed" and self.validity(task, step) != "reusable"
        ]
        for name in running:
            task.steps[name].state = "unknown"
            task.steps[name].updated = len(task.events)
            task.steps[name].author = call.agent
        to_do = [name for name, step in task.steps.items() if step.state != "completed"]
        facts = {"marked": sorted(running), "to_do": sorted(to_do), "recheck": sorted(recheck)}
        return Outcome(None, facts), task.id

    def validity(self, task: Task, step: Step) -> str | None:
        """Whether a completed step's result may be used again; None of any other step."""
        if step.state != "completed":
            return None
        found = [e for e in task.events if e.seq == step.result]
        if not found or found[0].redacted or found[0].truncated:
            return "unavailable"
        if step.basis == "independent":
            return "reusable"
        if step.basis != "supported":
            return "unknown"
        if not step.supports:
            return "unavailable"
        found = (self._usable(task.project, s) for s in step.supports)
        return next((bad for bad in found if bad), "reusable")

    def _usable(self, project: str, s: Support) -> str | None:
        if s.kind == "document":
            document = self.documents[s.ref]
            if document.text is None:
                return "unavailable"
            return "needs_review" if document.seq != s.seq else None
        if s.kind == "event":
            event = self.event(s.ref)
            bad = event is None or event.redacted or event.truncated
            return "unavailable" if bad else None
        cited = self.decisions.get(s.ref)
        if cited is None:
            return "unavailable"
        return None if cited.clear and not self.projects[project] else "needs_review"

    # Documents

    def put_document(
        self, call: Call, document_key: str, text: str | None, title: str | None = None
    ) -> tuple[Outcome, str | None]:
        document = self.documents.get(document_key)
        if document is None and text is None:
            return Outcome("document_not_found"), None
        if moved := self.moved(call, self.put_picture(call.project, document_key, text)):
            return moved, None
        if document is None:
            document = self.documents[document_key] = Document(document_key)
        elif document.text == text:
            changed = title is not None and title != document.title
            document.title = title if changed else document.title
            return Outcome(None, {"flagged": 0, "unchanged": not changed}), None
        document.texts.append(text)
        document.title = title or document.title
        reason = "source_removed" if text is None else "source_changed"
        citers = self._citers("document", document_key)
        own = self._flag_citers(citers, reason, document.cause, f"document:{document.id}:")
        mine = [i for i in own if self.decisions[i].project == call.project]
        return Outcome(None, {"flagged": len(mine), "unchanged": False}), None

    def remove_document(self, call: Call, document_key: str) -> tuple[Outcome, str | None]:
        return self.put_document(call, document_key, None)

    def put_picture(self, project: str, key: str, text: str | None) -> dict[str, Any]:
        """What a plan of a new version shows: the version now, and whom it would flag here."""
        document = self.documents.get(key) or Document(key)
        now = document.texts[-1] if document.texts else None
        same = bool(document.texts) and now == text
        citers = [] if same else self._citers("document", key)
        below, _ = self.closure({d.id: () for d in citers if d.clear})
        flagged = {*below, *(d.id for d in citers)}
        mine = sorted(i for i in flagged if self.decisions[i].project == project)
        return {"documents": (document.seq, now, text), "dependents": mine}

    def grant_document(self, call: Call, document_key: str) -> tuple[Outcome, str | None]:
        return self._grant(call.project, document_key, granted=True), None

    def revoke_document(self, call: Call, document_key: str) -> tuple[Outcome, str | None]:
        return self._grant(call.project, document_key, granted=False), None

    def _grant(self, project: str, key: str, *, granted: bool) -> Outcome:
        if key not in self.documents:
            return Outcome("document_not_found")
        self.granted[project, key] = granted
        return Outcome()

    def _citers(self, kind: str, ref: str) -> list[Decision]:
        """Active decisions that cite a document or an event now."""
        return [
            d
            for d in self.decisions.values()
            if d.active and any(s.kind == kind and s.ref == ref and not s.gone for s in d.current)
        ]

    def _flag_citers(
        self, citers: Iterable[Decision], reason: str, cause: str, replaced: str
    ) -> list[str]:
        """Flag whoever cites what changed, and those who depend on them; returns whom."""
        citers = [*citers]
        taken, last = self.closure({d.id: {cause} for d in citers if d.clear})
        for d in citers:
            kept = {c for c in d.causes if not c.startswith(replaced)}
            d.flag(reason, kept | {cause}, pending=d.pending)
        for identity, causes in taken.items():
            d = self.decisions[identity]
            d.flag("dependency_review", causes, pending=identity in last)
            self.projects[d.project] |= identity in last
        return [*(d.id for d in citers), *taken]

    # Retention

    def redact_event(self, call: Call, event_id: str) -> tuple[Outcome, str | None]:
        tasks = [t for t in self.tasks.values() if any(e.id == event_id for e in t.events)]
        if not tasks or tasks[0].project != call.project:
            return Outcome("event_not_found"), None
        if moved := self.moved(call, self.redaction_picture(event_id)):
            return moved, None
        event = next(e for e in tasks[0].events if e.id == event_id)
        event.payload, event.redacted = "[REDACTED]", True
        cause = f"event:{event_id}"
        flagged = self._flag_citers(self._citers("event", event_id), "source_removed", cause, cause)
        return Outcome(None, {"affected": sorted(flagged)}), tasks[0].id

    def redaction_picture(self, event_id: str) -> dict[str, Any]:
        """What a plan of a redaction shows."""
        event = self.event(event_id)
        citers = self._citers("event", event_id)
        below, _ = self.closure({d.id: () for d in citers if d.clear})
        flagged = sorted({*below, *(d.id for d in citers)})
        return {"event": event is not None and event.redacted, "dependents": flagged}

    def deletion_picture(self, project: str, name: str, *, whole: bool) -> dict[str, Any]:
        """What a plan of a deletion shows: how much goes, and whom it would flag."""
        task = self.tasks.get((project, name))
        if task is None:
            return {"task": None, "dependents": []}
        made = [d for d in self.decisions.values() if d.task_id == task.id]
        gone = {e.id for e in task.events} | ({d.id for d in made} if whole else set[str]())
        left = [d for d in self.decisions.values() if not (whole and d.task_id == task.id)]
        flagged = sorted(
            d.id for d in left if d.active and any(s.ref in gone and not s.gone for s in d.current)
        )
        sizes = [len(task.events), len(task.steps), self._requests_of(task.id)]
        if whole:
            verdicts = [v for v in self.verdicts.values() if v.task_id == task.id]
            sizes += [len(made), sum(len(d.supports) for d in made), len(verdicts)]
        return {"task": (task.id, sizes), "dependents": flagged}

    def _requests_of(self, task_id: str) -> int:
        return len([r for r in self.requests.values() if r.task_id == task_id])

    def delete_task(self, call: Call, name: str, whole: bool) -> tuple[Outcome, str | None]:
        place = (call.project, name)
        if place not in self.tasks:
            return Outcome("task_not_found"), None
        if moved := self.moved(call, self.deletion_picture(call.project, name, whole=whole)):
            return moved, None
        task = self.tasks.pop(place)
        flagged = self._take_away(task, whole=whole)
        if flagged:
            self.projects[call.project] = True
        return Outcome(None, {"affected": sorted(flagged)}), task.id

    def _take_away(self, task: Task, *, whole: bool) -> list[str]:
        """The task is gone, from everywhere; returns whom that flags."""
        place = (task.project, task.name)
        self.lives[place] = self.lives.get(place, 0) + 1
        made = {d.id for d in self.decisions.values() if d.task_id == task.id}
        gone = {e.id for e in task.events} | (made if whole else set[str]())
        staying = [d for d in self.decisions.values() if not (whole and d.id in made)]
        flagged = [i for d in staying if (i := self._lose(d, gone)) is not None]
        for other in self.tasks.values():
            for s in (s for step in other.steps.values() for s in step.supports):
                s.gone = s.gone or s.ref in gone
        for identity in made:
            if whole:
                del self.decisions[identity]
            else:
                self.decisions[identity].orphaned = True
        if whole:
            kept = {i: v for i, v in self.verdicts.items() if v.task_id != task.id}
            self.verdicts = kept
        for request in self.requests.values():
            if request.task_id == task.id and request.operation != "delete_task":
                request.emptied = True
        return flagged

    @staticmethod
    def _lose(d: Decision, gone: set[str]) -> str | None:
        """What it cites of this is gone for good; returns its id when that flags it."""
        hit = [s for s in d.supports if s.ref in gone and s.kind != "document" and not s.gone]
        for s in hit:
            s.gone = True
        now = [s for s in hit if s.current]
        if not (d.active and now):
            return None
        causes = {f"{s.kind}:{s.ref}" for s in now}
        d.flag("source_removed", causes | d.causes, pending=True)
        return d.id


def _invalid(call: Call) -> str | None:
    request_id = call.request_id
    if request_id is not None and not (0 < len(request_id) <= 64 and _keyable(request_id)):
        return "invalid_request_id"
    names = [call.args.get(name) or "" for name in LONG_NAMES]
    key = call.args.get(KEYS.get(call.op, ""), "-")
    if any(len(name.encode("utf-8", "replace")) > 1000 for name in (*names, key)):
        return "name_too_long"
    if not _keyable(key):
        return "invalid_name"
    texts = [str(text) for value in (request_id, *call.args.values()) for text in _texts(value)]
    bad = any("\0" in text or any("\ud800" <= c <= "\udfff" for c in text) for text in texts)
    return "invalid_text" if bad else None


def _texts(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [value]
    return [t for v in value for t in _texts(v)] if isinstance(value, list | tuple) else []


def _keyable(name: str) -> bool:
    return bool(name) and name == name.strip(" \t\n\v\f\r") and "\x01" not in name


def _covered(call: Call) -> Any:
    """The arguments that make a repeat the same call."""
    return dict(call.args)
