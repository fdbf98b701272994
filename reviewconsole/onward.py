"""Where somebody goes from a decision: to the next that they may judge, or back to the queue."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from reviewconsole.access import Role, Scope
from reviewconsole.addresses import decision_url, open_url, queue_url
from reviewconsole.flow import left_out, next_item, note_place, plain_next
from reviewconsole.skipped import skipped_in
from reviewconsole.waiting import Filters

__all__ = ["after"]


def after(request: HttpRequest, scope: Scope, filters: Filters, here: UUID | None) -> str:
    """The address to go on to. A reviewer holds what it leads to; a reader only reads."""
    project = scope.project_id
    if not scope.may(Role.REVIEWER):
        following = plain_next(project, filters, here)
        if following is None:
            return queue_url(project, **filters.query())
        return decision_url(project, following, **filters.query())
    skipped = skipped_in(request, project)
    found = next_item(scope.user, project, filters, here, skipped)
    if found is not None:
        note_place(scope.user, project, filters, found)
        return open_url(project, found, **filters.query())
    _say_what_is_left(request, scope, filters, skipped)
    return queue_url(project, **filters.query())


def _say_what_is_left(
    request: HttpRequest, scope: Scope, filters: Filters, skipped: list[UUID]
) -> None:
    """Why nothing comes although something waits: a queue that seems empty must say so."""
    left = left_out(scope.user, scope.project_id, filters, skipped)
    if not left.any:
        return
    parts = [
        _("%(number)s held by others") % {"number": left.held},
        _("%(number)s snoozed") % {"number": left.snoozed},
        _("%(number)s that you could not judge") % {"number": left.aside},
        _("%(number)s that you skipped") % {"number": left.skipped},
    ]
    numbers = (left.held, left.snoozed, left.aside, left.skipped)
    said = ", ".join(part for part, number in zip(parts, numbers, strict=True) if number)
    if said:
        messages.info(request, _("Nothing is left for you just now: %(what)s.") % {"what": said})
