"""Grant a document to a project, or take the grant back: who may read it beside those who cite it."""

from typing import NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Create, Guard, Scope
from graphstore.ids import named_id
from graphstore.refusals import WriteErrorCode
from graphstore.results import WriteResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import GRANT_DOCUMENT


class Gathered(NamedTuple):
    request: Row
    entry: Row
    document: str | None
    scope: Row


def grant_document(
    store: GraphStore, call: Call, document_key: str, *, granted: bool
) -> WriteResult:
    """Set whether the call's project may read the document though nothing of it cites it.

    What a decision or step of the project cites stays readable either way. Granting
    twice, or taking back what was not granted, is in effect and changes nothing.
    Refusals: `document_not_found`, `request_id_reused`, `invalid_request_id`,
    `invalid_text`, `name_too_long`. Source: `RULES.md` 5.
    """
    if error := call.invalid():
        return _refuse(error)
    scope = Scope(call.project_id, named_id("Document", document_key), document_key)
    keys = {**call.keys(), "document_id": scope.document_id, "scope_id": scope.id}
    return write(
        store,
        GRANT_DOCUMENT,
        lambda: Gathered(*store.read("grant_document", keys, leader=True)[0]),
        lambda seen: plan(call, scope, seen, granted=granted),
    )


def plan(
    call: Call, scope: Scope, seen: Gathered, *, granted: bool
) -> Planned[WriteResult] | WriteResult:
    """What the grant changes, given what was read."""
    replayed = call.replay(seen.request, WriteResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    result = WriteResult(recorded=True)
    if call.landed(seen.request, seen.entry):
        return result
    if seen.document is None:
        return _refuse(WriteErrorCode.DOCUMENT_NOT_FOUND)
    before = bool(seen.scope[1])
    changes = Changeset(guards=[Guard("Document", scope.document_id)])
    if rows.found(seen.scope):
        changes.guards.append(Guard("CtxScope", scope.id, {"granted": before}))
        if before != granted:
            changes.changes.append(Change("CtxScope", scope.id, {"granted": granted}))
    else:
        changes.creates.append(Create("CtxScope", {**scope.props(), "granted": granted}))
    changes.entries = [
        call.entry(Entry(changed={scope.document_id: {"granted": [before, granted]}}))
    ]
    changes.request = call.request(dump(result), None)
    return Planned(changes, lambda _: result)


def _refuse(error: WriteErrorCode) -> WriteResult:
    return WriteResult(recorded=False, error=error)
