"""The ledger's mirror in the console's own database, and sealing with it.

The order makes a death at any point harmless: an entry is mirrored before it is sealed,
and its place afterwards. What a mirror lacks at its end is copied from the graph, where
it is signed; what it lacks anywhere else is never filled in, but reported.
"""

from collections.abc import Collection, Mapping, Sequence

from graphstore import ledger
from graphstore.ledger import LedgerEntry
from graphstore.store import GraphStore
from reviewconsole.ledger_models import MirroredEntry, MirroredSeal

__all__ = ["DatabaseMirror", "seal", "seal_rest"]

ROWS_AT_ONCE = 200
"""Also what keeps one statement within the parameters that SQLite takes."""
AT_ONCE = 5
"""Batches that one call seals; a backlog beyond is left to the next."""


class DatabaseMirror:
    """See `graphstore.ledger.Mirror`."""

    def keep_entries(self, project_id: str, entries: Sequence[LedgerEntry]) -> None:
        copies = [ledger.MirroredEntry.of(entry) for entry in entries]
        MirroredEntry.objects.bulk_create(
            [
                MirroredEntry(
                    entry_id=copy.id,
                    project_id=project_id,
                    content_hash=copy.content_hash,
                    mac=copy.mac,
                    arrived=copy.arrived,
                )
                for copy in copies
            ],
            batch_size=ROWS_AT_ONCE,
            ignore_conflicts=True,
        )

    def keep_seals(self, project_id: str, entries: Sequence[LedgerEntry]) -> None:
        """Keep these places if they follow on the last one; `level` brings what is between."""
        if entries and entries[0].sequence_number == self.last_number(project_id) + 1:
            self._keep(project_id, entries)

    def _keep(self, project_id: str, entries: Sequence[LedgerEntry]) -> None:
        places = [ledger.MirroredSeal.of(entry) for entry in entries]
        MirroredSeal.objects.bulk_create(
            [
                MirroredSeal(
                    entry_id=place.entry_id,
                    project_id=project_id,
                    sequence_number=place.sequence_number,
                    parent_hash=place.parent_hash,
                    signature=place.signature,
                )
                for place in places
            ],
            batch_size=ROWS_AT_ONCE,
            ignore_conflicts=True,
        )

    def last_number(self, project_id: str) -> int:
        last = MirroredSeal.objects.filter(project_id=project_id).order_by("-sequence_number")
        return last.values_list("sequence_number", flat=True).first() or 0

    def entries(self, project_id: str, ids: Sequence[str]) -> Mapping[str, ledger.MirroredEntry]:
        found = MirroredEntry.objects.filter(project_id=project_id, entry_id__in=ids)
        return {
            row.entry_id: ledger.MirroredEntry(
                id=row.entry_id, content_hash=row.content_hash, mac=row.mac, arrived=row.arrived
            )
            for row in found
        }

    def seals(self, project_id: str, low: int, high: int) -> Mapping[int, ledger.MirroredSeal]:
        found = MirroredSeal.objects.filter(
            project_id=project_id, sequence_number__gte=low, sequence_number__lt=high
        )
        return {
            row.sequence_number: ledger.MirroredSeal(
                entry_id=row.entry_id,
                sequence_number=row.sequence_number,
                parent_hash=row.parent_hash,
                signature=row.signature,
            )
            for row in found
        }

    def ids_after(self, project_id: str, place: int, limit: int) -> list[tuple[int, str]]:
        found = MirroredEntry.objects.filter(project_id=project_id, id__gt=place).order_by("id")
        return list(found.values_list("id", "entry_id")[:limit])

    def level(self, store: GraphStore, project_id: str) -> None:
        """Copy the places that the graph gave since the last one here, as after a death.

        Entries that a Python program sealed by itself are copied with them.
        """
        low = self.last_number(project_id) + 1
        while True:
            high = low + ROWS_AT_ONCE
            reached, all_found = ledger.sealed_between(store, project_id, low, high)
            # A number beyond the end was never given; copied, it would look as if it was.
            found = [pair for pair in all_found if (pair[0].sequence_number or 0) <= reached]
            self.keep_entries(project_id, [entry for entry, mirrored in found if not mirrored])
            self._keep(project_id, [entry for entry, _ in found])
            if high > reached:
                return
            low = high


def seal(store: GraphStore, project_id: str, taken: Collection[str]) -> None:
    """Close entries that the console has taken, and seal them with whatever else waits.

    Raises a `StoreFault` when the graph does not answer. One commit closes and seals what
    a page's work leaves behind.
    """
    if taken:
        _seal(store, project_id, taken)


def seal_rest(store: GraphStore, project_id: str) -> None:
    """Seal what waits, whoever wrote it, and copy what others sealed; one read when idle."""
    _seal(store, project_id, ())


def _seal(store: GraphStore, project_id: str, taken: Collection[str]) -> None:
    mirror = DatabaseMirror()
    for _ in range(AT_ONCE):
        sealed = ledger.seal(store, project_id, taken=taken, mirror=mirror)
        if mirror.last_number(project_id) < sealed.reached:
            mirror.level(store, project_id)
        if not sealed.more:
            return
        taken = ()
