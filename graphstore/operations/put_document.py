"""Put or remove a document: a new version, or none, and flags on whoever stood on the old one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, Create
from graphstore.ids import named_id, sha256
from graphstore.operations.citing import document_guard
from graphstore.operations.flag_citers import Flagged, Source, finish_jobs, flag_citers
from graphstore.operations.flagging import MAX_FLAGS
from graphstore.operations.versions import Version, hang_version
from graphstore.records import ReviewReason
from graphstore.refusals import WriteErrorCode
from graphstore.results import PutDocumentResult
from graphstore.rows import Row, canonical
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
    own: "Own | None" = None


class Own(NamedTuple):
    """The citers of the caller's project and their closure, read by themselves."""

    citers: list[Row]
    closure: list[list[Row]]


def put_document(
    store: GraphStore, call: Call, wanted: Version, *, seen: str | None = None
) -> PutDocumentResult:
    """Make `wanted` the document's current version.

    Every active decision that cites an older one is flagged, in every project. The
    same text again flags nobody: it changes the title or address, if anything.
    `seen` is the fingerprint of the plan that the caller was shown.

    Refusals: `document_empty`, `document_not_found` (removing),
    `document_managed_elsewhere` (the library's ingestion holds or owns it), `moved`
    (`documents`: another version came; `dependents`: it would flag others),
    `invalid_text`, `name_too_long`, `request_id_reused`, `invalid_request_id`.
    Source: `RULES.md` 5.
    """
    if error := invalid(call, wanted):
        return _refuse(error)
    result = write(
        store,
        PUT_DOCUMENT,
        lambda: gather(store, call, wanted, shown=seen is not None),
        lambda gathered: plan(call, wanted, gathered, seen=seen),
    )
    if result.left_to_job:
        # What rests on citers follows them later; a plan that was shown counted it already.
        flagged = max(result.flagged, len(finish_jobs(store, call)))
        result = result.model_copy(update={"flagged": flagged, "left_to_job": False})
    return result


def invalid(call: Call, wanted: Version) -> WriteErrorCode | None:
    """Why the version is refused before anything is read, or None."""
    if error := call.invalid(wanted.text, wanted.title, wanted.uri):
        return error
    if wanted.text is not None and not wanted.text.strip():
        return WriteErrorCode.DOCUMENT_EMPTY
    return None


def gather(store: GraphStore, call: Call, wanted: Version, *, shown: bool) -> Gathered:
    """What the plan rests on.

    Where there are too many citers, those of the caller's project are read by themselves
    for a plan that is or was `shown`: it must not depend on how many others there are.
    """
    keys = {
        **call.keys(),
        "document_id": wanted.id,
        "document_key": wanted.key,
        "content_hash": wanted.content_hash or "",
        "version_id": wanted.version_id,
        "event_id": "",
    }
    found = Gathered(*store.read("put_document", keys, leader=True)[0])
    if not shown or len(found.citers) <= MAX_FLAGS:
        return found
    keys["only_of"] = call.project_id
    own = Gathered(*store.read("put_document", keys, leader=True)[0])
    return found._replace(own=Own(own.citers, own.closure))


def plan(
    call: Call, wanted: Version, gathered: Gathered, *, seen: str | None
) -> Planned[PutDocumentResult] | PutDocumentResult:
    """What the new version changes, given what was read."""
    replayed = call.replay(gathered.request, PutDocumentResult.model_validate_json, _refuse)
    if replayed is not None:
        return replayed
    if call.landed(gathered.request, gathered.entry):
        return PutDocumentResult(
            recorded=True,
            document=rows.document_of(rows.named("document", gathered.document[0])),
            flagged=len(gathered.entry[1]),
            left_to_job=len(gathered.citers) > MAX_FLAGS,
            arrived=gathered.entry[4] or [],
        )
    drafted = draft(call, wanted, gathered)
    if isinstance(drafted, WriteErrorCode):
        return _refuse(drafted)
    if differs := _moved(seen, drafted.seen):
        return PutDocumentResult(recorded=False, error=WriteErrorCode.MOVED, moved=differs)
    if drafted.changes is None:
        return drafted.result
    return Planned(
        drafted.changes,
        lambda committed: drafted.result.model_copy(update={"arrived": committed.late_ids}),
    )


@dataclass(frozen=True)
class Draft:
    """What a new version would do. Without `changes` there is nothing to write."""

    changes: Changeset | None
    result: PutDocumentResult
    flagged: list[str]
    """Decisions of the caller's project, direct citers first."""
    before: Mapping[str, Mapping[str, list[Any]]]
    """What direct citers, of any project, were before, as a ledger entry says it."""
    seen: str
    too_many: bool = False
    """The citers of the caller's project alone are more than one commit flags."""


def draft(call: Call, wanted: Version, gathered: Gathered) -> Draft | WriteErrorCode:
    """The whole change, or why there is none; a preview shows the same."""
    row, live, managed = gathered.document
    there = rows.named("document", row)
    if refused := _refusal(wanted, gathered.job, there, managed=managed):
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
    hang_version(changes, wanted, at, there_already=bool(gathered.chunks))
    changes.creates.append(_activation(call, wanted, there, seq, live=live))
    source = Source(
        f"document:{wanted.id}:{seq}",
        ReviewReason.SOURCE_REMOVED if wanted.text is None else ReviewReason.SOURCE_CHANGED,
        document_id=wanted.id,
        seq=seq,
    )
    flagged = flag_citers(
        changes, call, source, gathered.citers, gathered.projects, gathered.closure
    )
    told, too_many = _told(call, source, gathered, changes, flagged)
    own = told.by_project.get(call.project_id, [])
    result = PutDocumentResult(
        recorded=True,
        document=rows.document_of({**there, **props, "id": wanted.id, "document_key": wanted.key}),
        flagged=len(own),
        left_to_job=_leaves_job(changes),
    )
    entry = Entry(
        created=[] if there else [wanted.id],
        changed={wanted.id: {"activation_seq": [seq - 1, seq]}},
        hashes={wanted.id: wanted.content_hash or ""},
    )
    changes.entries = flagged.entries(call, entry, source.cause)
    changes.request = call.request(dump(result), None)
    return Draft(
        changes,
        result,
        own,
        told.changed,
        _fingerprint(there, wanted, own, too_many=too_many),
        too_many,
    )


def _told(
    call: Call, source: Source, gathered: Gathered, changes: Changeset, flagged: Flagged
) -> tuple[Flagged, bool]:
    """What a preview says is flagged, and whether the project's own citers are too many for it."""
    if gathered.own is None:
        return flagged, _leaves_job(changes)
    apart, (citers, levels) = Changeset(), gathered.own
    told = flag_citers(apart, call, source, citers, [call.project_id], levels)
    return told, _leaves_job(apart)


def _leaves_job(changes: Changeset) -> bool:
    return any(created.label == "CtxJob" for created in changes.creates)


PARTS = ("documents", "dependents")


def _fingerprint(
    there: Mapping[str, Any], wanted: Version, flagged: Sequence[str], *, too_many: bool
) -> str:
    """What a preview showed, in two parts, so that a refusal can say which of them moved.

    The second holds the caller's project only: what others cite is not theirs to know.
    """
    parts = {
        "documents": [
            there.get("activation_seq", 0),
            there.get("current_content_hash"),
            wanted.content_hash,
        ],
        "dependents": [f"over {MAX_FLAGS}"] if too_many else sorted(flagged),
    }
    return ".".join(sha256(canonical(parts[name]))[:16] for name in PARTS)


def _moved(seen: str | None, now: str) -> list[str]:
    if seen is None:
        return []
    before = seen.split(".")
    if len(before) != len(PARTS):
        return list(PARTS)
    pairs = zip(PARTS, before, now.split("."), strict=True)
    return [name for name, was, value in pairs if was != value]


def _same_text(call: Call, wanted: Version, there: Mapping[str, Any]) -> Draft:
    """No new version: at most another title or address, and the claim of the request id."""
    new = {key: value for key, value in wanted.metadata().items() if there.get(key) != value}
    document = rows.document_of({**there, **new})
    result = PutDocumentResult(recorded=True, document=document, unchanged=not new)
    seen = _fingerprint(there, wanted, [], too_many=False)
    if not new and call.request_id is None:
        return Draft(None, result, [], {}, seen)
    changes = Changeset(guards=[document_guard(there)])
    if new:
        changes.changes.append(Change("Document", wanted.id, new))
    changes.entries = [call.entry(Entry(hashes={wanted.id: wanted.content_hash or ""}))]
    changes.request = call.request(dump(result), None)
    return Draft(changes, result, [], {}, seen)


def _refusal(
    wanted: Version, job: str | None, there: Mapping[str, Any], *, managed: bool
) -> WriteErrorCode | None:
    held = job in ("pending", "rolling_back", "committed", "cleaning")
    if held or (there and not managed):
        return WriteErrorCode.DOCUMENT_MANAGED_ELSEWHERE
    if wanted.text is None and not there:
        return WriteErrorCode.DOCUMENT_NOT_FOUND
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
