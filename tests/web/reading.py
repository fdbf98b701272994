"""What a person reads and hears on a page, and what they can do there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

__all__ = ["Form", "Reading"]

HEARD = {"aria-label", "aria-description", "alt", "placeholder", "title"}
TYPED = {"code", "kbd", "pre", "script", "style", "textarea"}
"""Elements whose text is typed or compared letter by letter, in every language."""

ID = re.compile(r"([a-z]+:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{8,}\b")
LATIN = re.compile(r"[A-Za-z]{2,}|\b[AI]\b")
ALIKE = ("Review Console", "UTC", "Reaffirmed after review.")
"""The product, a time zone, and what the record holds where nobody wrote why."""

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Form:
    """A form that posts: where to, what it sends by itself, and what can be filled in."""

    url: str
    sent: dict[str, str] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    choices: dict[str, list[str]] = field(default_factory=dict)
    elsewhere: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    """Buttons that send the same fields to another address, and what they say there."""

    @property
    def kind(self) -> tuple[str, ...]:
        return (*sorted(self.sent), *sorted(self.texts), *sorted(self.choices))

    def answers(self, text: str, most: int) -> Iterator[dict[str, str]]:
        """As it comes, then with choices alone, then filled in, each time with another choice."""
        yield self.sent
        yield self.sent | {name: those[0] for name, those in self.choices.items()}
        options = max([1, *map(len, self.choices.values())])
        for turn in range(min(options, most)):
            chosen = {name: those[turn % len(those)] for name, those in self.choices.items()}
            yield {**self.sent, **dict.fromkeys(self.texts, text), **chosen}


class Reading(HTMLParser):
    """Reads a page: `latin` is what stands there in Latin letters, `links` where it leads.

    `names` are words that are the same in every language.
    """

    def __init__(self, html: str, url: str, names: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self._names = names
        self.latin: list[str] = []
        self.links: list[str] = []
        self.forms: dict[str, Form] = {}
        self._form = ""
        self._select = ""
        self._fields: list[tuple[str, str, dict[str, str]]] = []
        self._url = url
        self._apart: list[str] = []
        self.feed(html)
        self.close()
        for form, tag, given in self._fields:
            if form in self.forms:
                self._fill(self.forms[form], tag, given)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self._apart or tag in TYPED or given.get("lang") == "en":
            if tag not in VOID:
                self._apart.append(tag)
        else:
            for name in HEARD & set(given):
                self._read(given[name])
            if tag == "input" and given.get("type") in {"submit", "button"}:
                self._read(given.get("value", ""))
        self.links += [given[name] for name in ("href", "hx-get") if given.get(name)]
        self._take_part(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = ""
        if tag in self._apart:
            while self._apart.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._apart:
            self._read(data)

    def _read(self, text: str) -> None:
        said = ID.sub("", text)
        for same in ALIKE:
            said = said.replace(same, "")
        if LATIN.search(
            " ".join(word for word in said.split() if word.strip("[].,") not in self._names)
        ):
            self.latin.append(" ".join(text.split()))

    def _take_part(self, tag: str, given: dict[str, str]) -> None:
        if tag == "form" and given.get("method") == "post":
            self._form = given.get("id") or f"form {len(self.forms)}"
            self.forms[self._form] = Form(urljoin(self._url, given.get("action") or self._url))
        if tag == "select":
            self._select = given.get("name", "")
        if tag in {"button", "input", "option", "textarea"}:
            name = self._select if tag == "option" else given.get("name", "")
            # A field may stand before the form that it names.
            self._fields.append((given.get("form") or self._form, tag, given | {"name": name}))

    def _fill(self, form: Form, tag: str, given: dict[str, str]) -> None:
        name, value, kind = given["name"], given.get("value", ""), given.get("type", "text")
        if tag == "button" and given.get("formaction"):
            form.elsewhere.append((urljoin(self._url, given["formaction"]), {name: value}))
        elif not name:
            pass
        elif tag in {"button", "option"} or kind in {"radio", "checkbox"}:
            form.choices.setdefault(name, []).append(value or "on")
        elif kind == "hidden":
            form.sent[name] = value
        elif tag == "textarea" or kind in {"text", "search", "email", "password"}:
            form.texts.add(name)
