"""Filters of every template: times, people, words for states."""

from datetime import UTC, datetime
from uuid import UUID

from django import template
from django.core.cache import cache
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from graphstore.evidence import Comparison
from graphstore.records import Event, EventKind, ReviewState, TaskStatus
from reviewconsole import payloads, words
from reviewconsole.change_words import change_words as change_words_of
from reviewconsole.marked_up import marked_up
from reviewconsole.models import User

register = template.Library()

PERSON = "person:"
_NAME_SECONDS = 60
_NARROW = 36
"""Letters that surely fit on a line of a narrow screen."""


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """A time in the reader's zone, exact in its title and machine-readable."""
    if value is None:
        return ""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        value.astimezone(UTC).isoformat(),
        words.exact_words(value),
        words.moment_words(value),
    )


@register.filter
def from_us(us: int) -> datetime:
    """Microseconds since 1970 as a time."""
    return datetime.fromtimestamp(us / 1_000_000, UTC)


@register.filter
def day(value: datetime | None) -> str:
    """The day of a time in the reader's zone."""
    return "" if value is None else words.day_words(value)


@register.filter
def age(value: datetime | None) -> str:
    """How long ago, in words: “3 days”."""
    if value is None:
        return ""
    return words.duration_words(max(0.0, (timezone.now() - value).total_seconds()))


@register.filter
def who(author: str | None) -> str:
    """The name of an account for `person:<uuid>`, an agent's id as it is."""
    if not author:
        return ""
    try:
        person_uuid = UUID(author.removeprefix(PERSON)) if author.startswith(PERSON) else None
    except ValueError:
        return author
    if person_uuid is None:
        return author
    return str(cache.get_or_set(f"who:{person_uuid}", lambda: _name(person_uuid), _NAME_SECONDS))


def _name(person_uuid: UUID) -> str:
    user = User.objects.filter(person_uuid=person_uuid).first()
    return user.shown_name if user else _("somebody without an account here")


@register.filter
def is_person(author: str | None) -> bool:
    return bool(author) and str(author).startswith(PERSON)


@register.filter
def compared(value: Comparison) -> str:
    """A comparison in the words of the glossary."""
    return words.COMPARISONS[value]


@register.filter
def state_words(value: ReviewState) -> str:
    return words.STATES[value]


@register.filter
def task_words(value: TaskStatus) -> str:
    return words.TASKS[value]


@register.filter
def event_words(value: EventKind) -> str:
    return words.EVENTS[value]


@register.filter
def folds(text: str, lines: int) -> bool:
    """Whether a text may need more than so many lines, on the narrowest screen that we draw for.

    Where it does not, a script takes the way to unfold it away again.
    """
    return sum(1 + len(line) // _NARROW for line in text.split("\n", lines)) > lines


@register.filter
def exactly(text: str) -> SafeString:
    """A text escaped so that a page holds it to the letter: of CR LF a browser would keep the LF."""
    return mark_safe(escape(text).replace("\r", "&#13;"))  # noqa: S308 - it is escaped right here


@register.filter
def said(event: Event) -> str:
    """The text of an event as a person reads it; of a tool call, what was asked."""
    return payloads.readable(event)


@register.filter
def marked(text: str | None) -> SafeString:
    """What somebody wrote, in paragraphs; its Markdown as a person reads it."""
    html = marked_up(text or "")
    if html is None:
        return format_html('<p class="prose">{}</p>', text)
    return format_html('<div class="marked">{}</div>', html)


@register.filter
def change_words(value: str) -> str:
    return change_words_of(value)


@register.filter
def reason_words(value: str | None) -> str:
    return words.reason_words(value)


@register.filter
def count_words(number: int | None, capped: object = None) -> str:
    """A number as people read it; `1,000+` when it is only a floor."""
    return f"{number or 0:,}{'+' if capped else ''}"
