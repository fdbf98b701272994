"""Every way a request can be refused or fail: HTTP status, title and plain words.

Pages and the API share this one table. A code without a row fails a test, so a
refusal never reaches a person as its bare code.
"""

from dataclasses import dataclass

from graphstore.faults import (
    Contended,
    CorruptRecord,
    OutcomeUnknown,
    SchemaMissing,
    StoreFault,
    StoreMisconfigured,
    StoreUnavailable,
)
from graphstore.refusals import WriteErrorCode as Code
from graphstore.results import BlockedBy, WriteResult

__all__ = ["BLOCKED", "CLAIMED", "FAULTS", "MOVED", "REFUSALS", "Problem", "of_fault", "of_refusal"]


@dataclass(frozen=True)
class Problem:
    """`sentence` says what happened, `what_to_do` what helps."""

    status: int
    title: str
    sentence: str
    what_to_do: str


REFUSALS: dict[Code, Problem] = {
    Code.TASK_EXISTS: Problem(
        409,
        "The task exists",
        "A task of this name exists with another goal.",
        "Choose another name, or use the task that is there.",
    ),
    Code.TASK_NOT_FOUND: Problem(
        404, "No such task", "There is no task of this name here.", "Look for it in the task list."
    ),
    Code.EVENT_NOT_FOUND: Problem(
        404, "No such event", "This event does not exist.", "Open its task to see what is there."
    ),
    Code.REQUEST_ID_REUSED: Problem(
        409,
        "Sent twice with different words",
        "This form was already sent once with other content, and that sending counts.",
        "Look at the decision as it stands now; your text is below if more is needed.",
    ),
    Code.INVALID_REQUEST_ID: Problem(
        422,
        "The form was damaged",
        "The form came back without the mark that makes a double click one verdict.",
        "Reload the page and send it again; your text is kept.",
    ),
    Code.CHOICE_EXISTS: Problem(
        409,
        "Already decided",
        "This task already has a decision for this choice.",
        "Supersede that decision instead.",
    ),
    Code.SUPERSEDE_TARGET_INVALID: Problem(
        409,
        "Cannot be superseded",
        "Only the newest active revision of a decision can be superseded.",
        "Open the newest revision and judge that one.",
    ),
    Code.EXPLANATION_REQUIRED: Problem(
        422,
        "The why is missing",
        "A new conclusion needs a sentence on why it replaces the old one.",
        "Write why, then send it again.",
    ),
    Code.SUPPORT_REQUIRED: Problem(
        422,
        "Support is missing",
        "A decision stands on at least one support and at most twenty.",
        "Choose what the new conclusion stands on.",
    ),
    Code.SUPPORT_INVALID: Problem(
        422,
        "A support does not hold",
        "Something cited cannot support this.",
        "Choose another support.",
    ),
    Code.SUPPORT_MALFORMED: Problem(
        422,
        "Not a passage",
        "One of the passages sent is not a passage id.",
        "Choose a passage from the page again.",
    ),
    Code.SUPPORT_NOT_FETCHED: Problem(
        409,
        "A passage could not be read",
        "One of the passages chosen could not be read in full as it stands now.",
        "Reload the page and choose the passage again.",
    ),
    Code.SUPPORT_OUT_OF_SCOPE: Problem(
        403,
        "Outside this project",
        "One of the passages belongs to a document that this project may not read.",
        "Choose a passage of a document that the project cites.",
    ),
    Code.SUPPORT_DOCUMENT_NOT_FOUND: Problem(
        409,
        "The document is gone",
        "A cited document is no longer there.",
        "Leave it out, or reject the decision if nothing else supports it.",
    ),
    Code.SUPPORT_EVENT_NOT_FOUND: Problem(
        409,
        "The event is gone",
        "A cited event no longer exists, so it can support nothing.",
        "Supersede without it, or reject the decision.",
    ),
    Code.SUPPORT_DECISION_NOT_FOUND: Problem(
        409,
        "The cited decision is gone",
        "A cited decision no longer exists.",
        "Supersede without it, or reject the decision.",
    ),
    Code.DECISION_NOT_FOUND: Problem(
        404, "No such decision", "This decision does not exist here.", "Go back to the queue."
    ),
    Code.DECISION_NOT_ACTIVE: Problem(
        409,
        "Already judged",
        "This decision was superseded or rejected in the meantime, so this verdict was not "
        "recorded.",
        "See below what happened to it; your text is kept.",
    ),
    Code.SUPPORT_DECISION_NOT_ACTIVE: Problem(
        409,
        "A cited decision no longer stands",
        "One of the decisions chosen as support was superseded or rejected.",
        "Cite the decision that replaced it, or leave it out.",
    ),
    Code.CANNOT_REVALIDATE: Problem(
        409,
        "Cannot be reaffirmed as it stands",
        "Not everything that this decision stands on holds at this moment.",
        "See below what is in the way and what would make it possible.",
    ),
    Code.INVALID_TEXT: Problem(
        422,
        "A character cannot be stored",
        "The text holds a character that no record can keep (NUL, or half of a pair).",
        "Remove it, often the trace of a copy from another program, and send it again.",
    ),
    Code.NAME_TOO_LONG: Problem(
        422,
        "The name is too long",
        "A name of a project, task, choice or document has at most 1,000 bytes.",
        "Use a shorter name, and put the rest into the text.",
    ),
    Code.INVALID_NAME: Problem(
        422,
        "The name cannot be kept",
        "A name of a project, task or choice is not empty and has no blanks at its ends.",
        "Take the blanks away, and send it again.",
    ),
    Code.MOVED: Problem(
        409,
        "The page was out of date",
        "Something changed after you opened this page, so your verdict was not recorded.",
        "The page now shows how things stand; look again, then send it.",
    ),
    Code.DOCUMENT_NOT_FOUND: Problem(
        404, "No such document", "There is no document of this name here.", "Go back to the queue."
    ),
    Code.DOCUMENT_MANAGED_ELSEWHERE: Problem(
        409,
        "Looked after elsewhere",
        "An ingestion pipeline writes this document, so it cannot be changed here.",
        "Change it where it comes from.",
    ),
    Code.DOCUMENT_EMPTY: Problem(
        422, "The document is empty", "A document needs some text.", "Write the text first."
    ),
    Code.TOO_MANY_EVENTS: Problem(
        422,
        "Too many events at once",
        "One call records at most 100 events.",
        "Send them in several calls.",
    ),
    Code.VERDICT_NOT_FOUND: Problem(
        404,
        "No such verdict",
        "There is no verdict of this kind here, or it was taken back already.",
        "Open the decision to see how it stands.",
    ),
    Code.DELETION_CANCELLED: Problem(
        409,
        "The deletion was called off",
        "The deletion that this form asked for was called off; the task is there as it was.",
        "Open the task to delete it after all.",
    ),
    Code.JOB_NOT_FOUND: Problem(
        404, "No such job", "There is no job of this id here.", "Look at the list of jobs."
    ),
    Code.JOB_CLOSED: Problem(
        409,
        "The job has ended",
        "This job is done or was called off, so it cannot be held or let go on.",
        "Look at its receipt to see how it ended.",
    ),
    Code.DELETION_BEGUN: Problem(
        409,
        "The deletion has begun",
        "Part of the task is gone already, so the deletion can be paused but not called off.",
        "Pause it, or let it go on to its end.",
    ),
    Code.BUILT_UPON: Problem(
        409,
        "Others built on it",
        "This verdict cannot be taken back, since something was recorded or judged on it since.",
        "Ask for review of the decision, or judge what stands on it first.",
    ),
}

FAULTS: dict[type[StoreFault], Problem] = {
    StoreUnavailable: Problem(
        503,
        "The graph does not answer",
        "The record store cannot be reached at the moment, so nothing was read or written.",
        "Try again in a few seconds; if it lasts, tell whoever runs this console.",
    ),
    OutcomeUnknown: Problem(
        503,
        "Perhaps recorded, perhaps not",
        "The record store went away while it was writing, so it is not known whether this "
        "was recorded.",
        "Send the same form again: if it was recorded, that is found out and nothing happens "
        "twice.",
    ),
    StoreMisconfigured: Problem(
        503,
        "The graph does not let us in",
        "The record store answers, but not to the settings of this console.",
        "Tell whoever runs this console; its log says which setting is wrong.",
    ),
    SchemaMissing: Problem(
        503,
        "The graph is not set up",
        "The record store lacks constraints, so nothing is written until they exist.",
        "Ask whoever runs this console to run `manage.py graph_setup`.",
    ),
    Contended: Problem(
        503,
        "Too many at once",
        "Others kept changing the same records, so nothing was written.",
        "Wait a moment and send it again.",
    ),
    CorruptRecord: Problem(
        500,
        "A record is damaged",
        "A record in the store lacks what every record has, so it cannot be shown.",
        "Tell whoever runs this console; its log names the record.",
    ),
}

BLOCKED: dict[BlockedBy, str] = {
    BlockedBy.DOCUMENT_REMOVED: "“{label}” was removed, so nothing in it can be cited again. "
    "Supersede without it, or reject.",
    BlockedBy.DOCUMENT_NOT_REAFFIRMED: "“{label}” is cited, but no present passage of it was "
    "chosen. Choose one.",
    BlockedBy.EVIDENCE_OUTDATED: "The passage chosen from “{label}” is not of its current "
    "version. Choose one from the text as it is now.",
    BlockedBy.EVIDENCE_UNREADABLE: "The passage chosen from “{label}” could not be read in "
    "full. Reload the page and choose again.",
    BlockedBy.DOCUMENT_NOT_CITED: "“{label}” is not cited by this decision, so it cannot be "
    "part of reaffirming it. Supersede if it should be.",
    BlockedBy.EVENT_REDACTED: "“{label}” was redacted, so nobody can check it any more. "
    "Supersede without it, or reject.",
    BlockedBy.EVENT_GONE: "“{label}” was deleted. Supersede without it, or reject.",
    BlockedBy.PARENT_NEEDS_REVIEW: "“{label}”, which this decision stands on, is waiting for "
    "review itself. Judge that one first.",
    BlockedBy.PARENT_REJECTED: "“{label}”, which this decision stands on, was rejected. "
    "Supersede without it, or reject.",
    BlockedBy.PARENT_SUPERSEDED: "“{label}”, which this decision stands on, was superseded. "
    "Supersede with what replaced it, or reject.",
    BlockedBy.PARENT_GONE: "“{label}”, which this decision stands on, no longer exists. "
    "Supersede without it, or reject.",
}

MOVED: dict[str, str] = {
    "decision": "The decision itself changed: its state, its flag or what it cites.",
    "documents": "A cited document has a newer version.",
    "parents": "A decision that this one stands on changed.",
    "dependents": "What rests on this decision changed.",
}

ABOUT_DOCUMENTS: dict[Code, Problem] = {
    Code.MOVED: Problem(
        409,
        "The preview was out of date",
        "The document, or who cites it, changed after this preview, so nothing was written.",
        "Below is what would happen now; look again, then send it.",
    ),
    Code.REQUEST_ID_REUSED: Problem(
        409,
        "Sent twice with different words",
        "This preview was already sent once with other content, and that sending counts.",
        "Look at the document as it stands now; your text is below if more is needed.",
    ),
    Code.INVALID_REQUEST_ID: Problem(
        422,
        "The form was damaged",
        "The form came back without the mark that makes a double click one version.",
        "Look at the preview again, and send it from there; your text is kept.",
    ),
    Code.INVALID_NAME: Problem(
        422,
        "The key cannot be kept",
        "A key is not empty and has no blanks at its ends.",
        "Take the blanks away, and send it again.",
    ),
    Code.DOCUMENT_NOT_FOUND: Problem(
        404,
        "No such document",
        "There is no document of this key.",
        "Check the key letter by letter; agents name documents by it.",
    ),
}
"""Refusals that sound another way where the form is about a document."""

DOCUMENT_EXISTS = Problem(
    409,
    "The key is taken",
    "There is a document of this key already.",
    "Change that one, or choose another key.",
)

CLAIMED = Problem(
    409,
    "Somebody else is judging this",
    "Somebody else holds this decision at the moment, so your verdict was not recorded.",
    "Wait until it is free, or take it over and say why; what you typed is kept.",
)
"""A verdict by whoever lost their claim, or never had one. No operation of the graph refuses this."""

FORBIDDEN = Problem(
    403,
    "Not yours to do",
    "Your role in this project lets you read this, but not do that.",
    "Ask an admin of the project if you should be able to.",
)
NOT_FOUND = Problem(
    404,
    "Nothing here",
    "There is nothing at this address, or it is not yours to see.",
    "Check the address, or start from your projects.",
)
BAD_REQUEST = Problem(
    400,
    "Not understood",
    "The server could not read this request.",
    "Go back and try again from the page you came from.",
)
BROKEN = Problem(
    500,
    "Something broke on our side",
    "The page could not be made. What you did last may or may not have been recorded.",
    "Look at the decision before you repeat anything; if it happens again, tell whoever "
    "runs this console.",
)
FORM_OUT_OF_DATE = Problem(
    403,
    "This form is from an earlier sign-in",
    "You signed in again since this page was opened, so the form no longer counts as yours.",
    "Your text is below. Send it again.",
)
NOT_PUT_BACK = Problem(
    409,
    "Your text could not be put back",
    "You are signed in. What you had typed waited for more than a day, or you may no longer "
    "write where you wrote it, so it is in no form any more.",
    "It is below: copy what you need.",
)
FORBIDDEN_FORM = Problem(
    403,
    "This form does not count",
    "The form came without a valid token, so nothing was done.",
    "Open the page again and send it from there. Cookies must be allowed for this site.",
)


def of_fault(fault: StoreFault) -> Problem:
    """The row of the fault's class, or of the nearest class above it that has one."""
    for kind in type(fault).__mro__:
        if kind in FAULTS:
            return FAULTS[kind]
    return FAULTS[StoreUnavailable]


def of_refusal(result: WriteResult) -> Problem:
    """The row of a refused result.

    Raises `ValueError` for a result that was recorded.
    """
    if result.error is None:
        raise ValueError("the write was recorded")
    return REFUSALS[result.error]


def about_document(code: Code) -> Problem:
    """The row of a code where the form is about a document."""
    return ABOUT_DOCUMENTS.get(code, REFUSALS[code])


def details(result: WriteResult) -> list[str]:
    """What exactly stood in the way, one sentence each."""
    blocked = [BLOCKED[blocker.cause].format(label=blocker.label) for blocker in result.blockers]
    moved = [MOVED.get(part, "Something that the page showed changed.") for part in result.moved]
    return blocked + list(dict.fromkeys(moved))
