"""The hands of a scripted reviewer, which count, and the wire behind them, which is listened to."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, Request, Response

__all__ = ["Answer", "Hand", "Step"]

_KINDS = (
    ("queue", "GET", r"/queue$"),
    ("first of the queue", "GET", r"/next$"),
    ("bundle", "GET", r"/bundles/[^/]+$"),
    ("what is offered in bulk", "GET", r"/bundles/[^/]+/bulk$"),
    ("bulk begun", "POST", r"/bundles/[^/]+/bulk$"),
    ("bulk", "GET", r"/bulks/[^/]+$"),
    ("bulk confirmed", "POST", r"/bulks/[^/]+$"),
    ("decision", "GET", r"/decisions/[^/]+$"),
    ("verdict", "POST", r"/decisions/[^/]+$"),
    ("what each verdict will do", "", r"/decisions/[^/]+/impact$"),
    ("present text to pick from", "GET", r"/passages/[^/]+$"),
    ("claim held", "POST", r"/decisions/[^/]+/claim$"),
    ("draft saved", "POST", r"/decisions/[^/]+/draft$"),
)
"""What a request is for, by its method and the end of its address."""

_IN_PLACE = "console-in-place-of"
_TIMING = re.compile(r'server;dur=([\d.]+), processor;dur=([\d.]+), graph;desc="(\d+)"')


@dataclass(frozen=True)
class Answer:
    """What one request cost the server."""

    step: str
    kind: str
    round_trips: int
    milliseconds: float
    computed: float
    """Of these the ones that its processor worked on it: what others did meanwhile is not in it."""


@dataclass
class Step:
    """What a reviewer did for one thing, and what went over the wire for it."""

    name: str
    keys: int = 0
    clicks: int = 0
    moves: int = 0
    """From one text to the next while a form is written."""
    characters: int = 0
    loads: int = 0
    requests: int = 0

    @property
    def interactions(self) -> int:
        return self.keys + self.clicks


@dataclass
class Hand:
    """Presses, clicks and types on one page. What is asked of the server counts for the step at hand."""

    page: Page
    steps: list[Step] = field(default_factory=list[Step])
    answers: list[Answer] = field(default_factory=list[Answer])

    def __post_init__(self) -> None:
        self.page.on("request", self._asked)
        self.page.on("response", self._answered)

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Everything until its end counts for this."""
        self.steps.append(Step(name))
        yield self.steps[-1]

    def press(self, keys: str) -> None:
        """One key or chord."""
        self.steps[-1].keys += 1
        self.page.keyboard.press(keys)

    def click(self, what: Locator) -> None:
        self.steps[-1].clicks += 1
        what.click()

    def move_to(self, text: Locator) -> None:
        """Go on to another text of the form that is being written."""
        self.steps[-1].moves += 1
        text.click()

    def type(self, text: str) -> None:
        """Write where the focus is, which must be a text."""
        writes = self.page.evaluate("document.activeElement.matches('textarea, input:not([type])')")
        assert writes, "the focus is in no text"
        self.steps[-1].characters += len(text)
        self.page.keyboard.type(text)

    def _asked(self, request: Request) -> None:
        if "/static/" in request.url or not self.steps:
            return
        self.steps[-1].requests += 1
        if request.is_navigation_request() and request.redirected_from is None:
            self.steps[-1].loads += 1

    def _answered(self, response: Response) -> None:
        timing = _TIMING.match(response.headers.get("server-timing", ""))
        if timing and self.steps:
            step, kind = self.steps[-1].name, _kind(response.request)
            spent, computed, trips = timing.groups()
            self.answers.append(Answer(step, kind, int(trips), float(spent), float(computed)))


def _kind(request: Request) -> str:
    path = urlsplit(request.url).path
    for kind, method, end in _KINDS:
        if method in ("", request.method) and re.search(end, path):
            in_place = kind == "decision" and _IN_PLACE in request.headers
            return "next decision, in place" if in_place else kind
    return "others"
