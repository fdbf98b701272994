"""Put or remove a document: a new version, or none, and flags on whoever stood on the old one."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from graphstore import rows
from graphstore.calls import Call, Entry, dump
from graphstore.changeset import Change, Changeset, CitersHeld, Create, Guard, Props
from graphstore.evidence import paragraphs
from graphstore.ids import derived_id, named_id, sha256
from graphstore.operations.citing import document_guard
from graphstore.operations.flagging import (
    MAX_FLAGS,
    closure,
    flag_dependents,
    flag_props,
    raise_queue,
    unchanged,
)
from graphstore.records import Document, PutDocumentResult
from graphstore.refusals import WriteErrorCode
from graphstore.rows import Row
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import PUT_DOCUMENT, REMOVE_DOCUMENT, Verb

CHUNK_CHARACTERS = 1_200
"""A chunk is whole paragraphs up to about this length."""
CHUNKER = "review-console"
CHUNKER_HASH = sha256(f"{CHUNKER}:paragraphs:{CHUNK_CHARACTERS}")


class Gathered(NamedTuple):
    request: Row
    entry: Row
    document: Row
    job: str | None
    chunks: list[str]
    citers: list[Row]
    closure: list[list[Row]]


class Citer(NamedTuple):
    support_id: str
    current: bool | None
    recorded_seq: int | None
    decision_id: str
    project_id: str
    task_id: str
    status: str
    review_state: str
    version: int
    causes: list[str] | None
    created_at: str
    flagged_us: int | None


@dataclass(frozen=True)
class Version:
    """What the document shall be: a text with its metadata, or removed when `text` is None."""

    key: str
    text: str | None
    title: str | None = None
    uri: str | None = None

    @property
    def id(self) -> str:
        return named_id("Document", self.key)

    @property
    def content_hash(self) -> str | None:
        return None if self.text is None else sha256(self.text)

    @property
    def version_id(self) -> str:
        return derived_id("Version", self.content_hash, "", "")


def put_document(store: GraphStore, call: Call, wanted: Version) -> PutDocumentResult:
    """Make `wanted` the document's current version; every active decision that cites an older one is flagged.

    The same text again changes nothing and flags nobody. Refusals:
    `document_empty`, `document_not_found` (removing), `document_managed_elsewhere`
    (the library's ingestion holds or owns it), `invalid_text`,
    `request_id_reused`, `invalid_request_id`. Source: `RULES.md` 5.
    """
    if error := call.invalid(wanted.text or ""):
        return _refuse(error)
    if wanted.text is not None and not wanted.text.strip():
        return _refuse(WriteErrorCode.DOCUMENT_EMPTY)
    verb = PUT_DOCUMENT if wanted.text is not None else REMOVE_DOCUMENT
    keys = {
        **call.keys(),
        "document_id": wanted.id,
        "document_key": wanted.key,
        "content_hash": wanted.content_hash or "",
    }
    many: list[int] = []
    result = write(
        store,
        verb,
        lambda: Gathered(*store.read("put_document", keys, leader=True)[0]),
        lambda seen: plan(call, wanted, seen, many),
    )
    if result.recorded and result.document is not None and many:
        flagged = _flag_rest(store, call, wanted, result.document.activation_seq, verb)
        result = result.model_copy(update={"flagged": flagged})
    return result


def plan(
    call: Call, wanted: Version, seen: Gathered, many: list[int]
) -> Planned[PutDocumentResult] | PutDocumentResult:
    """What the new version changes, given what was read.

    `many` gets an item when the document has more citers than one commit flags.
    """
    many[:] = [len(seen.citers)] if len(seen.citers) > MAX_FLAGS else []
    if (
        replayed := call.replay(seen.request, PutDocumentResult.model_validate_json, _refuse)
    ) is not None:
        return replayed
    if rows.found(seen.entry):
        return PutDocumentResult(recorded=True, document=rows.document(seen.document[0]))
    row, live, managed = seen.document
    there = rows.named("document", row)
    if refused := _refusal(wanted, seen, there, live=live, managed=managed):
        return refused
    at = rows.iso(call.at)
    seq = there.get("activation_seq", 0) + 1
    props = _document_props(wanted, at, seq)
    changes = Changeset()
    if there:
        changes.guards.append(document_guard(there))
        changes.changes.append(Change("Document", wanted.id, props))
    else:
        created = {**props, "id": wanted.id, "document_key": wanted.key, "ctx_managed": True}
        changes.creates.append(Create("Document", created))
    if live:
        changes.part_documents.append((wanted.id, at))
    _hang_version(changes, wanted, seen, at)
    changes.creates.append(_activation(call, wanted, there, seq, live=live))
    flagged = _flag(changes, call, wanted, seen, seq)
    document = Document.model_validate(
        {**there, **props, "id": wanted.id, "document_key": wanted.key}
    )
    result = PutDocumentResult(recorded=True, document=document, flagged=len(flagged))
    cause = f"document:{wanted.id}:{seq}"
    touched = {call.project_id: [], **_by_project(flagged)}
    changes.entries = [
        call.entry(
            Entry(
                created=[wanted.id] if project == call.project_id else [],
                changed={wanted.id: {"activation_seq": [seq - 1, seq]}},
                flagged=ids,
                decisions=ids,
                cause=cause,
                hashes={wanted.id: wanted.content_hash or ""},
            ),
            project,
        )
        for project, ids in touched.items()
    ]
    changes.request = call.request(dump(result), None)
    return Planned(changes, lambda _: result)


def _refusal(
    wanted: Version, seen: Gathered, there: Mapping[str, Any], *, live: bool, managed: bool
) -> PutDocumentResult | None:
    held = seen.job in ("pending", "rolling_back", "committed", "cleaning")
    if held or (there and not managed):
        return _refuse(WriteErrorCode.DOCUMENT_MANAGED_ELSEWHERE)
    if wanted.text is None:
        if not there:
            return _refuse(WriteErrorCode.DOCUMENT_NOT_FOUND)
        if not live:
            return PutDocumentResult(
                recorded=True, document=Document.model_validate(there), unchanged=True
            )
    same_title = wanted.title in (None, there.get("title")) and wanted.uri in (
        None,
        there.get("uri"),
    )
    if live and there.get("current_content_hash") == wanted.content_hash and same_title:
        return PutDocumentResult(
            recorded=True, document=Document.model_validate(there), unchanged=True
        )
    return None


def _document_props(wanted: Version, at: str, seq: int) -> Props:
    props: Props = {
        "current_content_hash": wanted.content_hash,
        "activation_seq": seq,
        "updated_at": at,
    }
    if wanted.title is not None:
        props["title"] = wanted.title
    if wanted.uri is not None:
        props["uri"] = wanted.uri
    return props


def _hang_version(changes: Changeset, wanted: Version, seen: Gathered, at: str) -> None:
    if wanted.text is None or wanted.content_hash is None:
        return
    if seen.chunks:
        # This very text was current before: its chunks are still there.
        changes.open_parts.append((wanted.id, wanted.version_id, at))
        return
    for index, (start, end) in enumerate(chunk_ranges(wanted.text)):
        identity = derived_id("Chunk", wanted.id, wanted.version_id, CHUNKER_HASH, index)
        part = f"{wanted.id}:{identity}:{wanted.version_id}"
        edge = {
            "id": named_id("HAS_PART", part),
            "version_id": wanted.version_id,
            "valid_at": at,
        }
        provenance = {
            "kind": "text",
            "char_start": start,
            "char_end": end,
            "line_start": None,
            "line_end": None,
        }
        props: Props = {
            "id": identity,
            "document_id": wanted.id,
            "content_hash": wanted.content_hash,
            "index": index,
            "text": wanted.text[start:end],
            "provenance": json.dumps(provenance),
            "heading_path": [],
            "section_ids": [],
            "content_kind": "text",
            "char_start": start,
            "char_end": end,
            "chunker": CHUNKER,
            "chunker_hash": CHUNKER_HASH,
            "created_at": at,
        }
        changes.creates.append(Create("Chunk", props, wanted.id, edge))


def chunk_ranges(text: str) -> list[tuple[int, int]]:
    """Neighbouring ranges that cover the whole text, cut where paragraphs begin."""
    starts = [start for start, _ in paragraphs(text)]
    cuts = [0]
    for start, following in pairwise([*starts[1:], len(text)]):
        if following - cuts[-1] > CHUNK_CHARACTERS:
            cuts.append(start)
    ends = [*cuts[1:], len(text)]
    return list(zip(cuts, ends, strict=True))


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


def _flag(
    changes: Changeset, call: Call, wanted: Version, seen: Gathered, seq: int
) -> list[tuple[str, str]]:
    """Flag current citers and their dependents; returns (project, decision) for each flag set.

    With more citers than one commit carries, nothing is flagged here: the caller
    goes on in bounded commits, and meanwhile nobody can add a clear citer of the
    old version, since recording guards the activation.
    """
    citers = [Citer(*row) for row in seen.citers]
    if len(citers) > MAX_FLAGS:
        projects = {c.project_id for c in citers}
        raise_queue(changes, {}, incomplete=projects)
        return []
    changes.citers_held.append(
        CitersHeld("document_node_id", wanted.id, tuple(sorted(c.support_id for c in citers)))
    )
    flagged = flag_citers(changes, call, citers, seen.closure, wanted, seq)
    raise_queue(changes, Counter(project for project, _ in flagged))
    return flagged


def flag_citers(
    changes: Changeset,
    call: Call,
    citers: Sequence[Citer],
    levels: Sequence[Sequence[Row]],
    wanted: Version,
    seq: int,
) -> list[tuple[str, str]]:
    """Flag the active decisions whose current supports cite an older version."""
    us = rows.microseconds(call.at)
    cause = f"document:{wanted.id}:{seq}"
    reason = "source_removed" if wanted.text is None else "source_changed"
    judged: dict[str, Citer] = {}
    for citer in citers:
        outdated = citer.recorded_seq != seq or wanted.text is None
        if citer.current and citer.status == "active" and outdated:
            judged[citer.decision_id] = citer
    found = closure(levels, [i for i, c in judged.items() if c.review_state == "clear"])
    roots: dict[str, list[str]] = {}
    for identity, citer in judged.items():
        earlier = [c for c in citer.causes or () if not c.startswith(f"document:{wanted.id}:")]
        causes = sorted({*earlier, cause})
        seen, absent = unchanged(
            {
                "status": citer.status,
                "review_state": citer.review_state,
                "ctx_version": citer.version or None,
            }
        )
        changes.guards.append(Guard("Decision", identity, seen, absent))
        props = flag_props(
            reason, causes, citer.flagged_us or us, pending=identity in found.frontier
        )
        if identity not in found.frontier:
            # The queue mark of an earlier flag is not ours to lift.
            del props["review_pending"]
        changes.changes.append(Change("Decision", identity, props))
        if citer.review_state == "clear":
            roots[identity] = causes
    further = flag_dependents(changes, found, roots, us)
    project_of = {d.id: d.project_id for d in found.dependents}
    if found.frontier:
        raise_queue(changes, {}, incomplete={c.project_id for c in judged.values()})
    return [(c.project_id, i) for i, c in judged.items()] + [(project_of[i], i) for i in further]


def _by_project(flagged: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for project, identity in flagged:
        grouped.setdefault(project, []).append(identity)
    return grouped


def _flag_rest(store: GraphStore, call: Call, wanted: Version, seq: int, verb: Verb) -> int:
    """Flag the citers of a much cited document in bounded commits; their dependents are queued."""
    total = 0
    p = {"document_id": wanted.id, "limit": MAX_FLAGS}
    while True:
        step = Call(call.action, call.project_id, call.actor, call.arguments)
        done = write(
            store,
            verb,
            lambda: [Citer(*row) for row in store.read("outdated_citers", p, leader=True)],
            lambda citers, step=step: _plan_slice(step, wanted, seq, citers),
        )
        if not done:
            return total
        total += done


def _plan_slice(
    call: Call, wanted: Version, seq: int, citers: Sequence[Citer]
) -> Planned[int] | int:
    if not citers:
        return 0
    us = rows.microseconds(call.at)
    cause = f"document:{wanted.id}:{seq}"
    reason = "source_removed" if wanted.text is None else "source_changed"
    one_each = {c.decision_id: c for c in citers}
    changes = Changeset(guards=[Guard("Document", wanted.id)])
    for identity in one_each:
        changes.guards.append(
            Guard("Decision", identity, {"status": "active", "review_state": "clear"})
        )
        props = flag_props(reason, [cause], us, pending=True)
        changes.changes.append(Change("Decision", identity, props))
    grouped = _by_project([(c.project_id, i) for i, c in one_each.items()])
    raise_queue(
        changes, {project: len(ids) for project, ids in grouped.items()}, incomplete=grouped
    )
    changes.entries = [
        call.entry(Entry(flagged=ids, decisions=ids, cause=cause), project)
        for project, ids in grouped.items()
    ]
    return Planned(changes, lambda _: len(one_each))


def _refuse(error: WriteErrorCode) -> PutDocumentResult:
    return PutDocumentResult(recorded=False, error=error)
