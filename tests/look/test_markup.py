"""Every page holds to the policy and is sound as a document, before any browser draws it."""

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.look.pages import all_pages
from tests.look.samples import HOSTILE

NAMES = sorted(all_pages())


class Seen(HTMLParser):
    """What of a page the tests ask about."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            self.ids[value or ""] += name == "id"


def read(drawn: Path, name: str) -> tuple[str, Seen]:
    html = (drawn / f"{name}.html").read_text()
    seen = Seen()
    seen.feed(html)
    return html, seen


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_inline(drawn: Path, name: str) -> None:
    """No style or script stands in the page, and no attribute runs anything."""
    html, seen = read(drawn, name)
    assert seen.tags["style"] == 0
    names = {attribute for _, attribute, _ in seen.attributes}
    assert "style" not in names
    assert not {attribute for attribute in names if attribute.startswith(("on", "hx-on"))}
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", html, re.DOTALL)
    assert all("src=" in attributes and not body.strip() for attributes, body in scripts)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_text_is_only_text(drawn: Path, name: str) -> None:
    """What agents wrote never becomes markup, nor a template."""
    html, _ = read(drawn, name)
    assert HOSTILE[:20] not in html
    assert "<img" not in html
    assert "{{ 7|add:7 }}" in html or "add:7" not in html


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_one_document(drawn: Path, name: str) -> None:
    """One h1, one main, a language, ids that are there once, one filled button at most."""
    _, seen = read(drawn, name)
    assert seen.tags["h1"] == 1
    assert seen.tags["main"] == 1
    assert ("html", "lang", "en") in seen.attributes
    assert [ident for ident, count in seen.ids.items() if count > 1] == []
    filled = [v for _, a, v in seen.attributes if a == "class" and "button--main" in v.split()]
    assert len(filled) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_references_inside_a_page_lead_somewhere(drawn: Path, name: str) -> None:
    """What a label, a description or a link inside the page names is there."""
    _, seen = read(drawn, name)
    named = {
        ident
        for _, attribute, value in seen.attributes
        for ident in value.split()
        if attribute in {"for", "aria-labelledby", "aria-describedby", "form"}
    }
    linked = {
        value[1:]
        for tag, attribute, value in seen.attributes
        if tag == "a" and attribute == "href" and re.fullmatch(r"#.+", value)
    }
    assert sorted((named | linked) - set(seen.ids)) == []


def test_every_style_and_script_is_there() -> None:
    """A page that names a file of ours finds it."""
    root = Path(__file__).parents[2]
    named = {
        path
        for template in (root / "templates").rglob("*.html")
        for path in re.findall(r"{% static '([^']+)' %}", template.read_text())
    }
    ours = {path for path in named if not path.startswith("vendor/")}
    assert ours
    assert [path for path in sorted(ours) if not (root / "static" / path).is_file()] == []
