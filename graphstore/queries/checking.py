"""What can be said of one ledger entry from itself, the one before it, and a mirror's copy.

Pure: everything read is passed in. Of each entry the first thing that is wrong is said;
what follows from it is not said again.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graphstore.ids import sha256
from graphstore.ledger_keys import LedgerKeys
from graphstore.ledger_records import FindingKind, LedgerEntry, MirroredEntry, MirroredSeal
from graphstore.seals import arrival_mac, entry_mac, holds, signature

__all__ = ["Copies", "Link", "check", "conclusions_of"]

_OF_THE_ACTOR = (
    "agent_id", "principal", "on_behalf_of", "session_id", "parent_trace", "door",
)  # fmt: skip


@dataclass(frozen=True)
class Copies:
    """What a mirror keeps of one entry, and whether it was there before the seal."""

    entry: MirroredEntry | None
    seal: MirroredSeal | None


@dataclass(frozen=True)
class Link:
    """The content hash that the next entry must name as its parent; None: it is the first."""

    hash: str | None


def check(
    entry: LedgerEntry,
    before: Link | None,
    keys: LedgerKeys,
    copies: Copies | None,
) -> FindingKind | None:
    """The first thing that is wrong with a sealed entry, or None.

    `before` is None when the entry before is missing or itself not what it was: then nothing
    can be said of the link. `copies` None: a mirror need not have it.
    """
    if altered(entry, keys):
        return FindingKind.ALTERED
    attested = _attested(entry, keys, copies)
    if attested not in (None, FindingKind.UNATTESTED, FindingKind.UNKNOWN_KEY):
        return attested
    if before is not None and entry.parent_hash != before.hash:
        return FindingKind.FORK
    if copies is not None and not _alike(entry, copies):
        return FindingKind.APART
    return attested


def altered(entry: LedgerEntry, keys: LedgerKeys) -> bool:
    """Whether the entry no longer says what was hashed: its manifest, or a column beside it."""
    if sha256(entry.manifest_json) != entry.content_hash:
        return True
    manifest = entry.manifest
    actor = manifest.get("actor", {})
    columns = {name: getattr(entry, name) for name in _OF_THE_ACTOR}
    columns |= {"action": entry.action, "task": entry.task_id, "project": entry.project_id}
    said = {name: actor.get(name) for name in _OF_THE_ACTOR}
    said |= {name: manifest.get(name) for name in ("action", "task", "project")}
    if columns != said or not set(entry.gone) <= set(manifest.get("gone", ())):
        return True
    key = keys.find(entry.signing_key_id)
    if key is None or entry.signature is None:
        return False
    made = arrival_mac(key, entry.schema_version, entry.project_id, entry.id, entry.arrived)
    return not holds(made, entry.arrived_mac)


def _attested(entry: LedgerEntry, keys: LedgerKeys, copies: Copies | None) -> FindingKind | None:
    """What is wrong with its HMAC and its signature.

    An HMAC that a mirror still has cannot be missing because there was no key.
    """
    schema, project = entry.schema_version, entry.project_id
    unknown = lacking = False
    if entry.mac is None:
        if copies and copies.entry and copies.entry.mac:
            return FindingKind.BAD_MAC
        lacking = True
    elif key := keys.find(entry.mac_key_id):
        made = entry_mac(key, schema, project, entry.id, entry.content_hash)
        if not holds(made, entry.mac):
            return FindingKind.BAD_MAC
    else:
        unknown = True
    if entry.signature is None:
        if copies and copies.seal and copies.seal.signature:
            return FindingKind.BAD_SIGNATURE
        lacking = True
    elif key := keys.find(entry.signing_key_id):
        number = entry.sequence_number or 0
        made = signature(key, schema, project, number, entry.parent_hash, entry.content_hash)
        if not holds(made, entry.signature):
            return FindingKind.BAD_SIGNATURE
    else:
        unknown = True
    if unknown:
        return FindingKind.UNKNOWN_KEY
    return FindingKind.UNATTESTED if lacking else None


def _alike(entry: LedgerEntry, copies: Copies) -> bool:
    return copies.entry == MirroredEntry.of(entry) and copies.seal == MirroredSeal.of(entry)


def conclusions_of(entry: LedgerEntry) -> Mapping[str, tuple[str, str]]:
    """The decision that the entry recorded, with the hashes of its conclusion and rationale."""
    manifest = entry.manifest
    if manifest.get("action") not in ("record_decision", "supersede_decision"):
        return {}
    hashes = manifest.get("hashes", {})
    return {
        identity: (hashes[identity], hashes[f"{identity}/rationale"])
        for identity in manifest.get("created", ())
        if identity in hashes and f"{identity}/rationale" in hashes
    }
