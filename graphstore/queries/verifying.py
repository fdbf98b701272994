"""Verify a project's ledger, in steps that cost the same however long it is.

Three passes, one after the other: along the chain by its numbers, with the mirror's
copies and the decisions beside it; along the mirror, for entries that are gone; and
back through time, for entries that nobody sealed. Every step is at most four reads.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphstore import rows
from graphstore.ids import sha256
from graphstore.ledger_records import (
    Finding,
    FindingKind,
    LedgerEntry,
    Mirror,
    VerifiedSlice,
)
from graphstore.operations.seal_entries import chain_id
from graphstore.queries.checking import Copies, Link, check, conclusions_of
from graphstore.store import GraphStore

__all__ = ["verify"]

SLICE = 500
HOUR_US = 3_600_000_000
MOST_IN_A_SPAN = 1_000
REPORTED = 200
"""Entries of one span that are listed as unsealed."""
PATIENCE_US = 60_000_000
"""How long an entry may wait for its seal, and a seal for its copy, before that is a finding.

Writers and sealers go on while a ledger is verified.
"""


@dataclass(frozen=True)
class Place:
    """Where a verification has got to. As text: its cursor."""

    began: int
    step: str = "chain"
    number: int = 0
    """The last number looked at, or the mirror's last place."""
    link: str | None = None
    """The content hash of the last entry; None when nothing can be said of the link from it."""
    end: int = 0
    """The last number to look at, as it was when the verification began."""
    mirrored: int = 0
    """The mirror's last number then."""
    high: int = 0
    width: int = HOUR_US

    def __str__(self) -> str:
        return json.dumps(self.__dict__)


@dataclass
class Look:
    """What one step found."""

    findings: list[Finding] = field(default_factory=list[Finding])
    entries: int = 0
    conclusions: int = 0
    erased: int = 0
    left: int = 0

    def report(self, place: Place, then: Place | None) -> VerifiedSlice:
        return VerifiedSlice(
            findings=self.findings,
            cursor=str(then) if then else None,
            entries=self.entries,
            conclusions=self.conclusions,
            erased=self.erased,
            left=self.left,
            reached=place.end,
        )


def verify(
    store: GraphStore,
    project_id: str,
    *,
    mirror: Mirror | None = None,
    cursor: str | None = None,
    limit: int = SLICE,
) -> VerifiedSlice:
    """One step of a verification: begin without a cursor, go on with the one returned.

    Seal first (`seal`), or what was just written is left out. The keys are the store's.
    Without a `mirror` the chain alone is looked at, which cannot tell when its last entries
    were taken away together with its end.
    """
    place = Place(**json.loads(cursor)) if cursor else _start(store, project_id, mirror)
    if place.step == "chain":
        return _along_the_chain(store, project_id, mirror, place, limit)
    if place.step == "mirror" and mirror is not None:
        return _along_the_mirror(store, project_id, mirror, place, limit)
    return _back_through_time(store, project_id, place)


def _start(store: GraphStore, project_id: str, mirror: Mirror | None) -> Place:
    began = rows.now_us()
    mirrored = mirror.last_number(project_id) if mirror else 0
    reached, _ = _sealed(store, project_id, 0, 0)
    return Place(began=began, end=max(reached, mirrored), mirrored=mirrored, high=began)


def _sealed(
    store: GraphStore, project_id: str, low: int, high: int
) -> tuple[int, list[LedgerEntry]]:
    p = {"project_id": project_id, "chain_id": chain_id(project_id), "low": low, "high": high}
    reached, found = store.read("sealed", p, leader=True)[0]
    return reached, [LedgerEntry.of(row) for row, _ in found]


def _along_the_chain(
    store: GraphStore, project_id: str, mirror: Mirror | None, place: Place, limit: int
) -> VerifiedSlice:
    low = place.number + 1
    high = min(low + limit, place.end + 1)
    _, entries = _sealed(store, project_id, low, high)
    copies = _copies(mirror, project_id, place, entries, low, high)
    look = Look(entries=len(entries))
    kinds: dict[str, FindingKind] = {}
    before = Link(place.link) if place.link or not place.number else None
    expected = low
    for entry in entries:
        number = entry.sequence_number or 0
        if number > expected:
            look.findings += _gaps(mirror, project_id, expected, number)
            before = None
        kind = check(entry, before, store.ledger_keys, copies.get(entry.id))
        kind = FindingKind.FORK if number < expected else kind
        if kind is not None:
            kinds[entry.id] = kind
        before = Link(entry.content_hash) if kind in (None, *_WEAK) else None
        expected = max(expected, number + 1)
    if expected < high:
        look.findings += _gaps(mirror, project_id, expected, high)
        before = None
    _compare_conclusions(store, project_id, entries, kinds, look)
    look.findings += _named(entries, kinds)
    if high <= place.end:
        link = before.hash if before else None
        return look.report(place, replace(place, number=high - 1, link=link))
    look.findings += _beyond(store, project_id, place.end)
    step = "mirror" if mirror is not None else "time"
    return look.report(place, replace(place, step=step, number=0))


_WEAK = (FindingKind.UNATTESTED, FindingKind.UNKNOWN_KEY)
"""What can stand beside a whole chain: the next entry's link still says something."""


def _beyond(store: GraphStore, project_id: str, end: int) -> list[Finding]:
    """Entries with numbers that the chain never gave."""
    p = {"project_id": project_id, "chain_id": chain_id(project_id), "end": end}
    return [
        Finding(kind=FindingKind.FORK, entry_id=identity, sequence_number=number)
        for identity, number in store.read("beyond", p, leader=True)
    ]


def _copies(
    mirror: Mirror | None,
    project_id: str,
    place: Place,
    entries: Sequence[LedgerEntry],
    low: int,
    high: int,
) -> Mapping[str, Copies]:
    """A mirror's copies of these entries, those left out that it need not have yet."""
    if mirror is None:
        return {}
    kept = mirror.entries(project_id, [entry.id for entry in entries])
    seals = mirror.seals(project_id, low, high)
    return {
        e.id: Copies(kept.get(e.id), seals.get(e.sequence_number or 0))
        for e in entries
        if (e.sequence_number or 0) <= place.mirrored or e.us < place.began - PATIENCE_US
    }


def _gaps(mirror: Mirror | None, project_id: str, low: int, high: int) -> list[Finding]:
    """Numbers from `low` up to before `high` that no entry has.

    Of those that the mirror knows, the entry is named when the mirror is looked through.
    """
    known = set(mirror.seals(project_id, low, high)) if mirror else set[int]()
    unknown = [number for number in range(low, high) if number not in known]
    runs: list[list[int]] = []
    for number in unknown:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [
        Finding(kind=FindingKind.GAP, sequence_number=first, until=last) for first, last in runs
    ]


def _named(entries: Sequence[LedgerEntry], kinds: Mapping[str, FindingKind]) -> list[Finding]:
    return [
        Finding(kind=kinds[e.id], entry_id=e.id, sequence_number=e.sequence_number)
        for e in entries
        if e.id in kinds
    ]


def _compare_conclusions(
    store: GraphStore,
    project_id: str,
    entries: Sequence[LedgerEntry],
    kinds: Mapping[str, FindingKind],
    look: Look,
) -> None:
    """Whether the decisions recorded by these entries still read as they were recorded."""
    recorded = {
        decision_id: (entry, hashes)
        for entry in entries
        if kinds.get(entry.id) in (None, *_WEAK)
        for decision_id, hashes in conclusions_of(entry).items()
    }
    if not recorded:
        return
    tasks = sorted({entry.task_id or "" for entry, _ in recorded.values()})
    p = {"project_id": project_id, "ids": sorted(recorded), "task_ids": tasks}
    there, deleted = store.read("conclusions", p, leader=True)[0]
    now = {identity: (conclusion, rationale) for identity, conclusion, rationale in there}
    for decision_id, (entry, hashes) in recorded.items():
        if decision_id in now:
            look.conclusions += 1
            if tuple(sha256(text or "") for text in now[decision_id]) != hashes:
                look.findings.append(_changed(entry, decision_id))
        elif entry.task_id in deleted:
            look.erased += 1
        else:
            look.left += 1


def _changed(entry: LedgerEntry, decision_id: str) -> Finding:
    return Finding(
        kind=FindingKind.CONCLUSION_CHANGED,
        entry_id=entry.id,
        sequence_number=entry.sequence_number,
        decision_id=decision_id,
    )


def _along_the_mirror(
    store: GraphStore, project_id: str, mirror: Mirror, place: Place, limit: int
) -> VerifiedSlice:
    kept = mirror.ids_after(project_id, place.number, limit)
    ids = [identity for _, identity in kept]
    found = store.read("entries_there", {"project_id": project_id, "ids": ids}, leader=True)
    there = {row[0] for row in found}
    look = Look()
    look.findings = [
        Finding(kind=FindingKind.MISSING, entry_id=identity)
        for identity in ids
        if identity not in there
    ]
    if len(kept) == limit:
        return look.report(place, replace(place, number=kept[-1][0]))
    return look.report(place, replace(place, step="time"))


def _back_through_time(store: GraphStore, project_id: str, place: Place) -> VerifiedSlice:
    """Entries without a number in one span of time, which is as wide as the last was full.

    Asked by time, since neither engine can list what lacks a property from an index.
    """
    low = max(0, place.high - place.width)
    p = {
        "project_id": project_id,
        "low": low,
        "high": place.high,
        "waiting_since": place.began - PATIENCE_US,
    }
    held, ids = store.read("entries_without_number", p, leader=True)[0]
    look = Look(
        findings=[Finding(kind=FindingKind.UNSEALED, entry_id=i) for i in sorted(ids)[:REPORTED]]
    )
    width = place.width * 2 if held < MOST_IN_A_SPAN else max(1, place.width // 2)
    then = replace(place, high=low, width=width) if low > 0 else None
    return look.report(place, then)
