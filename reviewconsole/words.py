"""The words in which pages say states, reasons and counts. Never a raw state name."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop
from django.utils.translation import ngettext, pgettext

from graphstore.evidence import Comparison
from graphstore.records import (
    DecisionStatus,
    EventKind,
    Ground,
    ReviewReason,
    ReviewState,
    StepState,
    TaskStatus,
    VerdictKind,
)
from reviewconsole.models import Role
from reviewconsole.said import Said

REASONS: Mapping[ReviewReason, str] = Said(
    {
        ReviewReason.SOURCE_CHANGED: _noop("a cited document changed"),
        ReviewReason.SOURCE_CHANGED_DURING_RECORDING: _noop(
            "a cited document changed while it was recorded"
        ),
        ReviewReason.SOURCE_REMOVED: _noop("something it cites was removed"),
        ReviewReason.DEPENDENCY_REVIEW: _noop("a decision it stands on is in question"),
    }
)

ASKED = "asked"
"""The reason that the review index keeps for a flag that somebody asked for."""

REASON_LABELS: Mapping[ReviewReason, str] = Said(
    {
        ReviewReason.SOURCE_CHANGED: _noop("Document changed"),
        ReviewReason.SOURCE_CHANGED_DURING_RECORDING: _noop("Changed while recorded"),
        ReviewReason.SOURCE_REMOVED: _noop("Source removed"),
        ReviewReason.DEPENDENCY_REVIEW: _noop("Through a decision"),
    }
)

GROUNDS: Mapping[Ground, str] = Said(
    {
        Ground.SOURCE_CHANGED: _noop("The source changed"),
        Ground.WRONG_WHEN_MADE: _noop("It was wrong when made"),
        Ground.NO_LONGER_NEEDED: _noop("It is no longer needed"),
        Ground.STILL_HOLDS: _noop("It still holds"),
    }
)

COMPARISONS: Mapping[Comparison, str] = Said(
    {
        Comparison.IDENTICAL: _noop("text identical"),
        Comparison.VERBATIM: _noop("verbatim"),
        Comparison.SURROUNDINGS_CHANGED: _noop("verbatim, surroundings changed"),
        Comparison.MOVED: _noop("moved"),
        Comparison.EDITED: _noop("edited"),
        Comparison.NOT_FOUND: _noop("not found"),
        Comparison.REMOVED: _noop("document removed"),
        Comparison.UNREADABLE: _noop("original no longer readable"),
        Comparison.FAILED: _noop("could not be read"),
        Comparison.NOT_COMPARED: _noop("not compared yet"),
        Comparison.INTACT: _noop("intact"),
        Comparison.CUT: _noop("cut"),
        Comparison.REDACTED: _noop("redacted"),
        Comparison.DELETED: _noop("deleted"),
        Comparison.CLEAR: _noop("clear"),
        Comparison.FLAGGED: _noop("flagged"),
        Comparison.UNKNOWN: _noop("unknown"),
        Comparison.SUPERSEDED: _noop("superseded"),
        Comparison.REJECTED: _noop("rejected"),
    }
)

STATUSES: Mapping[DecisionStatus, str] = Said(
    {
        DecisionStatus.ACTIVE: _noop("active"),
        DecisionStatus.REJECTED: _noop("rejected"),
        DecisionStatus.SUPERSEDED: _noop("superseded"),
    }
)

ROLES: Mapping[Role, str] = Said(
    {
        Role.READER: _noop("reader"),
        Role.REVIEWER: _noop("reviewer"),
        Role.MANAGER: _noop("manager"),
        Role.ADMIN: _noop("admin"),
    }
)
"""On pages. Commands and the API name a role by its label."""

TASKS: Mapping[TaskStatus, str] = Said(
    {TaskStatus.OPEN: _noop("open"), TaskStatus.DONE: _noop("done")}
)

STATES: Mapping[ReviewState, str] = Said(
    {
        ReviewState.CLEAR: _noop("clear"),
        ReviewState.NEEDS_REVIEW: _noop("needs review"),
        ReviewState.UNKNOWN: _noop("unknown while flags still travel"),
    }
)

EVENTS: Mapping[EventKind, str] = Said(
    {
        EventKind.MESSAGE: _noop("message"),
        EventKind.TOOL_CALL: _noop("tool call"),
        EventKind.TOOL_RESULT: _noop("tool result"),
        EventKind.NOTE: _noop("note"),
    }
)

STEP_STATES: Mapping[StepState, str] = Said(
    {
        StepState.IN_PROGRESS: _noop("In progress"),
        StepState.FAILED: _noop("Failed"),
        StepState.UNKNOWN: _noop("Unknown"),
        StepState.NOT_STARTED: _noop("Not started"),
        StepState.COMPLETED: _noop("Completed"),
    }
)

SHOWN: Mapping[str, str] = Said(
    {
        "": _noop("Everything"),
        "decisions": _noop("Decisions only"),
        "messages": _noop("Messages"),
        "tools": _noop("Tools"),
        "notes": _noop("Notes"),
    }
)
"""What of a task's log is shown, by the word in the address."""

JUDGED: Mapping[VerdictKind, str] = Said(
    {
        VerdictKind.REAFFIRM: _noop("reaffirmed"),
        VerdictKind.SUPERSEDE: _noop("superseded"),
        VerdictKind.REJECT: _noop("rejected"),
        VerdictKind.ASK: _noop("asked for a review"),
        VerdictKind.WITHDRAW: _noop("took a verdict back"),
    }
)
"""What somebody did, after their name."""

VERSION_VERBS: Mapping[str, str] = Said(
    {
        "add": _noop("put"),
        "update": _noop("changed"),
        "delete": _noop("removed"),
        "purge": _noop("erased"),
    }
)
"""What happened to a document with each of its versions."""

VERDICTS: Mapping[str, str] = Said(
    {
        "reaffirm": _noop("Reaffirmed"),
        "supersede": _noop("Superseded"),
        "reject": _noop("Rejected"),
        "ask": _noop("Asked for review"),
        "withdraw": _noop("Verdict taken back"),
    }
)


def reason_words(reason: str | None) -> str:
    """Why a decision waits, to follow “because”. A reason of another writer is shown as it is."""
    if not reason:
        return _("somebody flagged it")
    if reason == ASKED:
        return _("somebody asked for another look")
    if reason in REASONS:
        return REASONS[ReviewReason(reason)]
    return reason.replace("_", " ")


def reason_label(reason: str) -> str:
    if reason == ASKED:
        return _("Asked for")
    if reason in REASON_LABELS:
        return REASON_LABELS[ReviewReason(reason)]
    return reason.replace("_", " ").capitalize() or _("Flagged")


def duration_words(seconds: float) -> str:
    """About how long, in its largest unit: “3 days”."""
    for length, said in _UNITS:
        count = int(seconds // length)
        if count:
            return said(count) % {"number": count}
    return _("less than a minute")


_UNITS: tuple[tuple[int, Callable[[int], str]], ...] = (
    (31_557_600, lambda n: ngettext("%(number)s year", "%(number)s years", n)),
    (2_629_800, lambda n: ngettext("%(number)s month", "%(number)s months", n)),
    (86_400, lambda n: ngettext("%(number)s day", "%(number)s days", n)),
    (3_600, lambda n: ngettext("%(number)s hour", "%(number)s hours", n)),
    (60, lambda n: ngettext("%(number)s minute", "%(number)s minutes", n)),
)


def span_words(seconds: float) -> str:
    """How long something took: “41 s”, “3 minutes”."""
    if seconds >= 60:
        return duration_words(seconds)
    return _("%(number)s s") % {"number": int(seconds)}


def day_words(at: datetime) -> str:
    """The day of a time in the reader's zone: “3 Nov”, with its year where it is not this one."""
    local = timezone.localtime(at)
    if local.year == timezone.localtime().year:
        return date_format(local, pgettext("date format", "j M"))
    return date_format(local, pgettext("date format", "j M Y"))


def clock_words(at: datetime) -> str:
    """The time of day in the reader's zone: “14:05”."""
    return date_format(timezone.localtime(at), pgettext("date format", "H:i"))


def moment_words(at: datetime) -> str:
    """Day and time in the reader's zone: “3 Nov, 14:05”."""
    return _("%(day)s, %(time)s") % {"day": day_words(at), "time": clock_words(at)}


def exact_words(at: datetime) -> str:
    """A time to the second, with its zone: “Monday, 3 November 2025, 14:05:09 CET”."""
    local = timezone.localtime(at)
    written = date_format(local, pgettext("date format", "l, j F Y, H:i:s"))
    return f"{written} {local.tzname() or 'UTC'}"
