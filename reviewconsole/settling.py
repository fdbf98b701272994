"""Settling a conflict: keep one side, reject the decisions of the others one after another.

The plan that a person was shown goes into its form, signed: which decisions, each
with the fingerprint of how it stood. So nothing is rejected that was not on the page,
and what changed since is refused.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.core import signing
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy

from graphstore.desk import Desk, open_desk
from graphstore.records import Decision, Exhibit, Ground
from graphstore.refusals import WriteErrorCode
from graphstore.results import RejectDecisionResult
from reviewconsole import words
from reviewconsole.access import Scope
from reviewconsole.desk_page import impact_of
from reviewconsole.drafts import drop_draft
from reviewconsole.forms import LONGEST, new_request_id
from reviewconsole.review_index import note_judged
from reviewconsole.sides import Side, side_of, sides_of
from reviewconsole.verdicts import level_index

__all__ = [
    "KeepForm",
    "Losing",
    "Outcome",
    "Plan",
    "fresh_form",
    "plan_of",
    "read_plan",
    "settle",
    "still_kept",
]

MOST = 20
"""Decisions that one settling rejects: each is opened for its plan and rejected by itself."""
_SALT = "reviewconsole.settling"
GROUNDS = (Ground.NO_LONGER_NEEDED, Ground.WRONG_WHEN_MADE)


@dataclass(frozen=True)
class Losing:
    """One decision that is to be rejected, as its plan showed it.

    `direct` are the decisions that cite it; `all_shown` is False when there are more.
    """

    decision_id: str
    seen: str
    direct: list[str]
    all_shown: bool
    through_others: int
    tasks: int


@dataclass(frozen=True)
class Signed:
    """What a form brings back of its plan."""

    kept: list[str]
    losing: list[Losing]


@dataclass(frozen=True)
class Plan:
    """What keeping one side would do. `losing` in the order in which they are rejected.

    `kept` is None when that side does not stand any more. `more` counts losing
    decisions that are left for a second time.
    """

    choice_key: str
    kept: Side | None
    losing: list[Desk]
    more: int = 0

    def signed(self) -> str:
        """The plan as a text that fits a hidden field."""
        kept = [str(one.id) for one in self.kept.decisions] if self.kept else []
        losing = [asdict(_losing(desk)) for desk in self.losing]
        content = {"of": self.choice_key, "kept": kept, "losing": losing}
        return signing.dumps(content, salt=_SALT, compress=True)


@dataclass(frozen=True)
class Outcome:
    """What became of one decision; `result` is None when it was not reached."""

    decision_id: UUID
    result: RejectDecisionResult | None

    @property
    def rejected(self) -> bool:
        return self.result is not None and self.result.error is None


class KeepForm(forms.Form):
    explanation = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 40}),
        error_messages={"required": gettext_lazy("Write why these are rejected; agents read it.")},
    )
    ground = forms.ChoiceField(
        label=gettext_lazy("Ground"),
        choices=lambda: [(ground.value, words.GROUNDS[ground]) for ground in GROUNDS],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what is true of them.")},
    )
    plan = forms.CharField(widget=forms.HiddenInput)
    request_id = forms.CharField(widget=forms.HiddenInput, max_length=64)

    use_required_attribute = False


def fresh_form(plan: Plan, typed: dict[str, Any], *, sent: bool = False) -> KeepForm:
    """The form of a plan with what was typed before, with its errors when it was `sent`."""
    values = {**typed, "plan": plan.signed(), "request_id": new_request_id()}
    return KeepForm(values) if sent else KeepForm(initial=values)


def plan_of(scope: Scope, choice_key: str, decision_id: UUID) -> Plan:
    """What it takes to keep the side with this decision: a read, and one for each that loses.

    Raises `Http404` when nothing was ever decided about the choice.
    """
    group = scope.traces.get_conflict(choice_key)
    if group is None:
        raise Http404
    sides = sides_of(group.decisions)
    kept = side_of(sides, decision_id)
    if kept is None:
        return Plan(choice_key, None, [])
    losing = [one for side in sides if side is not kept for one in side.decisions]
    desks = [open_desk(scope.store, scope.project_id, one.id) for one in losing[:MOST]]
    return Plan(choice_key, kept, _in_order(desks), max(0, len(losing) - MOST))


def _in_order(desks: Iterable[Desk | None]) -> list[Desk]:
    """Dependents before what they rest on, so that no rejection flags one that comes later."""
    found = [desk for desk in desks if desk is not None]
    ids = {desk.decision.id for desk in found}

    def others_on_it(desk: Desk) -> int:
        return sum(one.id in ids for one in desk.dependents.decisions)

    return sorted(found, key=others_on_it)


def _losing(desk: Desk) -> Losing:
    impact = impact_of(desk)
    return Losing(
        str(desk.decision.id),
        desk.seen,
        sorted(_direct(desk)),
        not impact.capped,
        impact.through_others,
        impact.tasks,
    )


def _direct(desk: Desk) -> set[str]:
    depths = desk.dependents.depths
    return {str(d.id) for d in desk.dependents.decisions if depths.get(str(d.id), 1) == 1}


def read_plan(choice_key: str, text: str) -> Signed | None:
    """The plan signed for this choice, None when the text is not such."""
    try:
        content: dict[str, Any] = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return None
    if content["of"] != choice_key:
        return None
    return Signed(content["kept"], [Losing(**one) for one in content["losing"]])


def still_kept(scope: Scope, choice_key: str, signed: Signed) -> bool:
    """Whether something of the side that was to be kept still stands."""
    group = scope.traces.get_conflict(choice_key)
    standing: Sequence[Decision] = group.decisions if group else []
    return any(str(one.id) in signed.kept for one in standing)


def settle(
    scope: Scope, signed: Signed, *, why: str, ground: Ground, request_id: str
) -> list[Outcome]:
    """Reject what the plan says, in its order, up to the first refusal.

    Each rejection has a request id made from the form's, so sending the form again
    finds what was recorded and goes on after it. Raises the store's faults; what
    was rejected until then stays rejected.
    """
    outcomes: list[Outcome] = []
    refused = False
    try:
        for one in signed.losing:
            identity = UUID(one.decision_id)
            result = None
            if not refused:
                done = {str(o.decision_id) for o in outcomes}
                call = _Call(scope, why, ground, _request(request_id, identity), len(signed.losing))
                result = _reject(call, one, done)
                refused = result.error is not None
            outcomes.append(Outcome(identity, result))
    finally:
        _follow_up(scope, outcomes)
    return outcomes


def _request(request_id: str, decision_id: UUID) -> str:
    return str(uuid5(decision_id, request_id))


@dataclass(frozen=True)
class _Call:
    """What is the same for every try to reject one decision."""

    scope: Scope
    why: str
    ground: Ground
    request_id: str
    in_bulk: int

    def reject(self, one: Losing, seen: str) -> RejectDecisionResult:
        exhibit = Exhibit(
            dependents=len(one.direct),
            transitive=one.through_others,
            tasks=one.tasks,
            in_bulk=self.in_bulk,
            decided_at=timezone.now(),
        )
        return self.scope.traces.reject_decision(
            one.decision_id,
            self.why,
            request_id=self.request_id,
            seen=seen,
            ground=self.ground,
            exhibit=exhibit,
        )


def _reject(call: _Call, one: Losing, done: set[str]) -> RejectDecisionResult:
    """Reject one decision as it was shown, less the dependents that were rejected before it."""
    result = call.reject(one, one.seen)
    gone = done & set(one.direct)
    if result.error != WriteErrorCode.MOVED or result.moved != ["dependents"] or not gone:
        return result
    desk = open_desk(call.scope.store, call.scope.project_id, one.decision_id)
    expected = set(one.direct) - gone
    if desk is None or not one.all_shown or _direct(desk) != expected:
        return result
    return call.reject(one, desk.seen)


def _follow_up(scope: Scope, outcomes: Sequence[Outcome]) -> None:
    """Bring the console's own rows level with what is in the graph; see `verdicts.follow_up`."""
    rejected = [outcome for outcome in outcomes if outcome.rejected]
    for outcome in rejected:
        note_judged(scope.project_id, outcome.decision_id, None)
        drop_draft(scope.user, scope.project_id, outcome.decision_id)
    if rejected:
        level_index(scope)
