"""Finding decisions: the filters of the address, ids pasted into the search box, marked words."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import UUID

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from graphstore.records import DecisionStatus, ReviewState
from reviewconsole.access import Scope
from reviewconsole.addresses import decision_url, task_url
from reviewconsole.models import Access
from reviewconsole.templatetags.desk import PERSON

__all__ = ["Found", "Piece", "Search", "marked", "person_called", "straight_to"]

LONGEST = 400
"""Characters of one field of a search; more is cut."""
EXCERPT = 320
"""Characters of a conclusion that a row of the list shows."""
LEAD = 60
"""Characters before the first word found, where the beginning is left out."""


@dataclass(frozen=True)
class Search:
    """Which decisions. As text: the query of the address."""

    q: str = ""
    status: str = ""
    state: str = ""
    author: str = ""
    choice: str = ""
    task: str = ""

    @classmethod
    def read(cls, request: HttpRequest) -> "Search":
        """What the address asks for; what is not understood filters nothing."""
        given = {name: request.GET.get(name, "")[:LONGEST] for name in cls.__annotations__}
        words = " ".join(given["q"].replace("\0", " ").split())
        status = given["status"] if given["status"] in set(DecisionStatus) else ""
        state = given["state"] if given["state"] in _STATES else ""
        named = {name: _storable(given[name]) for name in ("author", "choice", "task")}
        return cls(_storable(words), status, state, **named)

    def query(self, **changes: str | None) -> dict[str, str | None]:
        """The parameters that say so in an address; what is empty is left out."""
        return {**vars(self), **changes}

    @property
    def narrowed(self) -> bool:
        """Whether it leaves anything out."""
        return any(vars(self).values())


_STATES = {ReviewState.CLEAR.value, ReviewState.NEEDS_REVIEW.value}


def _storable(text: str) -> str:
    """Without what no graph keeps, and so nothing could equal."""
    return "".join(c for c in text if c != "\0" and not "\ud800" <= c <= "\udfff")


def person_called(project_id: str, name: str) -> str:
    """The agent id of the person with access here who is called so; nothing when nobody is."""
    wanted = name.strip().casefold()
    if not wanted or wanted.startswith(PERSON):
        return ""
    held = Access.objects.filter(project_id=project_id).select_related("user")[:1_000]
    people = (access.user for access in held)
    named = (p for p in people if wanted in (p.shown_name.casefold(), p.username.casefold()))
    person = next(named, None)
    return person.agent_id if person else ""


# Ids


@dataclass(frozen=True)
class Found:
    """What was pasted into the search box: an id, and where it leads if anywhere."""

    url: str | None


def straight_to(request: HttpRequest, scope: Scope, q: str) -> Found | None:
    """Where a pasted id or address of ours leads; None when `q` is neither."""
    if (url := _our_address(request, q)) is not None:
        return Found(url)
    try:
        identity = UUID(q.strip("\"'“”‘’<>()[].,; "))
    except ValueError:
        return None
    if scope.traces.get_decision(identity).found:
        return Found(decision_url(scope.project_id, identity))
    view = scope.history.find_task(identity).view
    return Found(task_url(scope.project_id, view.task_name) if view else None)


def _our_address(request: HttpRequest, q: str) -> str | None:
    """The page that an address of this site names, rebuilt from what it says."""
    if "/" not in q or " " in q:
        return None
    try:
        parts = urlsplit(q)
        match = resolve(parts.path)
    except (Resolver404, ValueError):
        return None
    if parts.netloc not in ("", request.get_host()):
        return None
    project = match.kwargs.get("project")
    if project and "decision_id" in match.kwargs:
        return decision_url(project, match.kwargs["decision_id"])
    if project and match.url_name == "task":
        return task_url(project, match.kwargs["task_name"])
    return None


# Marks


@dataclass(frozen=True)
class Piece:
    """A piece of a text; `hit` when it is one of the words searched for."""

    text: str
    hit: bool = False


def marked(text: str, words: str) -> list[Piece]:
    """The part of `text` around the first word found, taken apart at the words.

    A word is found in any case, and with at most two letters more at its end. In
    scripts that put no blanks between words it is found anywhere.
    """
    wanted = sorted(set(re.findall(r"\w+", words)), key=len, reverse=True)
    if not wanted:
        return [Piece(_cut(text, 0))]
    pattern = re.compile("|".join(map(_pattern, wanted)), re.IGNORECASE)
    first = pattern.search(text)
    start = first.start() if first else 0
    shown = _cut(text, 0 if start < EXCERPT * 3 // 4 else max(0, start - LEAD))
    pieces: list[Piece] = []
    end = 0
    for hit in pattern.finditer(shown):
        if hit.start() > end:
            pieces.append(Piece(shown[end : hit.start()]))
        pieces.append(Piece(hit[0], hit=True))
        end = hit.end()
    return [*pieces, Piece(shown[end:])] if end < len(shown) else pieces


def _pattern(word: str) -> str:
    if any(char > "\u2e7f" for char in word):
        return re.escape(word)
    more = r"\w{0,2}" if len(word) > 2 else ""
    return rf"(?<!\w){re.escape(word)}{more}(?!\w)"


def _cut(text: str, start: int) -> str:
    before = "… " if start else ""
    shown = text[start : start + EXCERPT]
    return before + shown + ("…" if start + EXCERPT < len(text) else "")
