"""The form with which a decision is left for now: skipped, set aside with a reason, or snoozed."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

__all__ = ["LONGEST", "LeaveForm", "TakeOverForm"]

LONGEST = 4_000
_FARTHEST = timedelta(days=366)


class LeaveForm(forms.Form):
    """`version` is the decision's as the page showed it: a newer one is not meant."""

    leave = forms.ChoiceField(
        choices=[(name, name) for name in ("skip", "unskip", "aside", "unaside", "snooze", "wake")]
    )
    version = forms.IntegerField(min_value=0, max_value=2**62, required=False)
    aside_why = forms.CharField(max_length=LONGEST, required=False)
    until = forms.ChoiceField(
        choices=[
            ("tomorrow", _("until tomorrow morning")),
            ("week", _("for a week")),
            ("month", _("for 30 days")),
            ("date", _("until a day")),
            ("change", _("until it changes again")),
        ],
        required=False,
    )
    day = forms.DateField(required=False)

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("leave") == "aside" and not given.get("aside_why"):
            self.add_error("aside_why", _("Write why you cannot judge it; others read it."))
        if given.get("leave") == "snooze":
            self._clean_snooze()
        return given

    def _clean_snooze(self) -> None:
        if not self.cleaned_data.get("until"):
            self.add_error("until", _("Choose how long it is to rest."))
            return
        until = self.snoozed_until
        if self.cleaned_data["until"] == "date" and until is None:
            self.add_error("day", _("Choose the day on which it is to come back."))
        elif until and not timezone.now() < until < timezone.now() + _FARTHEST:
            self.add_error("day", _("Choose a day after today and within a year."))

    @property
    def version_shown(self) -> int:
        return self.cleaned_data.get("version") or 0

    @property
    def snoozed_until(self) -> datetime | None:
        """Six in the morning of that day, in the reader's zone; None for its next change only."""
        today = timezone.localdate()
        days = {"tomorrow": 1, "week": 7, "month": 30}
        match self.cleaned_data.get("until"):
            case "change":
                return None
            case "date":
                day = self.cleaned_data.get("day")
            case choice:
                day = today + timedelta(days=days[choice or "tomorrow"])
        return timezone.make_aware(datetime.combine(day, time(6))) if day else None


class TakeOverForm(forms.Form):
    """Why a decision is taken from whoever holds it. They read it, and so does everybody else."""

    takeover_why = forms.CharField(
        max_length=LONGEST,
        error_messages={"required": _("Write why you take it over; whoever held it reads it.")},
    )
