"""Saving, sharing and removing views of the queue.

A name is typed text and may quote a record, so both name and filters are registered
with the text stores.
"""

from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviewconsole.access import Role, Scope
from reviewconsole.filters import Filters, filters_of
from reviewconsole.models import SavedView
from reviewconsole.saved_view_models import NAME_LENGTH

__all__ = [
    "SaveForm",
    "may_take",
    "query_of",
    "remove_view",
    "save_view",
    "share_view",
    "view_of",
    "views_for",
]

MOST = 100
"""How many views one person may keep in a project, and how many are listed."""


class SaveForm(forms.Form):
    """What to call the filters of the address, and whether others see them."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        error_messages={
            "required": gettext_lazy("Give it a name."),
            "max_length": gettext_lazy("At most %(limit_value)d characters."),
        },
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    shared = forms.BooleanField(
        label=gettext_lazy("Everybody in the project sees it"), required=False
    )
    query = forms.CharField(widget=forms.HiddenInput, required=False, max_length=4_000)

    use_required_attribute = False


def query_of(filters: Filters) -> str:
    """The query that the address of these filters has, always written the same way."""
    return urlencode({name: value for name, value in filters.query().items() if value})


def views_for(scope: Scope) -> QuerySet[SavedView]:
    """One's own views and what others share in the project, by name."""
    seen = SavedView.objects.filter(
        Q(user=scope.user) | Q(shared=True), project_id=scope.project_id
    )
    return seen.select_related("user").order_by("name", "pk")


def view_of(scope: Scope, identity: UUID) -> SavedView | None:
    """A view that this person may see."""
    return views_for(scope).filter(uuid=identity).first()


def save_view(scope: Scope, form: SaveForm) -> SavedView | None:
    """Keep what a valid form says; None when it cannot, and then the form says why."""
    own = SavedView.objects.filter(user=scope.user, project_id=scope.project_id)
    if own.count() >= MOST:
        form.add_error("name", _("You have a hundred views here. Remove one first."))
        return None
    cleaned = form.cleaned_data
    view = SavedView(
        user=scope.user,
        project_id=scope.project_id,
        name=cleaned["name"],
        query=query_of(filters_of(QueryDict(cleaned["query"]))),
        shared=cleaned["shared"] and scope.may(Role.REVIEWER),
    )
    try:
        with transaction.atomic():
            view.save()
    except IntegrityError:
        form.add_error("name", _("You have a view of this name already."))
        return None
    return view


def share_view(scope: Scope, view: SavedView, *, shared: bool) -> bool:
    """Show one's own view to everybody in the project, or to nobody else any more."""
    if view.user != scope.user or (shared and not scope.may(Role.REVIEWER)):
        return False
    SavedView.objects.filter(pk=view.pk).update(shared=shared)
    return True


def may_take(scope: Scope, view: SavedView) -> bool:
    """Whether this person may take the view out of the list."""
    return view.user == scope.user or scope.may(Role.MANAGER)


def remove_view(scope: Scope, view: SavedView) -> bool:
    """Remove one's own view. A manager takes a shared one from the project; its owner keeps it."""
    if not may_take(scope, view):
        return False
    rows = SavedView.objects.filter(pk=view.pk)
    if view.user == scope.user:
        rows.delete()
    else:
        rows.update(shared=False)
    return True
