"""Withdraw a verdict: put back what it changed, and lift the flags that it alone caused."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Committed, Guard, Late, Props, RevisionsHeld
from graphstore.ids import sha256
from graphstore.operations.continue_review import Queued, own_causes
from graphstore.operations.flagging import clear_props, flag_props, raise_queue
from graphstore.operations.judging import Judged
from graphstore.operations.record_decision import stance_count, stance_ids
from graphstore.operations.verdict_records import BEFORE, verdict
from graphstore.records import VerdictKind
from graphstore.refusals import WriteErrorCode
from graphstore.results import BuiltUpon, WithdrawVerdictResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import WITHDRAW_VERDICT

MAX_BUILT = 20
"""Decisions that a refusal names."""


class Gathered(NamedTuple):
    request: Row
    entry: Row
    done: list[list[str]]
    verdict: Row
    task: Row
    decision: Row
    supports: list[Row]
    own: list[Row]
    flagged: list[Row]
    successor: Row
    upon_successor: list[Row]
    revisions: list[Row]
    clear_dependents: list[Row]
    later: int
    """Verdicts on the decision given after this one that still stand."""

    # What it stands on comes with `own`, as the drain sees it.
    documents = events = parents = ()


class Successor(NamedTuple):
    """The revision that a supersession recorded."""

    id: str
    status: str
    conclusion: str
    stance: str | None
    reviewed_at: str | None


Recover = Callable[[Row], WithdrawVerdictResult]


def withdraw_verdict(
    store: GraphStore, call: Call, verdict_id: str, explanation: str, recover: Recover
) -> WithdrawVerdictResult:
    """Take one verdict back, as long as nothing was recorded or judged on it.

    The decision gets back the state that it had; if what it cites moved on since, it
    is flagged instead of clear. Decisions flagged by this verdict alone become clear,
    others keep the causes that remain. The revision of a supersession is rejected:
    its record stays. Dependents beyond the 500 that a verdict flags itself stay flagged.

    Refusals: `explanation_required`, `verdict_not_found` (none, not of this project, a
    withdrawal, or taken back already), `decision_not_found` (erased since),
    `built_upon` with `built`, `request_id_reused`, `invalid_request_id`,
    `invalid_text`. Source: `RULES.md` 4.
    """
    if not explanation.strip():
        return _refuse(WriteErrorCode.EXPLANATION_REQUIRED)
    if error := call.invalid():
        return _refuse(error)
    keys = {**call.keys(), "verdict_id": verdict_id}
    return write(
        store,
        WITHDRAW_VERDICT,
        lambda: Gathered(*store.read("withdraw_verdict", keys, leader=True)[0]),
        lambda gathered: plan(call, explanation, gathered, recover),
    )


def plan_withdrawal(store: GraphStore, call: Call, verdict_id: str) -> WithdrawVerdictResult:
    """What `withdraw_verdict` would do or why it would not; nothing is written, `recorded` is False."""
    if error := call.invalid():
        return _refuse(error)
    keys = {**call.keys(), "verdict_id": verdict_id}
    gathered = Gathered(*store.read("withdraw_verdict", keys)[0])
    outcome = plan(call, "-", gathered, lambda _: _refuse(WriteErrorCode.VERDICT_NOT_FOUND))
    if isinstance(outcome, Planned):
        outcome = outcome.result(Committed(None, []))
    return outcome.model_copy(update={"recorded": False, "verdict_id": None})


def plan(
    call: Call, explanation: str, gathered: Gathered, recover: Recover
) -> Planned[WithdrawVerdictResult] | WithdrawVerdictResult:
    """What taking the verdict back changes, given what was read."""
    if (
        replayed := call.replay(
            gathered.request, WithdrawVerdictResult.model_validate_json, _refuse
        )
    ) is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        lifted, kept = ([UUID(i) for i in ids] for ids in gathered.done)
        return recover(gathered.entry).model_copy(update={"lifted": lifted, "kept": kept})
    taken = rows.named("verdict", gathered.verdict) if rows.found(gathered.verdict) else {}
    if not taken or taken["kind"] == VerdictKind.WITHDRAW or "withdrawn_at" in taken:
        return _refuse(WriteErrorCode.VERDICT_NOT_FOUND)
    judged = Judged.of(gathered)
    if judged is None:
        return _refuse(WriteErrorCode.DECISION_NOT_FOUND)
    back = _Back(call, explanation, taken, gathered, judged, json.loads(taken["undo_json"]))
    if built := back.built():
        return WithdrawVerdictResult(
            recorded=False, error=WriteErrorCode.BUILT_UPON, built=built[:MAX_BUILT]
        )
    return back.planned()


@dataclass
class _Back:
    """One verdict on its way back."""

    call: Call
    explanation: str
    taken: Mapping[str, Any]
    gathered: Gathered
    judged: Judged
    undo: Mapping[str, Any]
    changes: Changeset = field(default_factory=Changeset)

    def __post_init__(self) -> None:
        self.kind = VerdictKind(self.taken["kind"])
        self.own = Queued(*self.gathered.own[0])
        self.flagged = [Queued(*row) for row in self.gathered.flagged]
        row = self.gathered.successor
        self.successor = Successor(*row) if rows.found(row) else None
        self.cause = (
            f"asked:{self.taken['id']}"
            if self.kind is VerdictKind.ASK
            else f"decision:{self.judged.id}"
        )

    def built(self) -> list[BuiltUpon]:
        """What was recorded or judged on the verdict, the decision itself first."""
        d = self.judged.decision
        own = (self.judged.id, d["conclusion"])
        left = {VerdictKind.REJECT: "rejected", VerdictKind.SUPERSEDE: "superseded"}
        found: list[BuiltUpon] = []
        if d["status"] != left.get(self.kind, "active"):
            found.append(_built(own, "judged"))
        match self.kind:
            case VerdictKind.ASK:
                if self.cause not in (d.get("ctx_causes") or []):
                    found.append(_built(own, "judged"))
            case VerdictKind.REAFFIRM:
                if d["review_state"] != "clear":
                    found.append(_built(own, "flagged"))
                elif self.gathered.later or not self._own_supports_current():
                    found.append(_built(own, "judged"))
                elif self.undo["before"].get("review_state") == "needs_review":
                    upon = self.gathered.clear_dependents
                    found += [_built(one, "recorded") for one in upon]
            case VerdictKind.REJECT:
                active = [r for r in self.gathered.revisions if r[1] == "active"]
                found += [_built((r[0], r[2]), "recorded") for r in active]
            case _:
                found += self._built_on_successor()
        found += [
            _built((q.id, q.conclusion), "judged")
            for q in self.flagged
            if q.status != "active" or q.review_state == "clear"
        ]
        return list({one.decision_id: one for one in reversed(found)}.values())[::-1]

    def _own_supports_current(self) -> bool:
        """Whether the passages of this reaffirmation are still those that count."""
        created = set(self.undo["created"])
        return created <= {s["id"] for s in self.judged.current}

    def _built_on_successor(self) -> list[BuiltUpon]:
        new = self.successor
        if new is None:
            return []
        judged = new.status != "active" or new.reviewed_at is not None
        own = [_built((new.id, new.conclusion), "judged")] if judged else []
        return own + [_built(one, "recorded") for one in self.gathered.upon_successor]

    def planned(self) -> Planned[WithdrawVerdictResult]:
        """The changeset and what it will have done."""
        restored = self._restored()
        lifted, kept = self._lift(restored)
        changes, call, judged = self.changes, self.call, self.judged
        changes.guards += judged.guards()
        changes.supports_held.append(judged.supports_held())
        changes.revisions_held.append(
            RevisionsHeld(
                judged.decision["task_id"],
                judged.decision["choice_key"],
                len(self.gathered.revisions),
            )
        )
        changes.changes += [
            Change("Decision", judged.id, restored),
            Change(
                "CtxVerdict",
                self.taken["id"],
                {"withdrawn_by": call.actor.agent_id, "withdrawn_at": rows.iso(call.at)},
            ),
        ]
        supports = self._supports()
        if self.kind is VerdictKind.SUPERSEDE:
            self._retire_successor()
        if restored["review_state"] == "needs_review":
            us = rows.microseconds(call.at)
            late = flag_props("dependency_review", restored["ctx_causes"] or [], us, pending=True)
            changes.late.append(Late((judged.id,), late))
        raise_queue(changes, {call.project_id: int(restored["review_state"] == "needs_review")})
        return self._closed(restored, supports, lifted, kept)

    def _restored(self) -> Props:
        """The decision's properties as they were, unless what it cites has moved on since."""
        before = self.undo["before"]
        props: Props = {name: before.get(name) for name in BEFORE} | {"review_pending": None}
        if self.kind is VerdictKind.ASK:
            props = self._without_the_question()
        elif self.kind is VerdictKind.REJECT:
            props |= {"rejection_reason": None, "rejected_by": None, "ctx_rejected_at": None}
        if self.kind in (VerdictKind.REJECT, VerdictKind.SUPERSEDE):
            d = self.judged.decision
            props["ctx_stance"] = stance_ids(
                self.call.project_id, d["choice_key"], d["conclusion"]
            )[1]
            self._count(d["choice_key"], d["conclusion"], 1)
        if props["review_state"] != "clear":
            return props
        as_clear = self.own._replace(
            status="active",
            review_state="clear",
            stored_causes=None,
            sources=self._restored_sources(),
        )
        self._hold_sources(self.own, apart=())
        reason = as_clear.overlooked()
        if reason is None:
            return props
        us = rows.microseconds(self.call.at)
        causes = sorted(own_causes(as_clear))
        return props | flag_props(reason, causes, us, pending=False)

    def _restored_sources(self) -> list[Row]:
        """What the decision will cite: a reaffirmation gives its older passages back."""
        if self.kind is not VerdictKind.REAFFIRM:
            return self.own.sources
        archived = self.undo["archived"]
        oldest: dict[str, int] = {}
        for s in self.judged.supports:
            if s["id"] in archived:
                seq: int = s.get("recorded_activation_seq") or 0
                oldest[s["document_node_id"]] = min(seq, oldest.get(s["document_node_id"], seq))
        return [
            [kind, identity, now, oldest.get(identity, cited), gone]
            for kind, identity, now, cited, gone in self.own.sources
        ]

    def _without_the_question(self) -> Props:
        d = self.judged.decision
        causes: list[str] = d.get("ctx_causes") or []
        left = [c for c in causes if c != self.cause]
        if not left:
            return {"status": "active", **clear_props(), "review_pending": None}
        return {
            "status": "active",
            "review_state": "needs_review",
            "review_reason": d.get("review_reason"),
            "ctx_causes": left,
            "ctx_flagged_us": d.get("ctx_flagged_us"),
        }

    def _lift(self, restored: Props) -> tuple[list[Queued], list[Queued]]:
        """The flags to lift and those that stay, with the causes that remain."""
        ours = [q for q in self.flagged if self.cause in (q.stored_causes or [])]
        alone = {
            q.id: q
            for q in ours
            if set(q.stored_causes or []) == {self.cause} and _sources_stand(q)
        }
        standing = self._standing(restored)
        while True:
            shaken = [
                q.id
                for q in alone.values()
                if any(p[0] is not None and not standing(p, alone) for p in q.parents)
            ]
            if not shaken:
                break
            for identity in shaken:
                del alone[identity]
        kept = [q for q in ours if q.id not in alone]
        for q in ours:
            props = {**clear_props(), "review_pending": None}
            if q.id not in alone:
                props = {"ctx_causes": self._remaining(q, restored) or [self.cause]}
            self.changes.guards.append(_as_seen(q))
            self.changes.changes.append(Change("Decision", q.id, props))
        for q in alone.values():
            self._hold_sources(q, apart=alone)
        return list(alone.values()), kept

    def _standing(self, restored: Props) -> Callable[[Row, Mapping[str, Queued]], bool]:
        def standing(parent: Row, lifted: Mapping[str, Queued]) -> bool:
            identity, status, state, _ = parent
            if identity == self.judged.id:
                return restored["status"] == "active" and restored["review_state"] == "clear"
            return identity in lifted or (status == "active" and state == "clear")

        return standing

    def _remaining(self, q: Queued, restored: Props) -> list[str]:
        """The causes of a flag that stays: its other ones, its sources', its parents'."""
        known = {c for c in q.stored_causes or [] if c != self.cause}
        parents = [
            [p[0], restored["status"], restored["review_state"], restored.get("ctx_causes")]
            if p[0] == self.judged.id
            else p
            for p in q.parents
        ]
        derived = own_causes(
            q._replace(stored_causes=None, stored_flagged_us=None, parents=parents)
        )
        return sorted(known | (derived - {self.cause}))

    def _hold_sources(self, q: Queued, apart: Mapping[str, Any] | Sequence[str]) -> None:
        """What a decision that becomes clear stands on must stay as it was read."""
        for kind, identity, now, _, gone in q.sources:
            if identity is None or kind == "gone":
                continue
            seen = {"activation_seq": now} if kind == "document" and now is not None else {}
            # One that is redacted already stays so, and the decision becomes flagged for it.
            absent = ("redacted_at",) if kind == "event" and not gone else ()
            label = "Document" if kind == "document" else "Event"
            self.changes.guards.append(Guard(label, identity, seen, absent))
        for identity, status, state, _ in q.parents:
            if identity is None or identity in apart or identity == self.judged.id:
                continue
            self.changes.guards.append(
                Guard("Decision", identity, {"status": status, "review_state": state})
            )

    def _supports(self) -> list[Props]:
        """The decision's current supports as they will be; a reaffirmation's own are archived."""
        if self.kind is not VerdictKind.REAFFIRM:
            return self.judged.current
        created, archived = set(self.undo["created"]), self.undo["archived"]
        after: list[Props] = []
        for s in self.judged.supports:
            if s["id"] in created:
                self.changes.changes.append(Change("DecisionSupport", s["id"], {"current": False}))
            elif s["id"] in archived:
                props = {"current": True, **archived[s["id"]]}
                self.changes.changes.append(Change("DecisionSupport", s["id"], props))
                after.append({**s, **props})
            elif s.get("current"):
                after.append(s)
        return after

    def _retire_successor(self) -> None:
        new = self.successor
        if new is None:
            return
        seen = {"status": new.status}
        absent = ("ctx_reviewed_at",)
        self.changes.guards.append(Guard("Decision", new.id, seen, absent))
        props = {
            "status": "rejected",
            "rejection_reason": self.explanation,
            "rejected_by": self.call.actor.agent_id,
            "ctx_rejected_at": rows.iso(self.call.at),
            "ctx_stance": None,
            "review_pending": None,
            **clear_props(),
        }
        self.changes.changes.append(Change("Decision", new.id, props))
        if new.stance is not None:
            self._count(self.judged.decision["choice_key"], new.conclusion, -1)
        us = rows.microseconds(self.call.at)
        late = flag_props("dependency_review", [f"decision:{new.id}"], us, pending=True)
        self.changes.late.append(Late((new.id,), late))

    def _count(self, choice_key: str, conclusion: str, by: int) -> None:
        self.changes.stances.append(stance_count(self.call.project_id, choice_key, conclusion, by))

    def _closed(
        self,
        restored: Props,
        supports: Sequence[Props],
        lifted: Sequence[Queued],
        kept: Sequence[Queued],
    ) -> Planned[WithdrawVerdictResult]:
        call, d = self.call, self.judged.decision
        after = rows.decision_of(
            {**d, **restored, "ctx_version": d.get("ctx_version", 0) + 1},
            self.judged.task_name,
            supports,
        )
        result = WithdrawVerdictResult(
            recorded=True,
            decision=after,
            verdict_id=call.entry_id,
            lifted=[UUID(q.id) for q in lifted],
            kept=[UUID(q.id) for q in kept],
        )
        self.changes.creates.append(
            verdict(
                call,
                VerdictKind.WITHDRAW,
                self.judged,
                self.explanation,
                new_decision_id=self.successor.id if self.successor else None,
                withdraws=self.taken["id"],
                lifted=[q.id for q in lifted],
                kept=[q.id for q in kept],
            )
        )
        watched = ("status", "review_state", "review_reason")
        changed = {self.judged.id: {name: [d.get(name), restored.get(name)] for name in watched}}
        changed |= {q.id: {"review_state": ["needs_review", "clear"]} for q in lifted}
        new = [self.successor.id] if self.successor else []
        changed |= {i: {"status": ["active", "rejected"]} for i in new}
        self.changes.entries = [
            call.entry(
                Entry(
                    task_id=d["task_id"],
                    changed=changed,
                    flagged=[],
                    decisions=[self.judged.id, *new, *(q.id for q in (*lifted, *kept))],
                    cause=f"verdict:{self.taken['id']}",
                    hashes={f"{self.judged.id}/explanation": sha256(self.explanation)},
                )
            )
        ]
        self.changes.request = call.request(dump(result), d["task_id"])
        return Planned(
            self.changes,
            lambda committed: result.model_copy(update={"arrived": committed.late_ids}),
        )


def _sources_stand(q: Queued) -> bool:
    return q._replace(status="active", review_state="clear", parents=[]).overlooked() is None


def _as_seen(q: Queued) -> Guard:
    seen: Props = {"status": q.status, "review_state": q.review_state}
    absent: tuple[str, ...] = ()
    if q.version is None:
        absent = ("ctx_version",)
    else:
        seen["ctx_version"] = q.version
    return Guard("Decision", q.id, seen, absent)


def _built(one: Row, what: Any) -> BuiltUpon:
    return BuiltUpon(decision_id=UUID(one[0]), label=one[1], what=what)


def _refuse(error: WriteErrorCode) -> WithdrawVerdictResult:
    return WithdrawVerdictResult(recorded=False, error=error)
