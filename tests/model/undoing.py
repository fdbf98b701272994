"""The rules of taking a verdict back, on plain values."""

from collections.abc import Sequence

from tests.model.calls import Call, Outcome
from tests.model.judgement import Answer, Judgement
from tests.model.state import Decision, Verdict


class Undoing(Judgement):
    """A verdict is taken back as long as nothing was built on it."""

    def withdraw(self, call: Call, verdict_id: str, explanation: str) -> Answer:
        taken = self.verdicts.get(verdict_id)
        usable = taken is not None and taken.project == call.project
        if taken is None or not usable or taken.kind == "withdraw" or taken.withdrawn:
            return Outcome("verdict_not_found"), None
        d = self.decisions.get(taken.decision)
        if d is None:
            return Outcome("decision_not_found"), None
        flagged = [self.decisions[i] for i in taken.flagged if i in self.decisions]
        if self._built_upon(d, taken) or any(not q.active or not q.flagged for q in flagged):
            return Outcome("built_upon"), None
        self._verdict(call, d, "withdraw")
        taken.withdrawn = True
        self._restore(d, taken)
        lifted, kept = self._lift(d, taken, flagged)
        d.version += 1
        if taken.new is not None:
            self._retire_successor(call, self.decisions[taken.new])
        if d.flagged:
            # Whoever stands clear on it by now follows it.
            for x in self.dependents(d.id):
                if x.clear:
                    x.flag("dependency_review", d.causes, pending=True)
                    self.projects[d.project] = True
        return Outcome(None, {"lifted": sorted(lifted), "kept": sorted(kept)}), d.task_id

    def _built_upon(self, d: Decision, taken: Verdict) -> bool:
        left = {"reject": "rejected", "supersede": "superseded"}.get(taken.kind, "active")
        if d.status != left:
            return True
        if taken.kind == "ask":
            return taken.cause not in d.causes
        if taken.kind == "reject":
            return any(r.active for r in self.revisions(d.task_id, d.choice))
        if taken.kind == "supersede":
            new = self.decisions[taken.new or ""]
            return not new.active or new.reviewed or bool(self.dependents(new.id))
        later = any(
            v.decision == d.id and v.order > taken.order and v.kind != "withdraw"
            for v in self.verdicts.values()
            if not v.withdrawn
        )
        stale = any(not s.current for s in taken.created)
        recorded = taken.before["flagged"] and any(x.clear for x in self.dependents(d.id))
        return d.flagged or later or stale or recorded

    def _restore(self, d: Decision, taken: Verdict) -> None:
        """The decision as it was before the verdict, unless what it cites has moved on since."""
        for s in taken.created:
            s.current = False
        for s in taken.archived:
            s.current = True
        # What was queued before it was asked about stays queued.
        d.pending = d.pending and taken.kind == "ask" and d.causes != {taken.cause}
        if taken.kind == "ask":
            d.causes = d.causes - {taken.cause}
            d.flagged = bool(d.causes)
            d.reason = d.reason if d.causes else None
        else:
            before = taken.before
            d.status, d.reviewed = before["status"], before["reviewed"]
            d.flagged, d.reason = before["flagged"], before["reason"]
            d.causes = set(before["causes"])
            d.rejected_by = None
        if d.flagged:
            return
        causes, reason = self.lost(d.current)
        if reason is None and self.shaken(d):
            reason = "dependency_review"
        if reason is not None:
            d.flagged, d.reason, d.causes = True, reason, causes | self.inherited(d)

    def _lift(
        self, d: Decision, taken: Verdict, flagged: Sequence[Decision]
    ) -> tuple[list[str], list[str]]:
        """Lift the flags that the verdict alone caused; others keep the causes that remain."""
        ours = [q for q in flagged if taken.cause in q.causes]
        alone = {
            q.id: q for q in ours if q.causes == {taken.cause} and self.lost(q.current)[1] is None
        }
        shaken = True
        while shaken:
            stand = {i for i, x in self.decisions.items() if x.clear} | alone.keys()
            shaken = [
                q.id
                for q in alone.values()
                if any(p in self.decisions and p not in stand for p in q.parents)
            ]
            for identity in shaken:
                del alone[identity]
        kept = [q for q in ours if q.id not in alone]
        remain = {
            q.id: (q.causes | self.lost(q.current)[0] | self.inherited(q)) - {taken.cause}
            for q in kept
        }
        for q in ours:
            q.version += 1
            q.pending = False if q.id in alone else q.pending
            if q.id in alone:
                q.unflag()
            else:
                q.causes = remain[q.id] or {taken.cause}
        return [*alone], [q.id for q in kept]

    @staticmethod
    def _retire_successor(call: Call, new: Decision) -> None:
        new.status, new.rejected_by = "rejected", call.agent
        new.unflag()
        new.pending = False
        new.version += 1
