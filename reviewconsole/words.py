"""The words in which pages say states, reasons and counts. Never a raw state name."""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

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
        ReviewReason.SOURCE_CHANGED: gettext_noop("a cited document changed"),
        ReviewReason.SOURCE_CHANGED_DURING_RECORDING: gettext_noop(
            "a cited document changed while it was recorded"
        ),
        ReviewReason.SOURCE_REMOVED: gettext_noop("something it cites was removed"),
        ReviewReason.DEPENDENCY_REVIEW: gettext_noop("a decision it stands on is in question"),
    }
)

ASKED = "asked"
"""The reason that the review index keeps for a flag that somebody asked for."""

REASON_LABELS: Mapping[ReviewReason, str] = Said(
    {
        ReviewReason.SOURCE_CHANGED: gettext_noop("Document changed"),
        ReviewReason.SOURCE_CHANGED_DURING_RECORDING: gettext_noop("Changed while recorded"),
        ReviewReason.SOURCE_REMOVED: gettext_noop("Source removed"),
        ReviewReason.DEPENDENCY_REVIEW: gettext_noop("Through a decision"),
    }
)

GROUNDS: Mapping[Ground, str] = Said(
    {
        Ground.SOURCE_CHANGED: gettext_noop("The source changed"),
        Ground.WRONG_WHEN_MADE: gettext_noop("It was wrong when made"),
        Ground.NO_LONGER_NEEDED: gettext_noop("It is no longer needed"),
        Ground.STILL_HOLDS: gettext_noop("It still holds"),
    }
)

COMPARISONS: Mapping[Comparison, str] = Said(
    {
        Comparison.IDENTICAL: gettext_noop("text identical"),
        Comparison.VERBATIM: gettext_noop("verbatim"),
        Comparison.SURROUNDINGS_CHANGED: gettext_noop("verbatim, surroundings changed"),
        Comparison.MOVED: gettext_noop("moved"),
        Comparison.EDITED: gettext_noop("edited"),
        Comparison.NOT_FOUND: gettext_noop("not found"),
        Comparison.REMOVED: gettext_noop("document removed"),
        Comparison.UNREADABLE: gettext_noop("original no longer readable"),
        Comparison.FAILED: gettext_noop("could not be read"),
        Comparison.NOT_COMPARED: gettext_noop("not compared yet"),
        Comparison.INTACT: gettext_noop("intact"),
        Comparison.CUT: gettext_noop("cut"),
        Comparison.REDACTED: gettext_noop("redacted"),
        Comparison.DELETED: gettext_noop("deleted"),
        Comparison.CLEAR: gettext_noop("clear"),
        Comparison.FLAGGED: gettext_noop("flagged"),
        Comparison.UNKNOWN: gettext_noop("unknown"),
        Comparison.SUPERSEDED: gettext_noop("superseded"),
        Comparison.REJECTED: gettext_noop("rejected"),
    }
)

STATUSES: Mapping[DecisionStatus, str] = Said(
    {
        DecisionStatus.ACTIVE: gettext_noop("active"),
        DecisionStatus.REJECTED: gettext_noop("rejected"),
        DecisionStatus.SUPERSEDED: gettext_noop("superseded"),
    }
)

ROLES: Mapping[Role, str] = Said(
    {
        Role.READER: gettext_noop("reader"),
        Role.REVIEWER: gettext_noop("reviewer"),
        Role.MANAGER: gettext_noop("manager"),
        Role.ADMIN: gettext_noop("admin"),
    }
)
"""On pages. Commands and the API name a role by its label."""

TASKS: Mapping[TaskStatus, str] = Said(
    {TaskStatus.OPEN: gettext_noop("open"), TaskStatus.DONE: gettext_noop("done")}
)

STATES: Mapping[ReviewState, str] = Said(
    {
        ReviewState.CLEAR: gettext_noop("clear"),
        ReviewState.NEEDS_REVIEW: gettext_noop("needs review"),
        ReviewState.UNKNOWN: gettext_noop("unknown while flags still travel"),
    }
)

EVENTS: Mapping[EventKind, str] = Said(
    {
        EventKind.MESSAGE: gettext_noop("message"),
        EventKind.TOOL_CALL: gettext_noop("tool call"),
        EventKind.TOOL_RESULT: gettext_noop("tool result"),
        EventKind.NOTE: gettext_noop("note"),
    }
)

STEP_STATES: Mapping[StepState, str] = Said(
    {
        StepState.IN_PROGRESS: gettext_noop("In progress"),
        StepState.FAILED: gettext_noop("Failed"),
        StepState.UNKNOWN: gettext_noop("Unknown"),
        StepState.NOT_STARTED: gettext_noop("Not started"),
        StepState.COMPLETED: gettext_noop("Completed"),
    }
)

SHOWN: Mapping[str, str] = Said(
    {
        "": gettext_noop("Everything"),
        "decisions": gettext_noop("Decisions only"),
        "messages": gettext_noop("Messages"),
        "tools": gettext_noop("Tools"),
        "notes": gettext_noop("Notes"),
    }
)
"""What of a task's log is shown, by the word in the address."""

JUDGED: Mapping[VerdictKind, str] = Said(
    {
        VerdictKind.REAFFIRM: gettext_noop("reaffirmed"),
        VerdictKind.SUPERSEDE: gettext_noop("superseded"),
        VerdictKind.REJECT: gettext_noop("rejected"),
        VerdictKind.ASK: gettext_noop("asked for a review"),
        VerdictKind.WITHDRAW: gettext_noop("took a verdict back"),
    }
)
"""What somebody did, after their name."""

VERSION_VERBS: Mapping[str, str] = Said(
    {
        "add": gettext_noop("put"),
        "update": gettext_noop("changed"),
        "delete": gettext_noop("removed"),
        "purge": gettext_noop("erased"),
    }
)
"""What happened to a document with each of its versions."""

VERDICTS: Mapping[str, str] = Said(
    {
        "reaffirm": gettext_noop("Reaffirmed"),
        "supersede": gettext_noop("Superseded"),
        "reject": gettext_noop("Rejected"),
        "ask": gettext_noop("Asked for review"),
        "withdraw": gettext_noop("Verdict taken back"),
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
