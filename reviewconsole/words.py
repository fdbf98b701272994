"""The words in which pages say states, reasons and counts. Never a raw state name."""

from collections.abc import Mapping

from graphstore.evidence import Comparison
from graphstore.records import (
    DecisionStatus,
    EventKind,
    Ground,
    ReviewReason,
    ReviewState,
    StepState,
    VerdictKind,
)

REASONS: Mapping[ReviewReason, str] = {
    ReviewReason.SOURCE_CHANGED: "a cited document changed",
    ReviewReason.SOURCE_CHANGED_DURING_RECORDING: "a cited document changed while it was recorded",
    ReviewReason.SOURCE_REMOVED: "something it cites was removed",
    ReviewReason.DEPENDENCY_REVIEW: "a decision it stands on is in question",
}

ASKED = "asked"
"""The reason that the review index keeps for a flag that somebody asked for."""

REASON_LABELS: Mapping[ReviewReason, str] = {
    ReviewReason.SOURCE_CHANGED: "Document changed",
    ReviewReason.SOURCE_CHANGED_DURING_RECORDING: "Changed while recorded",
    ReviewReason.SOURCE_REMOVED: "Source removed",
    ReviewReason.DEPENDENCY_REVIEW: "Through a decision",
}

GROUNDS: Mapping[Ground, str] = {
    Ground.SOURCE_CHANGED: "The source changed",
    Ground.WRONG_WHEN_MADE: "It was wrong when made",
    Ground.NO_LONGER_NEEDED: "It is no longer needed",
    Ground.STILL_HOLDS: "It still holds",
}

COMPARISONS: Mapping[Comparison, str] = {
    Comparison.IDENTICAL: "text identical",
    Comparison.VERBATIM: "verbatim",
    Comparison.SURROUNDINGS_CHANGED: "verbatim, surroundings changed",
    Comparison.MOVED: "moved",
    Comparison.EDITED: "edited",
    Comparison.NOT_FOUND: "not found",
    Comparison.REMOVED: "document removed",
    Comparison.UNREADABLE: "original no longer readable",
    Comparison.FAILED: "could not be read",
    Comparison.NOT_COMPARED: "not compared yet",
    Comparison.INTACT: "intact",
    Comparison.CUT: "cut",
    Comparison.REDACTED: "redacted",
    Comparison.DELETED: "deleted",
    Comparison.CLEAR: "clear",
    Comparison.FLAGGED: "flagged",
    Comparison.UNKNOWN: "unknown",
    Comparison.SUPERSEDED: "superseded",
    Comparison.REJECTED: "rejected",
}

STATUSES: Mapping[DecisionStatus, str] = {
    DecisionStatus.ACTIVE: "active",
    DecisionStatus.REJECTED: "rejected",
    DecisionStatus.SUPERSEDED: "superseded",
}

STATES: Mapping[ReviewState, str] = {
    ReviewState.CLEAR: "clear",
    ReviewState.NEEDS_REVIEW: "needs review",
    ReviewState.UNKNOWN: "unknown while flags still travel",
}

EVENTS: Mapping[EventKind, str] = {
    EventKind.MESSAGE: "message",
    EventKind.TOOL_CALL: "tool call",
    EventKind.TOOL_RESULT: "tool result",
    EventKind.NOTE: "note",
}

STEP_STATES: Mapping[StepState, str] = {
    StepState.IN_PROGRESS: "In progress",
    StepState.FAILED: "Failed",
    StepState.UNKNOWN: "Unknown",
    StepState.NOT_STARTED: "Not started",
    StepState.COMPLETED: "Completed",
}

SHOWN: Mapping[str, str] = {
    "": "Everything",
    "decisions": "Decisions only",
    "messages": "Messages",
    "tools": "Tools",
    "notes": "Notes",
}
"""What of a task's log is shown, by the word in the address."""

JUDGED: Mapping[VerdictKind, str] = {
    VerdictKind.REAFFIRM: "reaffirmed",
    VerdictKind.SUPERSEDE: "superseded",
    VerdictKind.REJECT: "rejected",
    VerdictKind.ASK: "asked for a review",
    VerdictKind.WITHDRAW: "took a verdict back",
}
"""What somebody did, after their name."""

VERSION_VERBS: Mapping[str, str] = {
    "add": "put",
    "update": "changed",
    "delete": "removed",
    "purge": "erased",
}
"""What happened to a document with each of its versions."""

VERDICTS: Mapping[str, str] = {
    "reaffirm": "Reaffirmed",
    "supersede": "Superseded",
    "reject": "Rejected",
    "ask": "Asked for review",
    "withdraw": "Verdict taken back",
}


def reason_words(reason: str | None) -> str:
    """Why a decision waits, to follow “because”. A reason of another writer is shown as it is."""
    if not reason:
        return "somebody flagged it"
    if reason == ASKED:
        return "somebody asked for another look"
    if reason in REASONS:
        return REASONS[ReviewReason(reason)]
    return reason.replace("_", " ")


def reason_label(reason: str) -> str:
    if reason == ASKED:
        return "Asked for"
    if reason in REASON_LABELS:
        return REASON_LABELS[ReviewReason(reason)]
    return reason.replace("_", " ").capitalize() or "Flagged"


def duration_words(seconds: float) -> str:
    """About how long, in its largest unit: “3 days”."""
    for unit, length in (
        ("year", 31_557_600),
        ("month", 2_629_800),
        ("day", 86_400),
        ("hour", 3_600),
        ("minute", 60),
    ):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    return "less than a minute"


def span_words(seconds: float) -> str:
    """How long something took: “41 s”, “3 minutes”."""
    return f"{int(seconds)} s" if seconds < 60 else duration_words(seconds)


def plural(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
