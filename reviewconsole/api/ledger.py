"""The ledger: who did what, when, for whom. Ids, values and hashes, never a text."""

from typing import Annotated
from uuid import UUID

from django.http import Http404, HttpRequest
from ninja import Router
from pydantic import AfterValidator, Field

from graphstore.ledger import LedgerEntry, LedgerPage, get_entry, list_entries
from graphstore.records import Record
from reviewconsole.access import Role, enter_as
from reviewconsole.api.callers import caller_of
from reviewconsole.api.schemas import Limit200, Moment, Name, Word

router = Router(tags=["ledger"])


def _place(text: str) -> str:
    us, _, identity = text.partition(".")
    if not (us.isascii() and us.isdigit() and identity.isprintable() and identity):
        raise ValueError("is not a cursor that a page gave")
    return text


Cursor = Annotated[str, AfterValidator(_place), Field(max_length=60)]


@router.get("/ledger", operation_id="list_entries", response=LedgerPage)
def show_entries(
    request: HttpRequest,
    project: Name,
    action: Word | None = None,
    who: Word | None = None,
    task_id: UUID | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    cursor: Cursor | None = None,
    limit: Limit200 = 50,
) -> LedgerPage:
    """Entries, newest first; `who` keeps those in which this agent, token or person is named. For admins."""
    return list_entries(
        enter_as(caller_of(request), project, Role.ADMIN).store,
        project,
        action=action,
        who=who,
        task_id=task_id,
        since=since,
        until=until,
        cursor=cursor,
        limit=limit,
    )


class EntryOfTask(Record):
    """An entry, with the name of its task while that is there."""

    entry: LedgerEntry
    task_name: str | None = None


@router.get("/ledger/{uuid:entry_id}", operation_id="get_entry", response=EntryOfTask)
def show_entry(request: HttpRequest, project: Name, entry_id: UUID) -> EntryOfTask:
    """One entry. For admins."""
    scope = enter_as(caller_of(request), project, Role.ADMIN)
    found = get_entry(scope.store, project, entry_id)
    if found is None:
        raise Http404
    return EntryOfTask(entry=found[0], task_name=found[1])
