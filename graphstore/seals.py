"""What an entry's HMAC and a chain's signature cover, and nothing else.

An entry is attested in the commit that writes it, by itself, so that writers never
wait for each other; its place in the chain is attested later, by whoever seals it.
"""

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from graphstore.ledger_keys import LedgerKey, LedgerKeys
from graphstore.rows import canonical

__all__ = [
    "arrival_hash",
    "arrival_mac",
    "attest",
    "entry_mac",
    "holds",
    "signature",
]


def _hmac(key: LedgerKey, covered: Sequence[object]) -> str:
    return hmac.new(key.secret, canonical(covered).encode("ascii"), sha256).hexdigest()


def entry_mac(
    key: LedgerKey, schema: int, project_id: str, entry_id: str, content_hash: str
) -> str:
    """Says that this very process, with the key, wrote an entry of this content."""
    return _hmac(key, [schema, project_id, entry_id, content_hash])


def signature(
    key: LedgerKey,
    schema: int,
    project_id: str,
    sequence_number: int,
    parent_hash: str | None,
    content_hash: str,
) -> str:
    """Says that the entry has this number in its project, after the one of `parent_hash`."""
    return _hmac(key, [schema, project_id, sequence_number, parent_hash or "", content_hash])


def arrival_hash(last_seq: int | None, late: Sequence[str] | None) -> str:
    """Of what only the commit could know: the last event's number, the flags that came late.

    They are on the entry and not in its manifest, which was hashed before the commit.
    """
    return sha256(canonical([last_seq, list(late or ())]).encode("ascii")).hexdigest()


def arrival_mac(key: LedgerKey, schema: int, project_id: str, entry_id: str, arrived: str) -> str:
    """Says what the commit added to the entry, as it was when the entry was sealed."""
    return _hmac(key, [schema, project_id, entry_id, "arrived", arrived])


def holds(made: str, stored: str | None) -> bool:
    """Whether a stored HMAC is the one that was made, compared in constant time."""
    return hmac.compare_digest(made, stored or "")


def attest(entry: Mapping[str, Any], keys: LedgerKeys) -> dict[str, Any]:
    """An entry as it is committed: with its HMAC, or without when there is no key."""
    key = keys.current
    if key is None:
        return dict(entry)
    mac = entry_mac(
        key, entry["schema_version"], entry["project_id"], entry["id"], entry["content_hash"]
    )
    return {**entry, "mac": mac, "mac_key_id": key.id}
