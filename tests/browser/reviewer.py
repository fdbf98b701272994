"""A reviewer without a browser: follows links, fills in forms, sends them, over real HTTP."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener
from uuid import UUID

from reviewconsole.addresses import next_item_url
from tests.browser.prepare import PASSWORD

__all__ = ["Page", "Reviewer"]


MOST = 400
"""Answers after which a reviewer who gets nowhere gives up."""


@dataclass
class Page(HTMLParser):
    """One page: its address, its status, and the hidden fields of its forms."""

    url: str
    status: int
    text: str
    fields: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("type") == "hidden":
            self.fields[given.get("name") or ""] = given.get("value") or ""

    @property
    def decision(self) -> UUID | None:
        """Which decision the page is about; None for the queue."""
        found = re.search(r"/decisions/([0-9a-f-]{36})", self.url)
        return UUID(found[1]) if found else None

    @property
    def refusal(self) -> str:
        """Why the form was refused, as the page says it; nothing if it was not."""
        found = re.search(r'id="refusal".*?<div>(.*?)</div>', self.text, re.DOTALL)
        return found[1].strip() if found else ""


class _Staying(HTTPRedirectHandler):
    """Redirects are followed by the reviewer, who notes where they lead."""

    def redirect_request(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        return


class Reviewer:
    """Somebody who is signed in, with cookies of their own. `statuses` are all they ever got."""

    def __init__(self, base: str, name: str, project: str) -> None:
        self._base = base
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()), _Staying())
        self.name, self.project = name, project
        self.statuses: list[int] = []
        self.judged: list[UUID] = []
        self.send(self.open("/signin"), "/signin", username=name, password=PASSWORD)

    def open(self, url: str) -> Page:
        """A page, with whatever redirects lead there."""
        return self._follow(self._request(url))

    def send(self, page: Page, url: str, **typed: str) -> Page:
        """Send a form of a page with what it holds and what was typed."""
        body = urlencode({**page.fields, **typed}).encode()
        return self._follow(self._request(url, body))

    def _request(self, url: str, body: bytes | None = None) -> Request:
        return Request(urljoin(self._base, url), data=body)  # noqa: S310 - our own server

    def _follow(self, request: Request) -> Page:
        answer = self._ask(request)
        while answer.status == 303:
            request = self._request(answer.headers["Location"])
            answer.read()
            answer = self._ask(request)
        return Page(request.full_url, self.statuses[-1], answer.read().decode())

    def _ask(self, request: Request) -> HTTPResponse | HTTPError:
        try:
            answer: HTTPResponse | HTTPError = self._opener.open(request, timeout=120)
        except HTTPError as refused:
            answer = refused
        self.statuses.append(answer.status or 0)
        return answer

    def reject_all(self) -> None:
        """Go through the queue until nothing is left, and reject whatever comes."""
        page = self.open(next_item_url(self.project))
        while (here := page.decision) is not None:
            assert "offered" in page.fields, f"{here} was offered and waits no more"
            assert len(self.statuses) < MOST, page.refusal
            page = self.send(
                page, page.url, verdict="reject", explanation=f"{self.name} says so.", then="next"
            )
            self.judged += [here] * (page.status == 200)
