"""Bad input at the console's doors: every path, query and form, with what nobody should send.

The pages, their parameters and their fields are found by walking: what is added is
tried without a word here.
"""

from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls.converters import IntConverter, UUIDConverter

from reviewconsole import problems
from reviewconsole.addresses import NameConverter, to_segment
from reviewconsole.models import User
from reviewconsole.urls import urlpatterns
from tests.contract.bad_input import ODD
from tests.web.browsing import Answer, post
from tests.web.conftest import SignedIn
from tests.web.test_permissions import DOORS
from tests.web.world import World

MARKUP = ODD["markup"]
NAMED = ["markup", "right to left", "combining", "Cypher", "controls", "blank"]
NUL = "a\0b"
PARTS: dict[type, list[str]] = {
    NameConverter: [
        "~", "~00", "a~00b", "~ZZ", "~ED~A0~80", "~C3", "%00", "%FF", "..", "%2E%2E", "a%2Fb",
        "~2e", "x" * 9_000, *(to_segment(ODD[name]) for name in NAMED),
    ],
    UUIDConverter: [
        "00000000-0000-0000-0000-000000000000", "0", "x" * 9_000, "~00", "%00",
        "ABCDEF00-0000-0000-0000-000000000000",
    ],
    IntConverter: ["0", "9007199254740993", "9" * 30, "9" * 5_000, "-1", "%00"],
}  # fmt: skip
QUERIES: list[str] = [
    NUL,
    *(ODD[name] for name in NAMED),
    "x" * 9_000,
    "-1",
    "9" * 5_000,
    "٣",
    "2026-01-01T00:00:00+00:00~x",
    "9999-12-31T23:59:59-23:59~",
    "1.2",
]
PLACES = {"cursor", "after", "citers"}
"""Parameters that say where a list goes on: what no page gave is nowhere."""
FINE = (200, 204, 303)
SIGN_OUT = "/signout"
PAGES = sorted({door.name for door in DOORS if door.method == "GET"} - {"health"})
FORMS = sorted({door.name for door in DOORS if door.method == "POST"} - {"signout"})


def good(name: str, world: World) -> str:
    """An address under which there is something: the page's, or where its form is sent."""
    doors = {door.method: door for door in DOORS if door.name == name}
    return (doors.get("GET") or doors["POST"]).url(world)


@pytest.fixture
def client(signed_in: SignedIn) -> Client:
    """Somebody who may do everything; what breaks comes as a page, as it does to people."""
    client = signed_in(User.objects.create_superuser("root", password="correct horse"))
    client.raise_request_exception = False
    return client


def settled(answer: Answer) -> bool:
    """Whether a person is told something: a page, the way to one, a file, or what is wrong.

    What only a script asks for may have nothing to tell.
    """
    body = answer.getvalue().decode()
    kept = answer.get("Content-Disposition", "").startswith("attachment;")
    plain = answer.get("Content-Type", "").startswith("text/markdown")
    told = answer.status_code in (303, 204) or "<h1" in body or kept or plain
    return answer.status_code < 500 and told and "<script>alert" not in body


def bad_paths(name: str, url: str) -> Iterator[str]:
    """The page's address with one part made bad, for each part."""
    (pattern,) = [one for one in urlpatterns if getattr(one, "name", None) == name]
    pieces = url.partition("?")[0].strip("/").split("/")
    route = str(pattern.pattern).split("/")
    for place, piece in enumerate(route):
        converter = pattern.pattern.converters.get(piece.strip("<>").rpartition(":")[2])
        for bad in PARTS[type(converter)] if converter else ():
            yield "/" + "/".join([*pieces[:place], bad, *pieces[place + 1 :]])


@pytest.mark.parametrize("name", PAGES)
def test_an_address_that_names_nothing_is_a_page_that_says_so(
    name: str, world: World, client: Client
) -> None:
    """Each part of each path: nothing there, or not an address at all; never a broken page."""
    for url in bad_paths(name, good(name, world)):
        answer = client.get(url)
        assert (answer.status_code, settled(answer)) == (404, True), url[:200]
        assert problems.NOT_FOUND.title in answer.content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_a_query_that_nobody_understands_breaks_no_page(
    name: str, world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each parameter that the page reads, alone and in the face of all others."""
    url, read = good(name, world).partition("?")[0], set[str]()
    get = QueryDict.get

    def note(self: QueryDict, key: str, default: Any = None) -> Any:
        read.add(key)
        return get(self, key, default)

    with monkeypatch.context() as patch:
        patch.setattr(QueryDict, "get", note)
        assert client.get(url).status_code in FINE
    alone = [{key} for key in sorted(read & PLACES)]
    for keys in [read - PLACES, *alone]:
        for value in QUERIES:
            answer = client.get(url, dict.fromkeys(keys, value))
            assert answer.status_code in ((*FINE, 404) if keys in alone else FINE), keys
            assert settled(answer), (keys, value[:80])


class Forms(HTMLParser):
    """The forms of a page that are posted, each with its address and its fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str], set[str]]] = []
        self._open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Fill in each field as somebody would: words into texts, the first of each choice."""
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self._open = given.get("method") == "post"
            if self._open:
                self.forms.append((given.get("action", ""), {}, set()))
        name = given.get("name", "")
        if not self._open or not name or name == "csrfmiddlewaretoken":
            return
        _, fields, typed = self.forms[-1]
        kind = given.get("type", "text")
        if tag == "textarea" or (tag == "input" and kind in ("text", "search", "password")):
            fields[name] = f"typed {name}"
            typed.add(name)
        elif tag in ("input", "button", "select") and kind != "file":
            fields.setdefault(name, given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        """Fields behind a form are not its own."""
        self._open = self._open and tag != "form"


BAD = [NUL, MARKUP, "9" * 5_000]
BAD_TEXT = [NUL, MARKUP, "", "x" * 1_000_000]


@pytest.mark.parametrize("name", FORMS)
def test_a_form_with_a_bad_field_keeps_what_was_typed(
    name: str, world: World, client: Client
) -> None:
    """Each field of each form: a sentence about it, with all other words still there, or it is done."""
    world.shorten_policy()
    world.decide("days", "Refunds take a week.", [world.on(world.scope)], task="letters")
    url = good(name, world)
    if name == "signin":
        client.logout()
    shown = Forms(client.get(url).content.decode()).forms
    # A page whose form is not shown as things stand is posted to all the same.
    forms = [form for form in shown if form[0] != SIGN_OUT] or [(url, {"do": "x"}, set[str]())]
    for action, fields, typed in forms:
        for field in fields:
            for bad in BAD_TEXT if field in typed else BAD:
                answer = post(client, action or url, {**fields, field: bad})
                assert answer.status_code in (*FINE, 403, 404, 409, 422), (field, bad[:80])
                assert settled(answer), (field, bad[:80])
                if answer.status_code not in (204, 303):
                    body = unescape(answer.content.decode())
                    lost = [n for n in typed - {field, "password"} if fields[n] not in body]
                    assert lost == [], (field, bad[:80])
