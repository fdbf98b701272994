"""Every code with which a write can be refused, once.

The first block is the reference library's, letter for letter, since its users
read these codes. The second block is ours; `docs/differences.md` says why each
exists. `reviewconsole.problems` gives every code an HTTP status and a sentence.
"""

from enum import StrEnum

__all__ = ["WriteErrorCode"]


class WriteErrorCode(StrEnum):
    """Why a write was refused. A refused write left nothing behind."""

    TASK_EXISTS = "task_exists"
    TASK_NOT_FOUND = "task_not_found"
    EVENT_NOT_FOUND = "event_not_found"
    REQUEST_ID_REUSED = "request_id_reused"
    INVALID_REQUEST_ID = "invalid_request_id"
    CHOICE_EXISTS = "choice_exists"
    SUPERSEDE_TARGET_INVALID = "supersede_target_invalid"
    EXPLANATION_REQUIRED = "explanation_required"
    SUPPORT_REQUIRED = "support_required"
    SUPPORT_INVALID = "support_invalid"
    SUPPORT_MALFORMED = "support_malformed"
    SUPPORT_NOT_FETCHED = "support_not_fetched"
    SUPPORT_OUT_OF_SCOPE = "support_out_of_scope"
    SUPPORT_DOCUMENT_NOT_FOUND = "support_document_not_found"
    SUPPORT_EVENT_NOT_FOUND = "support_event_not_found"
    SUPPORT_DECISION_NOT_FOUND = "support_decision_not_found"
    DECISION_NOT_FOUND = "decision_not_found"
    DECISION_NOT_ACTIVE = "decision_not_active"
    SUPPORT_DECISION_NOT_ACTIVE = "support_decision_not_active"
    CANNOT_REVALIDATE = "cannot_revalidate"

    INVALID_TEXT = "invalid_text"
    """A text holds what no engine stores alike: NUL or a lone surrogate."""
    NAME_TOO_LONG = "name_too_long"
    """A project, task, choice or document name over 1,000 bytes, which no index holds."""
    INVALID_NAME = "invalid_name"
    """A project, task or choice name that is empty, or has white space at an end or U+0001
    in it: as part of a unique key it stops FalkorDB's server."""
    MOVED = "moved"
    """What the caller was shown has changed since; `moved` says in what."""
    DOCUMENT_NOT_FOUND = "document_not_found"
    DOCUMENT_MANAGED_ELSEWHERE = "document_managed_elsewhere"
    """The reference library's ingestion holds the document."""
    DOCUMENT_EMPTY = "document_empty"
    TOO_MANY_EVENTS = "too_many_events"
    """More events in one call than one commit carries (100)."""
    VERDICT_NOT_FOUND = "verdict_not_found"
    """No verdict of that id in the project, or one that was taken back already."""
    DELETION_CANCELLED = "deletion_cancelled"
    """The deletion that this request id asked for was called off."""
    JOB_NOT_FOUND = "job_not_found"
    JOB_CLOSED = "job_closed"
    """The job is done or was called off, or is of a kind that cannot be held."""
    DELETION_BEGUN = "deletion_begun"
    """The first part of the task is gone: the job can be paused, but not called off."""
    BUILT_UPON = "built_upon"
    """A verdict cannot be taken back, since `built` was recorded or judged on it."""
