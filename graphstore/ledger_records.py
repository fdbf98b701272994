"""What the ledger gives back: entries, seals, pages of them, and what a verification found."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, Self, cast

from graphstore import rows
from graphstore.faults import CorruptRecord
from graphstore.records import Record
from graphstore.rows import Row
from graphstore.seals import arrival_hash

__all__ = [
    "Finding",
    "FindingKind",
    "LedgerEntry",
    "LedgerPage",
    "Mirror",
    "MirroredEntry",
    "MirroredSeal",
    "Sealed",
    "VerifiedSlice",
]


class LedgerEntry(Record):
    """One entry: who did what, for whom, and what it changed. Ids, values and hashes only."""

    id: str
    project_id: str
    schema_version: int = 0
    action: str = ""
    task_id: str | None = None
    agent_id: str = ""
    principal: str | None = None
    on_behalf_of: str | None = None
    session_id: str | None = None
    parent_trace: str | None = None
    door: str = ""
    created_at: datetime | None = None
    us: int = 0
    manifest_json: str = ""
    content_hash: str = ""
    mac: str | None = None
    mac_key_id: str | None = None
    last_seq: int | None = None
    late: Sequence[str] = ()
    gone: Sequence[str] = ()
    sequence_number: int | None = None
    parent_hash: str | None = None
    signature: str | None = None
    signing_key_id: str | None = None
    sealed_at: datetime | None = None
    arrived_mac: str | None = None

    @classmethod
    def of(cls, row: Row) -> Self:
        """The entry of a row. One that somebody damaged stops nothing: it keeps what can be read.

        Sealing must go on past it, and a verification must be able to name it.
        """
        values = rows.named("entry", row)
        try:
            return rows.record(cls, values)
        except CorruptRecord:
            number = values.get("sequence_number")
            return cls(
                id=str(values.get("id")),
                project_id=str(values.get("project_id")),
                sequence_number=number if isinstance(number, int) else None,
            )

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was sealed; empty when somebody left no JSON there."""
        try:
            read = json.loads(self.manifest_json)
        except ValueError:
            return {}
        return cast("Mapping[str, Any]", read) if isinstance(read, dict) else {}

    @property
    def attested(self) -> bool:
        """Whether its writer had a key."""
        return self.mac is not None

    @property
    def arrived(self) -> str:
        """The hash of what only the commit could know."""
        return arrival_hash(self.last_seq, self.late)


class LedgerPage(Record):
    """Entries, newest first."""

    entries: Sequence[LedgerEntry]
    next_cursor: str | None = None


class MirroredEntry(Record):
    """An entry as a mirror keeps it: hashes only."""

    id: str
    content_hash: str
    mac: str = ""
    arrived: str

    @classmethod
    def of(cls, entry: LedgerEntry) -> Self:
        return cls(
            id=entry.id,
            content_hash=entry.content_hash,
            mac=entry.mac or "",
            arrived=entry.arrived,
        )


class MirroredSeal(Record):
    """An entry's place in the chain as a mirror keeps it."""

    entry_id: str
    sequence_number: int
    parent_hash: str = ""
    signature: str = ""

    @classmethod
    def of(cls, entry: LedgerEntry) -> Self:
        return cls(
            entry_id=entry.id,
            sequence_number=entry.sequence_number or 0,
            parent_hash=entry.parent_hash or "",
            signature=entry.signature or "",
        )


class Mirror(Protocol):
    """A second place that keeps what was sealed, and lets nobody change it."""

    def keep_entries(self, project_id: str, entries: Sequence[LedgerEntry]) -> None:
        """Keep entries that are about to be sealed; those that it has already stay as they are."""
        ...

    def keep_seals(self, project_id: str, entries: Sequence[LedgerEntry]) -> None:
        """Keep the places of entries that have been sealed; what it has already stays."""
        ...

    def last_number(self, project_id: str) -> int:
        """The highest number that it keeps, 0 when it keeps none."""
        ...

    def entries(self, project_id: str, ids: Sequence[str]) -> Mapping[str, MirroredEntry]:
        """Those of `ids` that it keeps."""
        ...

    def seals(self, project_id: str, low: int, high: int) -> Mapping[int, MirroredSeal]:
        """The places from `low` up to before `high`."""
        ...

    def ids_after(self, project_id: str, place: int, limit: int) -> Sequence[tuple[int, str]]:
        """The next entries after a place in its own order, each with its place."""
        ...


class Sealed(Record):
    """What one call of the sealer did. `more` says that entries are left."""

    entries: Sequence[LedgerEntry] = ()
    more: bool = False
    reached: int = 0
    """The number that the chain has reached."""


class FindingKind(StrEnum):
    """What a verification can find."""

    ALTERED = "altered"
    BAD_MAC = "bad_mac"
    BAD_SIGNATURE = "bad_signature"
    UNKNOWN_KEY = "unknown_key"
    UNATTESTED = "unattested"
    MISSING = "missing"
    GAP = "gap"
    FORK = "fork"
    UNSEALED = "unsealed"
    APART = "apart"
    CONCLUSION_CHANGED = "conclusion_changed"


class Finding(Record):
    """One thing that is not as it was sealed. Names entries and records by id."""

    kind: FindingKind
    entry_id: str | None = None
    sequence_number: int | None = None
    decision_id: str | None = None
    until: int | None = None
    """The last number of a gap that begins at `sequence_number`."""


class VerifiedSlice(Record):
    """What one bounded step of a verification looked at. `cursor` None: it was the last.

    `erased` counts conclusions that were deleted here, by an entry that says so; `left`
    those that are gone without one, as when the reference library deleted their task.
    """

    findings: Sequence[Finding] = ()
    cursor: str | None = None
    entries: int = 0
    conclusions: int = 0
    erased: int = 0
    left: int = 0
    reached: int = 0
    """The number that the chain had reached."""
