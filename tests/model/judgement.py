"""The rules of decisions and of verdicts on them, on plain values."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.contract.seeding import derived
from tests.model.calls import Call, Outcome, Spec
from tests.model.state import Decision, State, Support, Verdict

Answer = tuple[Outcome, str | None]
"""What is told, and the task whose deletion empties the stored result."""


@dataclass
class Cited:
    """Supports as they will be stored; `changed` are causes of sources that moved on since."""

    supports: list[Support] = field(default_factory=list[Support])
    changed: set[str] = field(default_factory=set[str])


class Judgement(State):
    """Recording, superseding, rejecting, reaffirming, asking, and draining."""

    minted: Callable[[], str]
    """The id of the verdict that the real call wrote, which nobody can know beforehand."""

    # What may be cited

    def cite(self, project: str, specs: Sequence[Spec]) -> Cited | str:
        """The supports, or the code of the first that cannot be cited."""
        if not 1 <= len(specs) <= 20:
            return "support_required"
        cited = Cited()
        for spec in specs:
            found = getattr(self, f"_cite_{spec.kind}")(project, spec, cited)
            if isinstance(found, str):
                return found
            cited.supports.append(found)
        return cited

    def _cite_malformed(self, project: str, spec: Spec, cited: Cited) -> str:
        return "support_malformed"

    def _cite_document(self, project: str, spec: Spec, cited: Cited) -> Support | str:
        document = self.documents.get(spec.ref)
        if spec.how == "unread":
            return "support_not_fetched"
        if document is None:
            return "support_document_not_found"
        if spec.how == "forged" or spec.text not in document.texts:
            return "support_not_fetched"
        if (spec.seq, spec.text) != (document.seq, document.text):
            cited.changed.add(document.cause)
        return Support("document", spec.ref, spec.seq)

    def _cite_event(self, project: str, spec: Spec, cited: Cited) -> Support | str:
        task = self.tasks.get((project, spec.ref))
        found = [e for e in task.events if e.seq == spec.seq] if task else []
        if not found:
            return "support_event_not_found"
        if found[0].redacted:
            return "cannot_revalidate"
        return Support("event", found[0].id, name=f"{spec.ref}/{spec.seq}")

    def _cite_decision(self, project: str, spec: Spec, cited: Cited) -> Support | str:
        parent = self.decisions.get(spec.ref)
        if parent is None or parent.project != project:
            return "support_decision_not_found"
        return Support("decision", spec.ref) if parent.active else "support_decision_not_active"

    # What a page shows

    def picture(self, identity: str) -> dict[str, Any]:
        """What a verdict on a decision is bound to."""
        d = self.decisions[identity]
        documents = {s.ref for s in d.current if s.kind == "document"}
        events = {s.ref: self.event(s.ref) for s in d.current if s.kind == "event" and not s.gone}
        parents = [
            self.decisions[s.ref]
            for s in d.current
            if s.kind == "decision" and not s.gone and s.ref in self.decisions
        ]
        return {
            "decision": (d.status, d.flagged, d.reason, d.version),
            "documents": sorted((k, self.documents[k].seq) for k in documents),
            "parents": [
                sorted((p.id, p.status, p.flagged) for p in parents),
                sorted((i, e.redacted) for i, e in events.items() if e is not None),
            ],
            "dependents": sorted(x.id for x in self.dependents(identity) if x.active),
        }

    @staticmethod
    def moved(call: Call, now: Mapping[str, Any], *, dependents: bool = True) -> Outcome | None:
        """The refusal when what was shown differs from what is there now."""
        if call.seen is None:
            return None
        differs = [
            part
            for part, value in call.seen.picture.items()
            if now[part] != value and (dependents or part != "dependents")
        ]
        return Outcome("moved", {"moved": differs}) if differs else None

    # Recording

    def record_decision(
        self, call: Call, task_name: str, choice_key: str, says: str, supports: Sequence[Spec]
    ) -> Answer:
        task = self.tasks.get((call.project, task_name))
        if task is None:
            return Outcome("task_not_found"), None
        earlier = self.revisions(task.id, choice_key)
        if any(d.active for d in earlier):
            return Outcome("choice_exists"), None
        cited = self.cite(call.project, supports)
        if isinstance(cited, str):
            return Outcome(cited), None
        new, warnings = self._new(call, task.id, task_name, choice_key, says, cited)
        return Outcome(None, {"decision": new.id, "warnings": warnings}), task.id

    def _new(
        self,
        call: Call,
        task_id: str,
        task_name: str,
        choice: str,
        says: str,
        cited: Cited,
        doomed: Collection[str] = (),
    ) -> tuple[Decision, list[str]]:
        """The next revision of a choice; `doomed` are retired or flagged by the same commit."""
        earlier = self.revisions(task_id, choice)
        revision = max((d.revision for d in earlier), default=0) + 1
        identity = derived("Decision", task_id, choice, revision)
        new = Decision(
            identity, call.project, task_id, task_name, choice, revision, says, call.agent,
            cited.supports, self.tick(),
        )  # fmt: skip
        causes, shaken = set(cited.changed), False
        for parent in (self.decisions[i] for i in new.parents):
            if parent.id in doomed:
                causes.add(f"decision:{parent.id}")
                shaken = True
            elif parent.flagged:
                causes |= parent.causes or {f"decision:{parent.id}"}
                shaken = True
        warnings = ["source_changed_during_recording"] if cited.changed else []
        if cited.changed or shaken:
            changed = "source_changed_during_recording"
            new.flag(changed if cited.changed else "dependency_review", causes, pending=False)
            new.version = 1
        warnings += [
            f"rejected_before:{d.id}"
            for d in earlier
            if d.status == "rejected" and normal(d.says) == normal(says)
        ]
        self.decisions[identity] = new
        return new, warnings

    def supersede(
        self, call: Call, decision_id: str, says: str, explanation: str, supports: Sequence[Spec]
    ) -> Answer:
        old = self._of(call, decision_id)
        task = self.task_of(old) if old else None
        if old is None or task is None:
            return Outcome("supersede_target_invalid"), None
        active = [d.revision for d in self.revisions(old.task_id, old.choice) if d.active]
        if not active or max(active) != old.revision:
            return Outcome("supersede_target_invalid"), None
        if moved := self.moved(call, self.picture(old.id)):
            return moved, None
        cited = self.cite(call.project, supports)
        if isinstance(cited, str):
            return Outcome(cited), None
        doomed = {old.id, *self.closure({old.id: ()})[0]}
        new, warnings = self._new(call, task.id, task.name, old.choice, says, cited, doomed)
        del self.decisions[new.id]
        verdict, flagged = self._retire(call, old, "supersede")
        self.decisions[new.id] = new
        verdict.new = new.id
        facts = {"decision": new.id, "warnings": warnings, "flagged": flagged}
        return Outcome(None, facts), task.id

    def _retire(self, call: Call, d: Decision, kind: str) -> tuple[Verdict, list[str]]:
        verdict = self._verdict(call, d, kind)
        verdict.flagged = self.spread(d.project, {d.id: {f"decision:{d.id}"}})
        d.status = "superseded" if kind == "supersede" else "rejected"
        d.unflag()
        d.pending = False
        d.version += 1
        return verdict, sorted(verdict.flagged)

    def _verdict(self, call: Call, d: Decision, kind: str) -> Verdict:
        before = {
            "status": d.status,
            "flagged": d.flagged,
            "reason": d.reason,
            "causes": set(d.causes),
            "reviewed": d.reviewed,
        }
        identity = self.minted()
        verdict = Verdict(identity, kind, d.id, d.project, d.task_id, self.tick(), before, [])
        self.verdicts[identity] = verdict
        return verdict

    def _of(self, call: Call, identity: str) -> Decision | None:
        d = self.decisions.get(identity)
        return d if d is not None and d.project == call.project else None

    # Verdicts

    def reject(self, call: Call, decision_id: str, reason: str) -> Answer:
        d = self._of(call, decision_id)
        if d is None:
            return Outcome("decision_not_found"), None
        if not d.active:
            return Outcome("decision_not_active"), None
        if moved := self.moved(call, self.picture(d.id)):
            return moved, None
        _, flagged = self._retire(call, d, "reject")
        d.rejected_by = call.agent
        return Outcome(None, {"decision": d.id, "flagged": flagged}), d.task_id

    def reaffirm(
        self, call: Call, decision_id: str, evidence: Sequence[Spec], explanation: str
    ) -> Answer:
        d = self._of(call, decision_id)
        if d is None:
            return Outcome("decision_not_found"), None
        if not d.active:
            return Outcome("decision_not_active"), None
        if moved := self.moved(call, self.picture(d.id), dependents=False):
            return moved, None
        if code := self._stops(d):
            return Outcome(code), None
        cited = self._evidence(d, evidence)
        if isinstance(cited, str):
            return Outcome(cited), None
        verdict = self._verdict(call, d, "reaffirm")
        verdict.archived = [s for s in d.current if s.kind == "document"]
        for s in verdict.archived:
            s.current = False
        verdict.created = cited
        d.supports += cited
        d.unflag()
        d.reviewed = True
        d.version += 1
        if (task := self.task_of(d)) is not None:
            self.append(task, f"Decision {d.id} reaffirmed.", call.agent)
        return Outcome(None, {"decision": d.id}), d.task_id

    def _stops(self, d: Decision) -> str | None:
        """Why no evidence can help: documents come first, then the rest in its order."""
        found: list[tuple[str, str]] = []
        for s in d.current:
            if s.kind == "document":
                if self.documents[s.ref].text is None:
                    found.append((s.kind, "cannot_revalidate"))
            elif s.kind == "event":
                event = None if s.gone else self.event(s.ref)
                if event is None:
                    found.append((s.kind, "support_event_not_found"))
                elif event.redacted:
                    found.append((s.kind, "cannot_revalidate"))
            else:
                parent = None if s.gone else self.decisions.get(s.ref)
                if parent is None or not parent.clear:
                    found.append((s.kind, "cannot_revalidate"))
        first = [code for kind, code in found if kind == "document"] + [code for _, code in found]
        return first[0] if first else None

    def _evidence(self, d: Decision, evidence: Sequence[Spec]) -> list[Support] | str:
        """Current passages of exactly the documents that it cites."""
        if len(evidence) > 20:
            return "support_required"
        wanted = {s.ref for s in d.current if s.kind == "document"}
        made: list[Support] = []
        bad = False
        for spec in evidence:
            cited = self.cite(d.project, [spec])
            if cited == "support_malformed":
                return "support_malformed"
            if isinstance(cited, str) or cited.changed or spec.ref not in wanted:
                bad = True
            else:
                made += cited.supports
        given = {s.ref for s in made}
        return "cannot_revalidate" if bad or given != wanted else made

    def ask(self, call: Call, decision_id: str, reason: str) -> Answer:
        d = self._of(call, decision_id)
        if d is None:
            return Outcome("decision_not_found"), None
        if not d.active:
            return Outcome("decision_not_active"), None
        if moved := self.moved(call, self.picture(d.id)):
            return moved, None
        verdict = self._verdict(call, d, "ask")
        causes = d.causes | {verdict.cause}
        verdict.flagged = self.spread(d.project, {d.id: causes})
        d.flag(d.reason, causes, pending=d.pending)
        return Outcome(None, {"decision": d.id, "flagged": sorted(verdict.flagged)}), d.task_id

    def continue_review(self, call: Call, limit: int) -> Answer:
        left, done = max(0, min(limit, 100)), 0
        while True:
            units = self.drain(call.project, left)
            done += units
            left -= units
            if units == 0 or left <= 0:
                return Outcome(None, {"units": done}), None


def normal(says: str) -> str:
    """A conclusion as it counts: single blanks."""
    return " ".join(says.split())
