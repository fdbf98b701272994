"""Give open ledger entries their place in the project's chain.

The end of the chain is a node of its own, which no other write touches, so nobody
waits for a seal and no seal for anybody but another sealer.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from graphstore import rows
from graphstore.changeset import Change, Changeset, Create, Guard, Props
from graphstore.ids import derived_id
from graphstore.ledger_keys import LedgerKeys
from graphstore.ledger_records import LedgerEntry, Mirror, Sealed
from graphstore.rows import Row
from graphstore.schema import CTX_MARKER
from graphstore.seals import arrival_mac, signature
from graphstore.store import GraphStore, Planned, write
from graphstore.verbs import SEAL_ENTRIES

__all__ = ["chain_id", "seal_entries"]

BATCH = 200


def chain_id(project_id: str) -> str:
    return derived_id("CtxChain", project_id)


def seal_entries(
    store: GraphStore,
    project_id: str,
    *,
    taken: Collection[str] = (),
    mirror: Mirror | None = None,
    limit: int = BATCH,
) -> Sealed:
    """Seal at most `limit` entries, oldest first, and close those that a console has `taken`.

    A mirror keeps each entry before the graph says that it is sealed, and its place
    afterwards. Killed anywhere in between, the next call does the rest: an entry without a
    place is taken again, and a mirror that lacks the last places gets them from the graph.
    Two sealers at once do not disturb each other: whoever comes second gathers again.
    """
    at = datetime.now(UTC)
    p = {"project_id": project_id, "chain_id": chain_id(project_id), "limit": limit}

    def gather() -> tuple[Row, list[LedgerEntry]]:
        head, found = store.read("unsealed", p, leader=True)[0]
        entries = [LedgerEntry.of(row) for row in found]
        if mirror is not None and entries:
            mirror.keep_entries(project_id, entries)
        return head, entries

    sealed = write(
        store,
        SEAL_ENTRIES,
        gather,
        lambda found: plan(
            project_id, *found, store.ledger_keys, at, taken, limit, mirrored=mirror is not None
        ),
    )
    if mirror is not None:
        mirror.keep_seals(project_id, sealed.entries)
    return sealed


def plan(
    project_id: str,
    head: Row,
    entries: Sequence[LedgerEntry],
    keys: LedgerKeys,
    at: datetime,
    taken: Collection[str],
    limit: int,
    *,
    mirrored: bool,
) -> Planned[Sealed] | Sealed:
    """The seals of these entries, one after the other from the end of the chain on."""
    closed = set(taken)
    changes = Changeset()
    number, parent = head[1] or 0, head[2]
    sealed: list[LedgerEntry] = []
    for entry in entries:
        number += 1
        seal = _seal(entry, number, parent, keys, at)
        sealed.append(entry.model_copy(update=seal))
        parent = entry.content_hash
        props: Props = {
            **seal,
            "sealed_at": rows.iso(at),
            "ctx_mirrored": True if mirrored else None,
            "ctx_unsealed": None,
        }
        if entry.id in closed:
            props["ctx_open"] = None
        kept = {key: value for key, value in props.items() if value is not None}
        gone = {key: None for key in ("ctx_unsealed", "ctx_open") if key in props}
        changes.changes.append(Change("CtxTrace", entry.id, {**kept, **gone}))
        # A number must not be given for an entry that somebody took away meanwhile.
        changes.guards.append(Guard("CtxTrace", entry.id, absent=("sequence_number",)))
    rest = closed - {entry.id for entry in entries}
    changes.changes += [Change("CtxTrace", i, {"ctx_open": None}) for i in sorted(rest)]
    if not changes.changes:
        return Sealed(reached=number)
    if sealed:
        _move_end(changes, project_id, head, {"sequence_number": number, "head_hash": parent})
    result = Sealed(entries=sealed, more=len(entries) >= limit, reached=number)
    return Planned(changes, lambda _: result)


def _seal(
    entry: LedgerEntry, number: int, parent: str | None, keys: LedgerKeys, at: datetime
) -> dict[str, Any]:
    seal: dict[str, Any] = {"sequence_number": number, "parent_hash": parent, "sealed_at": at}
    if keys.current is None:
        return seal
    schema, project = entry.schema_version, entry.project_id
    return seal | {
        "signature": signature(keys.current, schema, project, number, parent, entry.content_hash),
        "signing_key_id": keys.current.id,
        "arrived_mac": arrival_mac(keys.current, schema, project, entry.id, entry.arrived),
    }


def _move_end(changes: Changeset, project_id: str, head: Row, end: Props) -> None:
    """The end of the chain is where it was seen, and moves on with this commit."""
    identity, number, last = head
    if identity is None:
        own = {CTX_MARKER: True, "id": chain_id(project_id), "project_id": project_id}
        changes.creates.append(Create("CtxChain", {**own, **end}))
    else:
        seen = {"sequence_number": number, "head_hash": last}
        changes.guards.append(Guard("CtxChain", identity, seen))
        changes.changes.append(Change("CtxChain", identity, end))
