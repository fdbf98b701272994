"""No template says a sentence that a translator could not get at."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "templates"

SAID = {"aria-label", "aria-description", "alt", "placeholder", "title"}
"""Attributes that people read or hear."""

TRANSLATED = re.compile(
    r"{% comment %}.*?{% endcomment %}"
    r"|{% blocktranslate\b.*?{% endblocktranslate %}"
    r"|{% block body_class %}.*?{% endblock %}",
    re.DOTALL,
)
TAG_OR_VALUE = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL)
DEFAULT = re.compile(r"""\|default(?:_if_none)?:"[^"]*[A-Za-z]{2}[^"]*\"""")
GIVEN = re.compile(
    r"""{% include [^%]*\b(?:label|title|words|sentence|verb|hint)=["'][^"']*[A-Za-z]{2}"""
)
WORD = re.compile(r"[A-Za-z]{2,}|\b[AI]\b")
ALIKE = {
    "Review Console",
    "Ctrl",
    "Esc",
    "Enter",
    "SHA",
    "API",
    "JSON",
    "CSV",
    "SVG",
    "openapi.json",
}
"""Names and keys that are the same in every language."""

LITERAL = {"code", "kbd", "pre", "script"}
"""Elements whose text is typed or compared letter by letter, never read as a sentence."""


class Bare(HTMLParser):
    """Collects what stands in a template outside every translation."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.literal = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.literal += tag in LITERAL
        for name, value in attrs:
            if name in SAID:
                self._look_at(value or "")

    def handle_endtag(self, tag: str) -> None:
        self.literal -= tag in LITERAL

    def handle_data(self, data: str) -> None:
        if not self.literal:
            self._look_at(data)

    def _look_at(self, text: str) -> None:
        for same in ALIKE:
            text = text.replace(same, "")
        if WORD.search(text):
            self.found.append(" ".join(text.split()))


def bare_sentences(source: str) -> list[str]:
    """What a template says without asking for a translation."""
    source = TRANSLATED.sub("", source)
    given = [hit.group() for pattern in (DEFAULT, GIVEN) for hit in pattern.finditer(source)]
    parser = Bare()
    parser.feed(TAG_OR_VALUE.sub("", source))
    parser.close()
    return parser.found + given


def test_every_template_can_be_translated() -> None:
    """Sentences, names of controls and hints stand in translations, without an exception."""
    found = {
        path.relative_to(TEMPLATES).as_posix(): bare_sentences(path.read_text())
        for path in TEMPLATES.rglob("*.html")
    }
    bare = {name: sentences for name, sentences in found.items() if sentences}
    assert bare == {}


@pytest.mark.parametrize(
    "source",
    [
        "<p>Nothing waits</p>",
        '<a aria-label="Where this stands" href="{{ url }}">1</a>',
        "{% if one %}A task{% endif %}",
        '<input placeholder="Search decisions">',
        '{{ name|default:"task deleted" }}',
        '{% include "a.html" with label="Reaffirm" only %}',
        '{% translate "Done" %} by {{ name }}',
    ],
)
def test_what_cannot_be_translated_is_found(source: str) -> None:
    """Wherever it stands: in text, in an attribute, behind a filter, handed to a part."""
    assert bare_sentences(source)


@pytest.mark.parametrize(
    "source",
    [
        '<p>{% translate "Nothing waits" %}</p>',
        '<a aria-label="{% translate "Pages" %}" class="button">{{ number }}</a>',
        "{% blocktranslate count n=n %}{{ n }} task{% plural %}{{ n }} tasks{% endblocktranslate %}",
        '{{ name|default:_("task deleted") }}<kbd>Enter</kbd>',
        "{% comment %}Wants `item`.{% endcomment %}",
    ],
)
def test_what_is_translated_is_not_complained_about(source: str) -> None:
    """Translations, numbers, literals and notes to whoever edits the template."""
    assert bare_sentences(source) == []
