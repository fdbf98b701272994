"""The form with which an admin makes a token."""

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.text import format_lazy, slugify
from django.utils.translation import gettext_lazy

from reviewconsole import words
from reviewconsole.models import Role
from reviewconsole.tokens import LONGEST_DAYS, NewToken

__all__ = ["RevokeForm", "TokenForm", "fresh_token_form"]


class TokenForm(forms.Form):
    """`most` is the role of the person at the form: a token gets that or less."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=100,
        error_messages={"required": gettext_lazy("Give it a name, so that you know it again.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    agent_id = forms.CharField(
        label=gettext_lazy("Agent"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("the author of what it records; agent: and the name, if left empty"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Holds for days"),
        min_value=1,
        max_value=LONGEST_DAYS,
        initial=90,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": format_lazy(
                gettext_lazy("Write for how many days it holds, 1 to {most}."), most=LONGEST_DAYS
            )
        },
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    use_required_attribute = False

    def __init__(
        self, data: Any = None, *, most: Role, librarian: bool, initial: Any = None
    ) -> None:
        super().__init__(data, initial=initial)
        self.fields["role"] = forms.TypedChoiceField(
            label=gettext_lazy("May act as"),
            choices=[(role.value, words.ROLES[role]) for role in Role if role <= most],
            coerce=lambda value: Role(int(value)),
            initial=Role.REVIEWER.value,
        )
        if librarian:
            self.fields["librarian"] = forms.BooleanField(
                label=gettext_lazy("May put and remove documents"), required=False
            )

    def token(self, project_id: str) -> NewToken:
        """What is asked for. Valid forms only."""
        sent = self.cleaned_data
        return NewToken(
            sent["name"],
            project_id,
            sent["role"],
            sent["agent_id"] or f"agent:{slugify(sent['name'], allow_unicode=True) or 'unnamed'}",
            sent["days"],
            librarian=sent.get("librarian", False),
            key=sent["key"],
        )


class RevokeForm(forms.Form):
    token = forms.UUIDField()

    @property
    def uuid(self) -> UUID:
        return self.cleaned_data["token"]


def fresh_token_form(most: Role, *, librarian: bool) -> TokenForm:
    """An empty form. Its key makes a double click one token."""
    return TokenForm(most=most, librarian=librarian, initial={"key": uuid4()})
