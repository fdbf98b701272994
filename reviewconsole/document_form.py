"""The forms with which a librarian puts a document, and an admin lets a project read one."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext, gettext_lazy

from graphstore.citation import public_uri
from graphstore.records import Document
from reviewconsole.document_text import as_it_breaks_lines

__all__ = ["MOST_CHARS", "DocumentForm", "GrantForm", "RemovalForm", "typed_document"]

MOST_CHARS = 500_000
"""Some 200 pages. It keeps a form within what one request may carry, whatever the script."""

MOST_BYTES = 4 * MOST_CHARS
FILE_KINDS = (".txt", ".md")


class DocumentForm(forms.Form):
    """A document as a librarian writes it. A file that was chosen takes the place of the text.

    `document` and `current` are the one that is changed and its text; a new one
    needs a key.
    """

    document_key = forms.CharField(
        label=gettext_lazy("Key"),
        error_messages={"required": gettext_lazy("Give it a key, by which agents name it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    title = forms.CharField(label=gettext_lazy("Title"), required=False, max_length=500)
    uri = forms.CharField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=2_000,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24, "cols": 80, "maxlength": MOST_CHARS}),
    )
    clears = forms.CharField(required=False, widget=forms.HiddenInput)
    """What the preview said would be taken away, so that sending it twice says the same twice."""
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".txt,.md,text/plain,text/markdown"}),
    )

    use_required_attribute = False

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: MultiValueDict[str, UploadedFile] | None = None,
        *,
        document: Document | None = None,
        current: str | None = None,
    ) -> None:
        initial = {
            "title": (document and document.title) or "",
            "uri": (document and document.uri) or "",
            "text": current or "",
        }
        super().__init__(data, files, initial=initial)
        self.document, self.current = document, current
        if document is not None:
            del self.fields["document_key"]

    def clean_uri(self) -> str:
        uri: str = self.cleaned_data["uri"]
        known = (self.document and self.document.uri) or ""
        if uri and uri != known and public_uri(uri) is None:
            raise forms.ValidationError(
                gettext("An address begins with https:// or http:// and holds no password.")
            )
        return uri

    def clean_file(self) -> str | None:
        """The text of the file, None when none was chosen."""
        file: UploadedFile | None = self.cleaned_data["file"]
        if not file:
            return None
        if PurePath(file.name or "").suffix.lower() not in FILE_KINDS:
            raise forms.ValidationError(gettext("Only files that end in .txt or .md are read."))
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(_too_long())
        file.seek(0)  # Another form of this request may have read it before.
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(
                gettext("This file is not UTF-8 text. Save it as UTF-8, and choose it again.")
            ) from None
        if "\0" in text:
            raise forms.ValidationError(
                gettext("This file holds a character that no record can keep.")
            )
        return text

    def clean(self) -> dict[str, Any]:
        read = self.cleaned_data.get("file")
        if read is not None:
            self._keep(read)
            self.cleaned_data["text"] = read
        text = as_it_breaks_lines(self.cleaned_data.get("text") or "", self.current)
        if "text" not in self.errors and "file" not in self.errors:
            if not text.strip():
                self.add_error("text", gettext("Write the text, or choose a file."))
            elif len(text) > MOST_CHARS:
                self.add_error("text", _too_long())
        self.cleaned_data["text"] = text
        return self.cleaned_data

    def _keep(self, text: str) -> None:
        """Show the file's text from now on: no browser sends a file twice by itself."""
        self.data = {name: self.data[name] for name in self.data} | {"text": text}

    # What the operation takes. Valid forms only.

    @property
    def key(self) -> str:
        return self.document.document_key if self.document else self.cleaned_data["document_key"]

    @property
    def text_sent(self) -> str:
        return self.cleaned_data["text"]

    @property
    def metadata(self) -> dict[str, str | None]:
        """Title and address; None where there is none and none was written."""
        title, uri = self.cleaned_data["title"], self.cleaned_data["uri"]
        cleared = self._cleared
        return {
            "title": title or ("" if "title" in cleared else None),
            "uri": uri or ("" if "uri" in cleared else None),
        }

    @property
    def _cleared(self) -> list[str]:
        said: str = self.cleaned_data["clears"]
        if said or self.document is None:
            return said.split()
        had = {"title": self.document.title, "uri": self.document.uri}
        return [name for name, value in had.items() if value and not self.cleaned_data[name]]

    @property
    def shown_title(self) -> str:
        return self.cleaned_data["title"] or self.key

    @property
    def sent(self) -> list[tuple[str, str]]:
        """What the preview carries on to the write, as hidden fields."""
        names = (
            ["title", "uri", "text"] if self.document else ["document_key", "title", "uri", "text"]
        )
        sent = [(name, str(self.cleaned_data[name])) for name in names]
        return [*sent, ("clears", " ".join(self._cleared))]


class RemovalForm(forms.Form):
    """Removing asks for the document's name, since it flags whoever cites it and cannot be undone."""

    name = forms.CharField(
        label=gettext_lazy("Its title or its key"),
        error_messages={"required": gettext_lazy("Type its title or its key.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    use_required_attribute = False

    def __init__(self, data: Mapping[str, Any] | None = None, *, document: Document) -> None:
        super().__init__(data)
        self.document = document

    def clean_name(self) -> str:
        name = _plain(self.cleaned_data["name"])
        if name not in {_plain(self.document.title or ""), _plain(self.document.document_key)}:
            raise forms.ValidationError(gettext("This is neither its title nor its key."))
        return name


class GrantForm(forms.Form):
    """The key of a document that the project shall read, or shall not read any more."""

    document_key = forms.CharField(
        label=gettext_lazy("Key of the document"),
        error_messages={"required": gettext_lazy("Name the document by its key.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    use_required_attribute = False


def typed_document(data: Mapping[str, Any]) -> list[dict[str, str]]:
    """What a person wrote, for a page that has no form left to show it in."""
    labels = {
        "document_key": gettext("Key"),
        "title": gettext("Title"),
        "uri": gettext("Address"),
        "text": gettext("Text"),
    }
    written = [(label, str(data.get(name, ""))) for name, label in labels.items()]
    return [{"label": label, "text": text} for label, text in written if text.strip()]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _too_long() -> str:
    return gettext("The text is longer than %(most)s characters. Put it as several documents.") % {
        "most": f"{MOST_CHARS:,}"
    }
