"""A page of a task's log as Markdown, to be pasted into a ticket or a letter.

What was recorded stands in fences and code spans that it cannot close, so it is text
wherever the Markdown is drawn.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from graphstore.records import Event
from graphstore.results import TaskView
from reviewconsole.task_log import LogPage
from reviewconsole.templatetags.desk import who

__all__ = ["as_markdown"]

_TICKS = re.compile(r"`+")


def as_markdown(view: TaskView, log: LogPage) -> str:
    """The task's name, its goal and the entries of one page, in order."""
    parts = [f"# {_code(view.task_name)}", _fenced(view.goal)]
    if log.first and log.last:
        numbers = {
            "first": f"{log.first:,}",
            "last": f"{log.last:,}",
            "all": f"{view.last_event_seq:,}",
        }
        parts.append(_("Events %(first)s to %(last)s of %(all)s") % numbers)
    parts += [part for item in log.items for part in _entry(item)]
    return "\n\n".join(parts) + "\n"


def _entry(item: Mapping[str, Any]) -> Iterator[str]:
    match item["kind"]:
        case "gap":
            yield f"*{item['words']}*"
        case "event":
            yield from _event(item)
        case "decision":
            one = item["decision"]
            yield _head(_("decided"), who(one.author), _code(one.choice_key), _at(item["at"]))
            yield _fenced(one.conclusion)
        case "flag":
            yield _head(_("flagged"), item["words"], _at(item["at"]))
            yield from (_fenced(one["decision"].conclusion) for one in item["flagged"])
        case _:
            yield from _verdict(item)


def _event(item: Mapping[str, Any]) -> Iterator[str]:
    event: Event = item["event"]
    about = [_code(text) for text in (event.role, event.name) if text]
    yield _head(f"{event.seq}", item["words"], _code(who(event.author)), *about, _at(event.at))
    yield from _body(event, item["text"])
    if answer := item["answer"]:
        result: Event = answer["event"]
        yield " · ".join((_("answered"), f"{result.seq}", _at(result.at)))
        yield from _body(result, answer["text"])


def _body(event: Event, text: str) -> Iterator[str]:
    if event.redacted_at:
        yield _("Redacted %(at)s. SHA-256 of its text: %(hash)s") % {
            "at": _at(event.redacted_at),
            "hash": f"`{event.payload_sha256}`",
        }
        return
    yield _fenced(text)
    if event.truncated:
        yield _("Cut when it was recorded. SHA-256 of the whole: %(hash)s") % {
            "hash": f"`{event.payload_sha256}`"
        }


def _verdict(item: Mapping[str, Any]) -> Iterator[str]:
    given = item["verdict"]
    numbered = [f"{item['event'].seq}"] if item["event"] else []
    yield _head(*numbered, item["words"], _code(who(given["by"])), _at(item["at"]))
    judged = item["new"] or item["decision"]
    if judged:
        yield _fenced(judged.conclusion)
    if given["why"]:
        yield "\n\n".join((_("Why:"), _fenced(given["why"])))


def _head(*parts: str) -> str:
    return "### " + " · ".join(parts)


def _at(at: datetime) -> str:
    return timezone.localtime(at).isoformat(sep=" ", timespec="seconds")


def _fenced(text: str) -> str:
    """A text between fences longer than any row of backticks in it."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _code(text: str) -> str:
    """A name on one line, as code."""
    line = " ".join(text.split()) or " "
    ticks = "`" * (_longest(line) + 1)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{room}{line}{room}{ticks}"


def _longest(text: str) -> int:
    return max(map(len, _all_ticks(text)), default=0)


def _all_ticks(text: str) -> Iterable[str]:
    return _TICKS.findall(text)
