"""Forms with which an admin erases, and what follows an erasure in the console."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from graphstore.results import RetentionResult
from reviewconsole.access import Scope
from reviewconsole.forms import new_request_id
from reviewconsole.jobs import run_jobs
from reviewconsole.text_stores import erase_quotes
from reviewconsole.verdicts import level_index

__all__ = ["ConfirmForm", "follow_up", "fresh", "was_typed"]


class ConfirmForm(forms.Form):
    """What is to go has to be typed, letter for letter.

    `seen` is the fingerprint of the plan that the page showed.
    """

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=2_000,
        strip=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Type it to confirm.")},
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    request_id = forms.CharField(widget=forms.HiddenInput, max_length=64)

    use_required_attribute = False

    def __init__(self, *args: Any, expected: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self._expected = expected

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"]
        if typed.strip() != self._expected.strip():
            raise forms.ValidationError(
                gettext("This is not what stands above; nothing was erased.")
            )
        return typed


def fresh(expected: str, seen: str, typed: str = "") -> ConfirmForm:
    """A form for the plan that is shown now, with what was typed before."""
    initial = {"name": typed, "seen": seen, "request_id": new_request_id()}
    return ConfirmForm(initial=initial, expected=expected)


def was_typed(sent: Mapping[str, Any]) -> list[dict[str, str]]:
    """What a refused post had typed, for a page that has no form to show it in."""
    typed = str(sent.get("name", ""))
    return [{"label": gettext("Typed to confirm"), "text": typed}] if typed.strip() else []


def follow_up(scope: Scope, result: RetentionResult, body: str = "") -> None:
    """Bring the console level with an erasure, and wake a worker for the jobs that it left.

    `body` is the text that was redacted: drafts that repeat it go, too.
    """
    if not result.recorded:
        return
    if body:
        erase_quotes(scope.project_id, body)
    if not result.left_to_job:
        level_index(scope)
    run_jobs(scope.project_id)
