"""The form with which a manager settles what holds for a project's reviewers."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from reviewconsole.bulk_models import HIGHEST_LIMIT, LIMIT, ProjectSettings
from reviewconsole.models import User

__all__ = ["SettingsForm", "fresh_settings", "instructions_of"]

LONGEST = 4_000


class SettingsForm(forms.Form):
    instructions = forms.CharField(
        label=_("Instructions"),
        required=False,
        max_length=LONGEST,
        help_text=_("what reviewers of this project should know; shown on the queue and the desk"),
        widget=forms.Textarea(attrs={"rows": 6, "cols": 40}),
    )
    bulk_limit = forms.IntegerField(
        label=_("Judge singly from so many dependents on"),
        min_value=0,
        max_value=HIGHEST_LIMIT,
        help_text=_("a decision on which so many rest is never judged in bulk; 0 for none at all"),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    use_required_attribute = False

    def save(self, project_id: str, user: User) -> None:
        """Settle it. Valid forms only."""
        ProjectSettings.objects.update_or_create(
            project_id=project_id,
            defaults={
                "instructions": self.cleaned_data["instructions"].strip(),
                "bulk_limit": self.cleaned_data["bulk_limit"],
                "changed_by": user,
            },
        )


def fresh_settings(project_id: str) -> tuple[SettingsForm, ProjectSettings | None]:
    """The form as things are settled, and who settled it when, if anybody did."""
    settled = ProjectSettings.objects.select_related("changed_by").filter(project_id=project_id)
    known = settled.first()
    initial: dict[str, Any] = {"bulk_limit": LIMIT}
    if known is not None:
        initial = {"bulk_limit": known.bulk_limit, "instructions": known.instructions}
    return SettingsForm(initial=initial), known


def instructions_of(project_id: str) -> str:
    """What reviewers of the project should know; nothing where nobody wrote anything."""
    settled = ProjectSettings.objects.filter(project_id=project_id)
    return settled.values_list("instructions", flat=True).first() or ""
