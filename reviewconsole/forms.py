"""Form input, and the operation arguments that it becomes."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from graphstore.ids import MalformedEvidenceId, parse_evidence_id
from graphstore.records import DocumentSupportInput, Ground, SupportInput
from reviewconsole import words
from reviewconsole.offers import DROP, KEEP, PRESENT, Offer, unchanged_texts

__all__ = [
    "TEXTS",
    "Passage",
    "VerdictForm",
    "evidence_name",
    "new_request_id",
    "picked_name",
    "support_name",
    "typed_texts",
]

TEXTS = ("explanation", "conclusion", "rationale", "assumptions", "open_questions")
LONGEST = 32_000

Passage = tuple[str, str]
"""An evidence id and the text it names."""


def new_request_id() -> str:
    """What makes sending one form twice one verdict."""
    return str(uuid4())


def _text(rows: int, **options: Any) -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": rows, "cols": 40}),
        **options,
    )


class VerdictForm(forms.Form):
    """One form for the three verdicts: whoever changes their mind keeps what they typed.

    `offers` are the supports as the page offered them, `passages` the choices to
    draw for each document among them. A form that is only read needs no passages:
    any passage of the right document is well-formed, and the operation checks it.
    `picked` are passages that a person picked out of the text, one for a document; they
    are drawn beside the others. `hidden_choices` is for a page without the evidence: what
    was chosen there comes back as it was, unseen.
    """

    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"),
        choices=[
            ("reaffirm", gettext_lazy("Reaffirm")),
            ("supersede", gettext_lazy("Supersede")),
            ("reject", gettext_lazy("Reject")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose a verdict.")},
    )
    ground = forms.ChoiceField(
        label=gettext_lazy("Ground"),
        required=False,
        choices=lambda: [(ground.value, label) for ground, label in words.GROUNDS.items()],
        widget=forms.RadioSelect,
    )
    explanation = _text(rows=3, label=gettext_lazy("Why"))
    conclusion = _text(rows=4, label=gettext_lazy("New conclusion"))
    rationale = _text(rows=4, label=gettext_lazy("Rationale"))
    assumptions = _text(rows=2, label=gettext_lazy("Assumptions, one a line"))
    open_questions = _text(rows=2, label=gettext_lazy("Open questions, one a line"))
    seen = forms.CharField(widget=forms.HiddenInput)
    request_id = forms.CharField(widget=forms.HiddenInput, max_length=64)
    offered = forms.CharField(widget=forms.HiddenInput)
    opened = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    """Which folded evidence was opened, by number; a script writes it."""

    use_required_attribute = False

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        offers: Sequence[Offer],
        passages: Mapping[int, Sequence[Passage]] | None = None,
        picked: Mapping[int, Passage] | None = None,
        hidden_choices: bool = False,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.offers = list(offers)
        self.picked = dict(picked or {})
        for offer in self.offers:
            if offer.choices:
                self.fields[support_name(offer.index)] = _support_field(
                    offer, hidden=hidden_choices
                )
            if offer.kind == "document":
                choices = list((passages or {}).get(offer.index, []))
                own = self.picked.get(offer.index)
                choices += [own] if own and own not in choices else []
                field = _passage_field(offer, choices, hidden=hidden_choices)
                self.fields[evidence_name(offer.index)] = field

    def clean(self) -> dict[str, Any]:
        match self.cleaned_data.get("verdict"):
            case "reaffirm":
                self._clean_reaffirm()
            case "supersede":
                self._clean_supersede()
            case "reject":
                self._need("explanation", _("Write why it is rejected; agents read it."))
            case _:
                pass
        return self.cleaned_data

    def _clean_reaffirm(self) -> None:
        """Where no passage can be chosen, the operation says what is in the way."""
        picked = False
        for offer in self._documents():
            if not offer.keepable:
                continue
            name = evidence_name(offer.index)
            chosen = self._need(name, _("Choose the passage that it stands on now."))
            picked = picked or bool(chosen and chosen != offer.proposed)
        if picked:
            self._need(
                "explanation",
                _(
                    "You picked a passage whose words differ from what was cited: write why the "
                    "conclusion still holds."
                ),
            )

    def _clean_supersede(self) -> None:
        self._need("conclusion", _("Write the new conclusion."))
        self._need("rationale", _("Write the rationale of the new conclusion."))
        self._need("explanation", _("Write why it replaces the old one."))
        for offer in self.offers:
            if offer.choices:
                self._need(
                    support_name(offer.index), _("Choose whether the new revision cites it.")
                )
            if self.chosen(offer) == PRESENT and offer.kind == "document":
                self._need(
                    evidence_name(offer.index),
                    _("Choose the passage that the new conclusion cites."),
                )
        if all(self.chosen(offer) == DROP for offer in self.offers if offer.choices):
            self.add_error(None, _("A new revision has to stand on something: keep a support."))
        elif self._nothing_new():
            self.add_error(
                "conclusion",
                _(
                    "Nothing is new: the conclusion and everything that it stands on are as they "
                    "were. Change one of them, or reaffirm the decision."
                ),
            )

    def _nothing_new(self) -> bool:
        """Whether this is the old conclusion on the old supports: no revision, a reaffirmation."""
        same = "conclusion" in unchanged_texts(
            self.cleaned_data.get("offered", ""),
            {"conclusion": self.cleaned_data.get("conclusion", "")},
        )
        return same and all(offer.choices and self.chosen(offer) == KEEP for offer in self.offers)

    def chosen(self, offer: Offer) -> str:
        """What a new revision does with this support; nothing while that was not said."""
        return self.cleaned_data.get(support_name(offer.index)) or ""

    def _need(self, name: str, message: str) -> str:
        value = self.cleaned_data.get(name) or ""
        if not value and name not in self.errors:
            self.add_error(name, message)
        return value

    def _documents(self) -> list[Offer]:
        return [offer for offer in self.offers if offer.kind == "document"]

    # What the operations take. Valid forms only.

    @property
    def verdict_chosen(self) -> str:
        return self.cleaned_data["verdict"]

    @property
    def ground_chosen(self) -> Ground | None:
        ground = self.cleaned_data["ground"]
        return Ground(ground) if ground else None

    @property
    def evidence(self) -> list[DocumentSupportInput]:
        """The present passages that a reaffirmation stands on, each once."""
        chosen = [self.cleaned_data.get(evidence_name(offer.index)) for offer in self._documents()]
        return [DocumentSupportInput(evidence_id=one) for one in dict.fromkeys(chosen) if one]

    @property
    def kept_supports(self) -> list[SupportInput]:
        """What a new revision stands on, in the order of the page, each once."""
        kept: dict[SupportInput, None] = {}
        for offer in self.offers:
            passage = self.cleaned_data.get(evidence_name(offer.index), "")
            support = offer.support(self.chosen(offer), passage)
            if support is not None:
                kept[support] = None
        return list(kept)

    @property
    def kept_evidence_ids(self) -> list[str]:
        """The passages among what a new revision stands on."""
        kept = self.kept_supports
        return [one.evidence_id for one in kept if isinstance(one, DocumentSupportInput)]

    def lines(self, name: str) -> list[str]:
        """A field with one entry a line, blank lines left out."""
        return [line.strip() for line in self.cleaned_data[name].splitlines() if line.strip()]


def typed_texts(form: VerdictForm) -> list[dict[str, str]]:
    """What a person wrote, for a page that has no form left to show it in."""
    texts = {name: str(form[name].value() or "") for name in TEXTS}
    old = unchanged_texts(str(form["offered"].value() or ""), texts)
    return [
        {"label": str(form[name].label), "text": text}
        for name, text in texts.items()
        if text.strip() and name not in old
    ]


def evidence_name(index: int) -> str:
    return f"evidence_{index}"


def picked_name(index: int) -> str:
    """The field that says which passage a person picked, whether or not it is the one chosen."""
    return f"picked_{index}"


def support_name(index: int) -> str:
    """The field that says what a new revision does with a support."""
    return f"support_{index}"


_CHOICES = {
    KEEP: gettext_lazy("keep"),
    PRESENT: gettext_lazy("use the present passage"),
    DROP: gettext_lazy("drop"),
}


def _support_field(offer: Offer, *, hidden: bool) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Stands on"),
        required=False,
        choices=[(choice, _CHOICES[choice]) for choice in offer.choices],
        initial=KEEP if offer.quiet else None,
        widget=forms.HiddenInput if hidden else forms.RadioSelect,
    )


class _PassageField(forms.ChoiceField):
    """A passage of one document's text: any, not only those drawn."""

    def __init__(self, document_id: str, **options: Any) -> None:
        super().__init__(**options)
        self.document_id = document_id

    def valid_value(self, value: str) -> bool:
        try:
            return parse_evidence_id(value).document_id == self.document_id
        except MalformedEvidenceId:
            return False


def _passage_field(offer: Offer, choices: Sequence[Passage], *, hidden: bool) -> _PassageField:
    return _PassageField(
        offer.ref,
        label=gettext_lazy("Passage now"),
        required=False,
        choices=list(choices),
        initial=offer.proposed or None,
        widget=forms.HiddenInput if hidden else forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("This is not a passage of that document.")},
    )
