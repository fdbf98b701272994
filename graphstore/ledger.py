"""The ledger: every entry attested by its writer, sealed into one chain per project, verified.

`graphstore` seals and verifies by itself; a console adds a mirror in its own database.
"""

from graphstore.ledger_keys import LedgerKey, LedgerKeys
from graphstore.ledger_records import (
    Finding,
    FindingKind,
    LedgerEntry,
    LedgerPage,
    Mirror,
    MirroredEntry,
    MirroredSeal,
    Sealed,
    VerifiedSlice,
)
from graphstore.operations.seal_entries import chain_id
from graphstore.operations.seal_entries import seal_entries as seal
from graphstore.queries.ledger import get_entry, list_entries
from graphstore.queries.verifying import verify
from graphstore.store import GraphStore

__all__ = [
    "Finding",
    "FindingKind",
    "LedgerEntry",
    "LedgerKey",
    "LedgerKeys",
    "LedgerPage",
    "Mirror",
    "MirroredEntry",
    "MirroredSeal",
    "Sealed",
    "VerifiedSlice",
    "get_entry",
    "list_entries",
    "seal",
    "sealed_between",
    "verify",
]


def sealed_between(
    store: GraphStore, project_id: str, low: int, high: int
) -> tuple[int, list[tuple[LedgerEntry, bool]]]:
    """The number that the chain has reached, and the entries numbered `low` up to before `high`.

    Each with whether a mirror kept it before it was sealed: what a Python program sealed,
    a console mirrors later.
    """
    p = {"project_id": project_id, "chain_id": chain_id(project_id), "low": low, "high": high}
    reached, found = store.read("sealed", p, leader=True)[0]
    return reached, [(LedgerEntry.of(row), mirrored) for row, mirrored in found]
