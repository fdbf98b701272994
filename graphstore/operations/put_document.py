"""Put or remove a document: a new version, or none, and flags on whoever stood on the old one."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Create
from graphstore.ids import named_id
from graphstore.operations.citing import document_guard
from graphstore.operations.flag_citers import Source, finish_jobs, flag_citers
from graphstore.operations.flagging import MAX_FLAGS
from graphstore.operations.versions import Version, hang_version
from graphstore.records import ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.results import PutDocumentResult
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import PUT_DOCUMENT


class Gathered(NamedTuple):
    request: Row
    entry: Row
    document: Row
    job: str | None
    chunks: list[str]
    citers: list[Row]
    projects: list[str]
    closure: list[list[Row]]


def put_document(store: GraphStore, call: Call, wanted: Version) -> PutDocumentResult:
    """Make `wanted` the document's current version.

    Every active decision that cites an older one is flagged, in every project. The
    same text again flags nobody: it changes the title or address, if anything.

    Refusals: `document_empty`, `document_not_found` (removing),
    `document_managed_elsewhere` (the library's ingestion holds or owns it),
    `invalid_text`, `name_too_long`, `request_id_reused`, `invalid_request_id`.
    Source: `RULES.md` 5.
    """
    if error := call.invalid(wanted.text or ""):
        return _refuse(error)
    if wanted.text is not None and not wanted.text.strip():
        return _refuse(WriteErrorCode.DOCUMENT_EMPTY)
    keys = {
        **call.keys(),
        "document_id": wanted.id,
        "document_key": wanted.key,
        "content_hash": wanted.content_hash or "",
        "version_id": wanted.version_id,
        "event_id": "",
    }
    result = write(
        store,
        PUT_DOCUMENT,
        lambda: Gathered(*store.read("put_document", keys, leader=True)[0]),
        lambda seen: plan(call, wanted, seen),
    )
    if result.left_to_job:
        flagged = finish_jobs(store, call)
        result = result.model_copy(update={"flagged": len(flagged), "left_to_job": False})
    return result


def plan(
    call: Call, wanted: Version, seen: Gathered
) -> Planned[PutDocumentResult] | PutDocumentResult:
    """What the new version changes, given what was read."""
    replayed = call.replay(seen.request, PutDocumentResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    row, live, managed = seen.document
    there = rows.named("document", row)
    if rows.found(seen.entry):
        return PutDocumentResult(
            recorded=True,
            document=rows.document_of(there),
            flagged=len(seen.entry[1]),
            left_to_job=len(seen.citers) > MAX_FLAGS,
            arrived=seen.entry[4] or [],
        )
    if refused := _refusal(wanted, seen.job, there, managed=managed):
        return refused
    if wanted.content_hash == there.get("current_content_hash") and live == (
        wanted.text is not None
    ):
        return _same_text(call, wanted, there)
    at = rows.iso(call.at)
    seq = there.get("activation_seq", 0) + 1
    props = {
        **wanted.metadata(),
        "current_content_hash": wanted.content_hash,
        "activation_seq": seq,
        "updated_at": at,
    }
    changes = Changeset()
    if there:
        changes.guards.append(document_guard(there))
        changes.changes.append(Change("Document", wanted.id, props))
    else:
        created = {**props, "id": wanted.id, "document_key": wanted.key, "ctx_managed": True}
        changes.creates.append(Create("Document", created))
    if live:
        changes.part_documents.append((wanted.id, at))
    hang_version(changes, wanted, at, there_already=bool(seen.chunks))
    changes.creates.append(_activation(call, wanted, there, seq, live=live))
    source = Source(
        f"document:{wanted.id}:{seq}",
        ReviewReason.SOURCE_REMOVED if wanted.text is None else ReviewReason.SOURCE_CHANGED,
        document_id=wanted.id,
        seq=seq,
    )
    flagged = flag_citers(changes, call, source, seen.citers, seen.projects, seen.closure)
    result = PutDocumentResult(
        recorded=True,
        document=rows.document_of({**there, **props, "id": wanted.id, "document_key": wanted.key}),
        flagged=len(flagged.by_project.get(call.project_id, [])),
        left_to_job=any(c.label == "CtxJob" for c in changes.creates),
    )
    own = Entry(
        created=[] if there else [wanted.id],
        changed={wanted.id: {"activation_seq": [seq - 1, seq]}},
        hashes={wanted.id: wanted.content_hash or ""},
    )
    changes.entries = flagged.entries(call, own, source.cause)
    changes.request = call.request(dump(result), None)
    return Planned(
        changes, lambda committed: result.model_copy(update={"arrived": committed.late_ids})
    )


def _same_text(
    call: Call, wanted: Version, there: Mapping[str, Any]
) -> Planned[PutDocumentResult] | PutDocumentResult:
    """No new version: at most another title or address, and the claim of the request id."""
    new = {key: value for key, value in wanted.metadata().items() if there.get(key) != value}
    document = rows.document_of({**there, **new})
    result = PutDocumentResult(recorded=True, document=document, unchanged=not new)
    if not new and call.request_id is None:
        return result
    changes = Changeset(guards=[document_guard(there)])
    if new:
        changes.changes.append(Change("Document", wanted.id, new))
    changes.entries = [call.entry(Entry(hashes={wanted.id: wanted.content_hash or ""}))]
    changes.request = call.request(dump(result), None)
    return Planned(changes, lambda _: result)


def _refusal(
    wanted: Version, job: str | None, there: Mapping[str, Any], *, managed: bool
) -> PutDocumentResult | None:
    held = job in ("pending", "rolling_back", "committed", "cleaning")
    if held or (there and not managed):
        return _refuse(WriteErrorCode.DOCUMENT_MANAGED_ELSEWHERE)
    if wanted.text is None and not there:
        return _refuse(WriteErrorCode.DOCUMENT_NOT_FOUND)
    return None


def _activation(
    call: Call, wanted: Version, there: Mapping[str, Any], seq: int, *, live: bool
) -> Create:
    verb = "delete" if wanted.text is None else "update" if live else "add"
    props = {
        "id": named_id("DocumentActivation", call.entry_id),
        "document_key": wanted.key,
        "verb": verb,
        "content_hash": wanted.content_hash,
        "previous_content_hash": there.get("current_content_hash"),
        "version_id": wanted.version_id if wanted.text is not None else None,
        "activation_seq": seq,
        "activated_at": rows.iso(call.at),
        "job_id": call.entry_id,
    }
    return Create("DocumentActivation", props, wanted.id)


def _refuse(error: WriteErrorCode) -> PutDocumentResult:
    return PutDocumentResult(recorded=False, error=error)
