"""The table of `reviewconsole.problems` for callers without a page, and what only they can meet."""

from dataclasses import replace

from graphstore.refusals import WriteErrorCode as Code
from reviewconsole import problems
from reviewconsole.problems import REFUSALS, Problem

__all__ = [
    "CLAIMED",
    "CSRF_FAILED",
    "INVALID",
    "MALFORMED",
    "NOT_ALLOWED",
    "OVER_HTTP",
    "TOO_LARGE",
    "TOO_MANY_CALLS",
    "UNAUTHORIZED",
    "over_http",
]

OVER_HTTP: dict[Code, tuple[str, str]] = {
    Code.REQUEST_ID_REUSED: (
        "This request id was already used for another call, and that one counts.",
        "Use a new Idempotency-Key for each new call, and repeat a call with its own.",
    ),
    Code.INVALID_REQUEST_ID: (
        "A request id has 1 to 64 characters and no blanks at its ends.",
        "Send another Idempotency-Key, a UUID for example.",
    ),
    Code.SUPPORT_MALFORMED: (
        "One of the evidence ids sent is none.",
        "Take the evidence ids as the record gives them.",
    ),
    Code.DECISION_NOT_FOUND: (
        "This decision does not exist here.",
        "Look for it with browse_decisions.",
    ),
    Code.DOCUMENT_NOT_FOUND: (
        "There is no document of this name here.",
        "Look for it with list_documents; an admin lets a project read one with grant_document.",
    ),
    Code.SUPPORT_NOT_FETCHED: (
        "One of the passages cited could not be read in full as it stands now.",
        "Fetch it with fetch_evidence to see why, and cite a passage that answers `ok`.",
    ),
    Code.DECISION_NOT_ACTIVE: (
        "This decision was superseded or rejected, so nothing was recorded.",
        "Read it again to see what happened to it.",
    ),
    Code.CANNOT_REVALIDATE: (
        "Not everything that this decision stands on holds at this moment.",
        "`blockers` says what is in the way, `details` what would make it possible.",
    ),
    Code.MOVED: (
        "Something changed since `seen` was read, so nothing was recorded.",
        "Read it again, look at what `moved` names, and send the call with the new `seen`.",
    ),
    Code.DELETION_CANCELLED: (
        "The deletion that this request id asked for was called off; the task is as it was.",
        "Delete it after all with a new Idempotency-Key.",
    ),
    Code.BUILT_UPON: (
        "This verdict cannot be taken back, since something was recorded or judged on it since.",
        "`built` says what; ask for review of the decision, or judge that first.",
    ),
}
"""Sentence and help of refusals where no form was sent; status and title are the same."""


def over_http(code: Code) -> Problem:
    """The row of a code for a caller who has no page before them."""
    sentence, what_to_do = OVER_HTTP.get(code, (REFUSALS[code].sentence, REFUSALS[code].what_to_do))
    return replace(REFUSALS[code], sentence=sentence, what_to_do=what_to_do)


UNAUTHORIZED = Problem(
    401,
    "Not signed in",
    "The call came without a token that holds: none, one that has ended, or one that never was.",
    "Send `Authorization: Bearer <token>`; an admin of the project makes one.",
)
CLAIMED = replace(
    problems.CLAIMED,
    sentence="A person holds this decision at the moment, so nothing was recorded.",
    what_to_do="Send the same call again when `until` has passed, or judge another one.",
)
CSRF_FAILED = Problem(
    403,
    "This call does not count",
    "A call that writes with a session needs the session's CSRF token as well.",
    "Send it as X-CSRFToken, or use a bearer token.",
)
MALFORMED = Problem(
    400,
    "Not understood",
    "The body of this call is no JSON.",
    "Send one JSON object, in UTF-8.",
)
INVALID = Problem(
    422,
    "An argument is not valid",
    "Something sent is not of the form that the operation takes.",
    "Look at `errors` for each place.",
)
TOO_LARGE = Problem(
    413,
    "Too large",
    "The body of this call is larger than the server takes.",
    "Send less at once.",
)
NOT_ALLOWED = Problem(
    405,
    "No such method",
    "There is something at this address, but not for this method.",
    "The Allow header names the methods.",
)
TOO_MANY_CALLS = Problem(
    429,
    "Too many calls",
    "This token has made as many calls in this minute as it may.",
    "Wait as many seconds as Retry-After says.",
)
