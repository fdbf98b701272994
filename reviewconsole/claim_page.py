"""What the desk says about who is at a decision, and about those who left it for later."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from graphstore.desk import Desk
from reviewconsole import claims, problems, words
from reviewconsole.access import Scope
from reviewconsole.addresses import (
    claim_url,
    decision_url,
    draft_url,
    leave_url,
    open_url,
)
from reviewconsole.claims import Holder
from reviewconsole.directions import closed
from reviewconsole.flow import note_place, position, previous_item, set_aside_by, snoozes
from reviewconsole.leave_form import LeaveForm
from reviewconsole.refused import refusal_of
from reviewconsole.skipped import skipped_in
from reviewconsole.waiting import Filters

__all__ = ["claim_context", "claim_refusal", "claim_state", "left_words"]


def claim_context(
    request: HttpRequest, scope: Scope, desk: Desk, filters: Filters, *, reviewable: bool
) -> dict[str, Any]:
    """`claim` and `going` of the desk. Opened from the queue, a waiting decision is taken."""
    project, decision = scope.project_id, desk.decision
    query = filters.query()
    if not reviewable:
        return {"claim": None, "going": None}
    if request.method == "GET" and request.GET.get("take"):
        claims.take(scope.user, project, decision.id)
        note_place(scope.user, project, filters, decision.id)
    version = {decision.id: decision.version}
    aside = set_aside_by(project, version).get(decision.id, [])
    before = previous_item(project, filters, decision.id)
    return {
        "claim": _shown(scope, decision.id, claim_url(project, decision.id, **query)),
        "going": {
            "url": leave_url(project, decision.id, **query),
            "draft_url": draft_url(project, decision.id),
            "version": decision.version,
            "back_url": open_url(project, before, **query) if before else None,
            "at": position(scope.user, project, filters, decision.id),
            "aside": aside,
            "aside_mine": any(one.user_id == scope.user.pk for one in aside),  # pyright: ignore[reportAttributeAccessIssue]
            "snooze": snoozes(project, version).get(decision.id),
            "skipped": decision.id in skipped_in(request, project),
            "choices": LeaveForm().fields["until"].choices,  # pyright: ignore[reportAttributeAccessIssue]
            "today": timezone.localdate().isoformat(),
        },
    }


def _shown(scope: Scope, decision_id: UUID, url: str) -> dict[str, Any]:
    holder = claims.holder_of(scope.project_id, decision_id)
    return {
        "url": url,
        "state": _state(scope, holder),
        "holder": holder,
        "fence": claims.fence_of(scope.user, scope.project_id, decision_id),
        "warn_seconds": claims.WARN_SECONDS,
        "minutes": claims.LEASE_MINUTES,
    }


def _state(scope: Scope, holder: Holder | None) -> str:
    if holder is None:
        return "free"
    return "mine" if holder.user_id == scope.user.pk else "other"


def claim_state(scope: Scope, decision_id: UUID) -> dict[str, Any]:
    """How a claim stands, for the script of the desk."""
    holder = claims.holder_of(scope.project_id, decision_id)
    return {
        "state": _state(scope, holder),
        "fence": claims.fence_of(scope.user, scope.project_id, decision_id),
        "name": holder.name if holder else "",
        "why": holder.why if holder else "",
        "until": holder.until.isoformat() if holder else None,
    }


def claim_refusal(holder: Holder) -> dict[str, Any]:
    """409: somebody else holds it. Names them, and leads to the form that takes it over."""
    said = _("%(name)s holds it since %(since)s, until %(until)s.") % {
        "name": holder.name,
        "since": words.clock_words(holder.since),
        "until": words.clock_words(holder.until),
    }
    details = [said, *([f"“{closed(holder.why)}”"] if holder.why else [])]
    links = [{"label": _("Take it over"), "url": "#claim"}]
    return refusal_of("claimed", problems.CLAIMED) | {"details": details, "links": links}


def left_words(scope: Scope, decision_id: UUID, form: LeaveForm) -> str:
    """What was done with the decision that was left, and the way back to it."""
    match form.cleaned_data["leave"]:
        case "skip":
            said = _("Skipped: it is not offered to you again before you sign in anew.")
        case "aside":
            said = _("Set aside: others read why you could not judge it.")
        case _:
            until = form.snoozed_until
            said = (
                _("Snoozed until %(day)s, or until it changes.")
                % {"day": words.moment_words(until)}
                if until
                else _("Snoozed until it changes.")
            )
    back = decision_url(scope.project_id, decision_id)
    return format_html('{} <a href="{}">{}</a>', said, back, _("Look at it again"))
