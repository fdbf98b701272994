"""Addresses of pages whose names are arbitrary text.

A project id or a task name may hold slashes, dots, blanks or any script. Percent
encoding does not survive (servers decode `%2F` before they route, browsers fold
`..`), so a name becomes one path segment in which everything but letters, digits,
`-`, `_` and inner dots is written as `~` and two hexadecimal digits per UTF-8 byte.
Each name has exactly one such segment.
"""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

_ESCAPED = re.compile(r"(?:~[0-9A-F]{2})+")
_EMPTY = "~"


def to_segment(name: str) -> str:
    """`name` as one path segment."""
    return "".join(_written(place, char) for place, char in enumerate(name)) or _EMPTY


def _written(place: int, char: str) -> str:
    if char.isalnum() or char in "-_" or (char == "." and place > 0):
        return char
    return "".join(f"~{byte:02X}" for byte in char.encode())


def from_segment(segment: str) -> str:
    """The name that `segment` writes.

    Raises `ValueError` when no name is written so.
    """
    name = "" if segment == _EMPTY else _ESCAPED.sub(_bytes_written, segment)
    if to_segment(name) != segment:
        raise ValueError(segment)
    return name


def _bytes_written(escaped: re.Match[str]) -> str:
    return bytes.fromhex(escaped[0].replace("~", "")).decode()


class NameConverter:
    """`<name:...>` in `urls.py`."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return from_segment(value)

    def to_url(self, value: str) -> str:
        return to_segment(value)


class SegmentConverter:
    """`<segment:...>` in the API: as `name`, and plain text counts as well.

    A program may write a name with percent encoding; only `~` and what no path can
    hold (slashes, a name of dots, nothing at all) needs the console's own writing.
    """

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        if "\0" in value:
            raise ValueError(value)
        if "~" not in value:
            return value
        name = "" if value == _EMPTY else _ESCAPED.sub(_bytes_written, value)
        if value != _EMPTY and "~" in _ESCAPED.sub("", value):
            raise ValueError(value)
        return name

    def to_url(self, value: str) -> str:
        return to_segment(value)


def _address(
    name: str, query: Mapping[str, str | int | None] | None = None, **parts: object
) -> str:
    given = {key: value for key, value in (query or {}).items() if value not in (None, "")}
    path = reverse(name, kwargs=parts)
    return f"{path}?{urlencode(given)}" if given else path


def sign_in_url() -> str:
    return _address("signin")


def projects_url(**query: str | None) -> str:
    return _address("projects", query)


def queue_url(project_id: str, **query: str | int | None) -> str:
    return _address("queue", query, project=project_id)


def queue_news_url(project_id: str, **query: str | int | None) -> str:
    """Where a queue page asks what came since it was made."""
    return _address("queue_news", query, project=project_id)


def queue_views_url(project_id: str) -> str:
    """The saved views of a project's queue."""
    return _address("queue_views", project=project_id)


def saved_view_url(project_id: str, view: UUID) -> str:
    """One saved view; it leads to the queue as it was saved."""
    return _address("saved_view", project=project_id, view_uuid=view)


def decisions_url(project_id: str, **query: str | int | None) -> str:
    return _address("decisions", query, project=project_id)


def conflicts_url(project_id: str, **query: str | int | None) -> str:
    return _address("conflicts", query, project=project_id)


def conflict_url(project_id: str, choice_key: str) -> str:
    return _address("conflict", project=project_id, choice_key=choice_key)


def keep_url(project_id: str, choice_key: str, decision_id: UUID | str) -> str:
    """Where one side of a conflict, the one with this decision, is kept and the others rejected."""
    parts = {"choice_key": choice_key, "decision_id": UUID(str(decision_id))}
    return _address("keep", project=project_id, **parts)


def decision_url(project_id: str, decision_id: UUID | str, **query: str | int | None) -> str:
    return _address("decision", query, project=project_id, decision_id=UUID(str(decision_id)))


def open_url(project_id: str, decision_id: UUID | str, **query: str | int | None) -> str:
    """A decision's desk, opened to judge it: whoever may, holds it from then on."""
    return decision_url(project_id, decision_id, **{**query, "take": 1})


def next_item_url(
    project_id: str, here: UUID | str | None = None, **query: str | int | None
) -> str:
    """What comes after a decision for whoever asks; settled when it is asked, not before."""
    return _address("next", {**query, "here": str(here) if here else None}, project=project_id)


def claim_url(project_id: str, decision_id: UUID | str, **query: str | int | None) -> str:
    """Where a decision is taken, held on to, released and taken over."""
    return _address("claim", query, project=project_id, decision_id=UUID(str(decision_id)))


def leave_url(project_id: str, decision_id: UUID | str, **query: str | int | None) -> str:
    """Where a decision is skipped, set aside or snoozed, and that is taken back."""
    return _address("leave", query, project=project_id, decision_id=UUID(str(decision_id)))


def draft_url(project_id: str, decision_id: UUID | str) -> str:
    """Where what is typed for a verdict is saved as it is written."""
    return _address("draft", project=project_id, decision_id=UUID(str(decision_id)))


def lineage_url(
    project_id: str,
    decision_id: UUID | str,
    opened: Sequence[str] = (),
    *,
    as_of: str = "",
    kind: str = "lineage",
) -> str:
    """The lineage with nodes opened and as of a day; `kind` also names its files for export."""
    address = _address(kind, project=project_id, decision_id=UUID(str(decision_id)))
    query = [("as_of", as_of)] if as_of else []
    query += [("opened", one) for one in opened]
    return f"{address}?{urlencode(query)}" if query else address


def impact_url(project_id: str, decision_id: UUID | str) -> str:
    """What a verdict on a decision would do to others."""
    return _address("impact", project=project_id, decision_id=UUID(str(decision_id)))


def versions_between_url(
    project_id: str, decision_id: UUID | str, support_id: str, **query: int | None
) -> str:
    """What each version made of the passage that one support of a decision cites."""
    parts = {"decision_id": UUID(str(decision_id)), "support_id": UUID(support_id)}
    return _address("versions_between", query, project=project_id, **parts)


def pick_url(
    project_id: str, decision_id: UUID | str, support_id: str, **query: str | int | None
) -> str:
    """Where the passage is picked that a decision stands on from now on."""
    parts = {"decision_id": UUID(str(decision_id)), "support_id": UUID(support_id)}
    return _address("pick", query, project=project_id, **parts)


def ask_url(project_id: str, decision_id: UUID | str, **query: str | int | None) -> str:
    """Where somebody asks for review of a decision."""
    return _address("ask", query, project=project_id, decision_id=UUID(str(decision_id)))


def tokens_url(project_id: str) -> str:
    """Where an admin makes, sees and revokes the project's tokens."""
    return _address("tokens", project=project_id)


def reference_url() -> str:
    """How to call the API."""
    return _address("reference")


def verdicts_url(project_id: str, **query: str | int | None) -> str:
    return _address("verdicts", query, project=project_id)


def verdict_url(project_id: str, verdict_id: UUID | str) -> str:
    return _address("verdict", project=project_id, verdict_id=UUID(str(verdict_id)))


def withdraw_url(project_id: str, verdict_id: UUID | str) -> str:
    """Where a verdict is taken back."""
    return _address("withdraw", project=project_id, verdict_id=UUID(str(verdict_id)))


def document_url(project_id: str, document_key: str, **query: str | int | None) -> str:
    return _address("document", query, project=project_id, document_key=document_key)


def tasks_url(project_id: str, **query: str | int | None) -> str:
    return _address("tasks", query, project=project_id)


def task_url(project_id: str, task_name: str, **query: str | int | None) -> str:
    """A task's page; the list of tasks for one that was deleted, which has no name any more."""
    if not task_name:
        return tasks_url(project_id)
    return _address("task", query, project=project_id, task_name=task_name)


def event_url(project_id: str, task_name: str, seq: int) -> str:
    """The event in its place: a page of the log that begins with it."""
    return f"{task_url(project_id, task_name, **{'from': seq})}#event-{seq}"


def log_markdown_url(project_id: str, task_name: str, **query: str | int | None) -> str:
    """One page of a task's log as Markdown."""
    return _address("log_markdown", query, project=project_id, task_name=task_name)


def log_export_url(project_id: str, task_name: str) -> str:
    """A task's whole log as JSON."""
    return _address("log_export", project=project_id, task_name=task_name)


def check_event_url(project_id: str, task_name: str, seq: int) -> str:
    """Where somebody who kept an event's text sees whether it is the one that was recorded."""
    return _address("event_check", project=project_id, task_name=task_name, seq=seq)


def delete_task_url(project_id: str, task_name: str, **query: str | None) -> str:
    """Where an admin deletes a task."""
    return _address("task_delete", query, project=project_id, task_name=task_name)


def redact_event_url(project_id: str, task_name: str, seq: int) -> str:
    """Where an admin redacts an event."""
    return _address("event_redact", project=project_id, task_name=task_name, seq=seq)


def retention_url(project_id: str, **query: str | None) -> str:
    return _address("retention", query, project=project_id)


def receipt_url(project_id: str, entry_id: UUID | str) -> str:
    """What one redaction or deletion did."""
    return _address("receipt", project=project_id, entry_id=UUID(str(entry_id)))


def steps_url(project_id: str, task_name: str, **query: str | int | None) -> str:
    return _address("steps", query, project=project_id, task_name=task_name)


def ledger_url(project_id: str, **query: str | None) -> str:
    return _address("ledger", query, project=project_id)


def entry_url(project_id: str, entry_id: UUID | str) -> str:
    """One entry of the ledger."""
    return _address("ledger_entry", project=project_id, entry_id=UUID(str(entry_id)))


def verification_url(project_id: str) -> str:
    """Whether the ledger is whole."""
    return _address("ledger_verification", project=project_id)


def jobs_url(project_id: str) -> str:
    """What works in the background, and what the sweep mended."""
    return _address("jobs", project=project_id)


def intake_url(project_id: str, **query: str | int | None) -> str:
    """What an existing graph brought, opened in portions."""
    return _address("intake", query, project=project_id)


def documents_url(project_id: str, **query: str | int | None) -> str:
    return _address("documents", query, project=project_id)


def new_document_url(project_id: str) -> str:
    return _address("document_new", project=project_id)


def version_url(project_id: str, document_key: str, seq: int, **query: str | int | None) -> str:
    """The text of one version of a document, with what changed."""
    return _address(
        "document_version", query, project=project_id, document_key=document_key, seq=seq
    )


def change_document_url(project_id: str, document_key: str) -> str:
    return _address("document_change", project=project_id, document_key=document_key)


def remove_document_url(project_id: str, document_key: str) -> str:
    return _address("document_remove", project=project_id, document_key=document_key)


def bundle_url(project_id: str, document_key: str, **query: str | int | None) -> str:
    """What waits because of one document."""
    return _address("bundle", query, project=project_id, document_key=document_key)


def bulk_start_url(project_id: str, document_key: str, **query: str | int | None) -> str:
    """What of a bundle may be reaffirmed in bulk, and of the rest why not."""
    return _address("bulk_start", query, project=project_id, document_key=document_key)


def bulk_url(project_id: str, bulk_id: UUID | str, **query: str | int | None) -> str:
    """One bulk: its sample, its button, and what became of each of its decisions."""
    return _address("bulk", query, project=project_id, bulk_id=UUID(str(bulk_id)))


def project_settings_url(project_id: str) -> str:
    """Where a manager settles what holds for the project's reviewers."""
    return _address("project_settings", project=project_id)
