"""Every way a request can be refused or fail: HTTP status, title and plain words.

Pages and the API share this one table. A code without a row fails a test, so a
refusal never reaches a person as its bare code.
"""

from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

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
from reviewconsole.directions import closed

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
        _("The task exists"),
        _("A task of this name exists with another goal."),
        _("Choose another name, or use the task that is there."),
    ),
    Code.TASK_NOT_FOUND: Problem(
        404,
        _("No such task"),
        _("There is no task of this name here."),
        _("Look for it in the task list."),
    ),
    Code.EVENT_NOT_FOUND: Problem(
        404,
        _("No such event"),
        _("This event does not exist."),
        _("Open its task to see what is there."),
    ),
    Code.REQUEST_ID_REUSED: Problem(
        409,
        _("Sent twice with different words"),
        _("This form was already sent once with other content, and that sending counts."),
        _("Look at the decision as it stands now; your text is below if more is needed."),
    ),
    Code.INVALID_REQUEST_ID: Problem(
        422,
        _("The form was damaged"),
        _("The form came back without the mark that makes a double click one verdict."),
        _("Reload the page and send it again; your text is kept."),
    ),
    Code.CHOICE_EXISTS: Problem(
        409,
        _("Already decided"),
        _("This task already has a decision for this choice."),
        _("Supersede that decision instead."),
    ),
    Code.SUPERSEDE_TARGET_INVALID: Problem(
        409,
        _("Cannot be superseded"),
        _("Only the newest active revision of a decision can be superseded."),
        _("Open the newest revision and judge that one."),
    ),
    Code.EXPLANATION_REQUIRED: Problem(
        422,
        _("The why is missing"),
        _("A new conclusion needs a sentence on why it replaces the old one."),
        _("Write why, then send it again."),
    ),
    Code.SUPPORT_REQUIRED: Problem(
        422,
        _("Support is missing"),
        _("A decision stands on at least one support and at most twenty."),
        _("Choose what the new conclusion stands on."),
    ),
    Code.SUPPORT_INVALID: Problem(
        422,
        _("A support does not hold"),
        _("Something cited cannot support this."),
        _("Choose another support."),
    ),
    Code.SUPPORT_MALFORMED: Problem(
        422,
        _("Not a passage"),
        _("One of the passages sent is not a passage id."),
        _("Choose a passage from the page again."),
    ),
    Code.SUPPORT_NOT_FETCHED: Problem(
        409,
        _("A passage could not be read"),
        _("One of the passages chosen could not be read in full as it stands now."),
        _("Reload the page and choose the passage again."),
    ),
    Code.SUPPORT_OUT_OF_SCOPE: Problem(
        403,
        _("Outside this project"),
        _("One of the passages belongs to a document that this project may not read."),
        _("Choose a passage of a document that the project cites."),
    ),
    Code.SUPPORT_DOCUMENT_NOT_FOUND: Problem(
        409,
        _("The document is gone"),
        _("A cited document is no longer there."),
        _("Leave it out, or reject the decision if nothing else supports it."),
    ),
    Code.SUPPORT_EVENT_NOT_FOUND: Problem(
        409,
        _("The event is gone"),
        _("A cited event no longer exists, so it can support nothing."),
        _("Supersede without it, or reject the decision."),
    ),
    Code.SUPPORT_DECISION_NOT_FOUND: Problem(
        409,
        _("The cited decision is gone"),
        _("A cited decision no longer exists."),
        _("Supersede without it, or reject the decision."),
    ),
    Code.DECISION_NOT_FOUND: Problem(
        404,
        _("No such decision"),
        _("This decision does not exist here."),
        _("Go back to the queue."),
    ),
    Code.DECISION_NOT_ACTIVE: Problem(
        409,
        _("Already judged"),
        _(
            "This decision was superseded or rejected in the meantime, so this verdict was not "
            "recorded."
        ),
        _("See below what happened to it; your text is kept."),
    ),
    Code.SUPPORT_DECISION_NOT_ACTIVE: Problem(
        409,
        _("A cited decision no longer stands"),
        _("One of the decisions chosen as support was superseded or rejected."),
        _("Cite the decision that replaced it, or leave it out."),
    ),
    Code.CANNOT_REVALIDATE: Problem(
        409,
        _("Cannot be reaffirmed as it stands"),
        _("Not everything that this decision stands on holds at this moment."),
        _("See below what is in the way and what would make it possible."),
    ),
    Code.INVALID_TEXT: Problem(
        422,
        _("A character cannot be stored"),
        _("The text holds a character that no record can keep (NUL, or half of a pair)."),
        _("Remove it, often the trace of a copy from another program, and send it again."),
    ),
    Code.NAME_TOO_LONG: Problem(
        422,
        _("The name is too long"),
        _("A name of a project, task, choice or document has at most 1,000 bytes."),
        _("Use a shorter name, and put the rest into the text."),
    ),
    Code.INVALID_NAME: Problem(
        422,
        _("The name cannot be kept"),
        _("A name of a project, task or choice is not empty and has no blanks at its ends."),
        _("Take the blanks away, and send it again."),
    ),
    Code.MOVED: Problem(
        409,
        _("The page was out of date"),
        _("Something changed after you opened this page, so your verdict was not recorded."),
        _("The page now shows how things stand; look again, then send it."),
    ),
    Code.DOCUMENT_NOT_FOUND: Problem(
        404,
        _("No such document"),
        _("There is no document of this name here."),
        _("Go back to the queue."),
    ),
    Code.DOCUMENT_MANAGED_ELSEWHERE: Problem(
        409,
        _("Looked after elsewhere"),
        _("An ingestion pipeline writes this document, so it cannot be changed here."),
        _("Change it where it comes from."),
    ),
    Code.DOCUMENT_EMPTY: Problem(
        422,
        _("The document is empty"),
        _("A document needs some text."),
        _("Write the text first."),
    ),
    Code.TOO_MANY_EVENTS: Problem(
        422,
        _("Too many events at once"),
        _("One call records at most 100 events."),
        _("Send them in several calls."),
    ),
    Code.VERDICT_NOT_FOUND: Problem(
        404,
        _("No such verdict"),
        _("There is no verdict of this kind here, or it was taken back already."),
        _("Open the decision to see how it stands."),
    ),
    Code.DELETION_CANCELLED: Problem(
        409,
        _("The deletion was called off"),
        _("The deletion that this form asked for was called off; the task is there as it was."),
        _("Open the task to delete it after all."),
    ),
    Code.JOB_NOT_FOUND: Problem(
        404, _("No such job"), _("There is no job of this id here."), _("Look at the list of jobs.")
    ),
    Code.JOB_CLOSED: Problem(
        409,
        _("The job has ended"),
        _("This job is done or was called off, so it cannot be held or let go on."),
        _("Look at its receipt to see how it ended."),
    ),
    Code.DELETION_BEGUN: Problem(
        409,
        _("The deletion has begun"),
        _("Part of the task is gone already, so the deletion can be paused but not called off."),
        _("Pause it, or let it go on to its end."),
    ),
    Code.BUILT_UPON: Problem(
        409,
        _("Others built on it"),
        _("This verdict cannot be taken back, since something was recorded or judged on it since."),
        _("Ask for review of the decision, or judge what stands on it first."),
    ),
}

FAULTS: dict[type[StoreFault], Problem] = {
    StoreUnavailable: Problem(
        503,
        _("The graph does not answer"),
        _("The record store cannot be reached at the moment, so nothing was read or written."),
        _("Try again in a few seconds; if it lasts, tell whoever runs this console."),
    ),
    OutcomeUnknown: Problem(
        503,
        _("Perhaps recorded, perhaps not"),
        _(
            "The record store went away while it was writing, so it is not known whether this "
            "was recorded."
        ),
        _(
            "Send the same form again: if it was recorded, that is found out and nothing happens "
            "twice."
        ),
    ),
    StoreMisconfigured: Problem(
        503,
        _("The graph does not let us in"),
        _("The record store answers, but not to the settings of this console."),
        _("Tell whoever runs this console; its log says which setting is wrong."),
    ),
    SchemaMissing: Problem(
        503,
        _("The graph is not set up"),
        _("The record store lacks constraints, so nothing is written until they exist."),
        _("Ask whoever runs this console to run `manage.py graph_setup`."),
    ),
    Contended: Problem(
        503,
        _("Too many at once"),
        _("Others kept changing the same records, so nothing was written."),
        _("Wait a moment and send it again."),
    ),
    CorruptRecord: Problem(
        500,
        _("A record is damaged"),
        _("A record in the store lacks what every record has, so it cannot be shown."),
        _("Tell whoever runs this console; its log names the record."),
    ),
}

BLOCKED: dict[BlockedBy, str] = {
    BlockedBy.DOCUMENT_REMOVED: _(
        "“{label}” was removed, so nothing in it can be cited again. "
        "Supersede without it, or reject."
    ),
    BlockedBy.DOCUMENT_NOT_REAFFIRMED: _(
        "“{label}” is cited, but no present passage of it was chosen. Choose one."
    ),
    BlockedBy.EVIDENCE_OUTDATED: _(
        "The passage chosen from “{label}” is not of its current "
        "version. Choose one from the text as it is now."
    ),
    BlockedBy.EVIDENCE_UNREADABLE: _(
        "The passage chosen from “{label}” could not be read in "
        "full. Reload the page and choose again."
    ),
    BlockedBy.DOCUMENT_NOT_CITED: _(
        "“{label}” is not cited by this decision, so it cannot be "
        "part of reaffirming it. Supersede if it should be."
    ),
    BlockedBy.EVENT_REDACTED: _(
        "“{label}” was redacted, so nobody can check it any more. Supersede without it, or reject."
    ),
    BlockedBy.EVENT_GONE: _("“{label}” was deleted. Supersede without it, or reject."),
    BlockedBy.PARENT_NEEDS_REVIEW: _(
        "“{label}”, which this decision stands on, is waiting for "
        "review itself. Judge that one first."
    ),
    BlockedBy.PARENT_REJECTED: _(
        "“{label}”, which this decision stands on, was rejected. Supersede without it, or reject."
    ),
    BlockedBy.PARENT_SUPERSEDED: _(
        "“{label}”, which this decision stands on, was superseded. "
        "Supersede with what replaced it, or reject."
    ),
    BlockedBy.PARENT_GONE: _(
        "“{label}”, which this decision stands on, no longer exists. "
        "Supersede without it, or reject."
    ),
}

MOVED: dict[str, str] = {
    "decision": _("The decision itself changed: its state, its flag or what it cites."),
    "documents": _("A cited document has a newer version."),
    "parents": _("A decision that this one stands on changed."),
    "dependents": _("What rests on this decision changed."),
}

ABOUT_DOCUMENTS: dict[Code, Problem] = {
    Code.MOVED: Problem(
        409,
        _("The preview was out of date"),
        _("The document, or who cites it, changed after this preview, so nothing was written."),
        _("Below is what would happen now; look again, then send it."),
    ),
    Code.REQUEST_ID_REUSED: Problem(
        409,
        _("Sent twice with different words"),
        _("This preview was already sent once with other content, and that sending counts."),
        _("Look at the document as it stands now; your text is below if more is needed."),
    ),
    Code.INVALID_REQUEST_ID: Problem(
        422,
        _("The form was damaged"),
        _("The form came back without the mark that makes a double click one version."),
        _("Look at the preview again, and send it from there; your text is kept."),
    ),
    Code.INVALID_NAME: Problem(
        422,
        _("The key cannot be kept"),
        _("A key is not empty and has no blanks at its ends."),
        _("Take the blanks away, and send it again."),
    ),
    Code.DOCUMENT_NOT_FOUND: Problem(
        404,
        _("No such document"),
        _("There is no document of this key."),
        _("Check the key letter by letter; agents name documents by it."),
    ),
}
"""Refusals that sound another way where the form is about a document."""

DOCUMENT_EXISTS = Problem(
    409,
    _("The key is taken"),
    _("There is a document of this key already."),
    _("Change that one, or choose another key."),
)

CLAIMED = Problem(
    409,
    _("Somebody else is judging this"),
    _("Somebody else holds this decision at the moment, so your verdict was not recorded."),
    _("Wait until it is free, or take it over and say why; what you typed is kept."),
)
"""A verdict by whoever lost their claim, or never had one. No operation of the graph refuses this."""

FORBIDDEN = Problem(
    403,
    _("Not yours to do"),
    _("Your role in this project lets you read this, but not do that."),
    _("Ask an admin of the project if you should be able to."),
)
NOT_FOUND = Problem(
    404,
    _("Nothing here"),
    _("There is nothing at this address, or it is not yours to see."),
    _("Check the address, or start from your projects."),
)
BAD_REQUEST = Problem(
    400,
    _("Not understood"),
    _("The server could not read this request."),
    _("Go back and try again from the page you came from."),
)
BROKEN = Problem(
    500,
    _("Something broke on our side"),
    _("The page could not be made. What you did last may or may not have been recorded."),
    _(
        "Look at the decision before you repeat anything; if it happens again, tell whoever "
        "runs this console."
    ),
)
FORM_OUT_OF_DATE = Problem(
    403,
    _("This form is from an earlier sign-in"),
    _("You signed in again since this page was opened, so the form no longer counts as yours."),
    _("Your text is below. Send it again."),
)
NOT_PUT_BACK = Problem(
    409,
    _("Your text could not be put back"),
    _(
        "You are signed in. What you had typed waited for more than a day, or you may no longer "
        "write where you wrote it, so it is in no form any more."
    ),
    _("It is below: copy what you need."),
)
FORBIDDEN_FORM = Problem(
    403,
    _("This form does not count"),
    _("The form came without a valid token, so nothing was done."),
    _("Open the page again and send it from there. Cookies must be allowed for this site."),
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
    blocked = [
        gettext(BLOCKED[one.cause]).format(label=closed(one.label)) for one in result.blockers
    ]
    other = _("Something that the page showed changed.")
    moved = [gettext(MOVED.get(part, other)) for part in result.moved]
    return blocked + list(dict.fromkeys(moved))
