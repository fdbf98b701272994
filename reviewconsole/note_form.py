"""A form that asks for one thing: why. For asking for review, and for taking a verdict back."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from reviewconsole.forms import LONGEST, new_request_id

__all__ = ["NoteForm", "fresh_note", "note_again"]


class NoteForm(forms.Form):
    """`seen` is the fingerprint of what the page showed, where its operation takes one."""

    explanation = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 40}),
        error_messages={"required": gettext_lazy("Write why; it is kept with the record.")},
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    request_id = forms.CharField(widget=forms.HiddenInput, max_length=64)

    use_required_attribute = False

    @property
    def why(self) -> str:
        return self.cleaned_data["explanation"]


def fresh_note(seen: str = "", typed: str = "", *, at_once: bool = False) -> NoteForm:
    """An empty form, or what was typed here before; `at_once` begins in its field."""
    form = NoteForm(initial={"seen": seen, "request_id": new_request_id(), "explanation": typed})
    if at_once:
        form.fields["explanation"].widget.attrs["autofocus"] = True
    return form


def note_again(sent: Mapping[str, Any], seen: str = "") -> NoteForm:
    """What was typed, on a page that shows things as they stand now."""
    return fresh_note(seen, str(sent.get("explanation", "")))
