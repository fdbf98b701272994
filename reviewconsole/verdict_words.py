"""One verdict in words, with its addresses: for the list, the desk and its own page."""

from typing import Any

from graphstore.records import VerdictKind, VerdictRecord
from reviewconsole import words
from reviewconsole.access import Role, Scope
from reviewconsole.addresses import (
    decision_url,
    task_url,
    verdict_url,
    verdicts_url,
    withdraw_url,
)

__all__ = ["LOOKS", "may_take_back", "may_withdraw", "row_of"]

LOOKS = {
    VerdictKind.REAFFIRM: ("clear", "check"),
    VerdictKind.SUPERSEDE: ("", "swap"),
    VerdictKind.REJECT: ("harm", "cross"),
    VerdictKind.ASK: ("edited", "flag"),
    VerdictKind.WITHDRAW: ("moved", "back"),
}
"""What a verdict's badge looks like: its colour and its mark."""


def may_withdraw(scope: Scope, verdict: VerdictRecord) -> bool:
    """Whether this person may take it back, as far as roles go."""
    return may_take_back(scope, own=verdict.by == scope.actor.agent_id)


def may_take_back(scope: Scope, *, own: bool) -> bool:
    """Reviewers take back their own verdicts, managers anybody's."""
    return scope.may(Role.REVIEWER if own else Role.MANAGER)


def row_of(scope: Scope, verdict: VerdictRecord) -> dict[str, Any]:
    """Everything that a line about a verdict says. A deleted decision has no address."""
    project = scope.project_id
    tone, icon = LOOKS[verdict.kind]
    taken_back = verdict.withdrawn_at is not None
    gone = not verdict.conclusion
    offered = not taken_back and not gone and verdict.kind != VerdictKind.WITHDRAW
    return {
        "verdict": verdict,
        "words": words.VERDICTS[verdict.kind],
        "tone": tone,
        "icon": icon,
        "ground": words.GROUNDS[verdict.ground] if verdict.ground else "",
        "url": verdict_url(project, verdict.id),
        "decision_url": None if gone else decision_url(project, verdict.decision_id),
        "task_url": task_url(project, verdict.task_name) if verdict.task_name else None,
        "author_url": verdicts_url(project, agent=verdict.decision_author),
        "new_url": decision_url(project, verdict.new_decision_id)
        if verdict.new_decision_id and not gone
        else None,
        "withdraws_url": verdict_url(project, verdict.withdraws) if verdict.withdraws else None,
        "undo_url": withdraw_url(project, verdict.id)
        if offered and may_withdraw(scope, verdict)
        else None,
    }
