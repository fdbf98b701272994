"""The store that operations and queries see, the loop that every write runs in, and that of steady reads."""

import random
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from graphstore.changeset import Changeset, Committed, Stale
from graphstore.faults import Contended, OutcomeUnknown, StoreUnavailable
from graphstore.ledger_keys import LedgerKeys
from graphstore.seals import attest
from graphstore.verbs import Verb

__all__ = ["GraphStore", "RoundTrips", "Row", "Stale", "Unanswered", "steady", "write"]

Row = list[Any]
DEADLINE_SECONDS = 5.0
STEADY_TRIES = 5
TORN_SECONDS = 0.01
"""How long a read may see half of another's commit."""


class Unanswered(Exception):
    """The connection broke during a commit, which may or may not have landed."""


class GraphStore(Protocol):
    """One open graph. Thread-safe; built after a fork, once per process."""

    ledger_keys: LedgerKeys
    """What attests the entries of its commits; `connect` sets it."""

    @property
    def snapshot_reads(self) -> bool:
        """Whether one read sees one moment, so that a refusal may rest on it at once."""
        ...

    def read(self, name: str, p: Mapping[str, Any], *, leader: bool = False) -> list[Row]:
        """Run the read `name` with the one parameter map `p`.

        `leader` asks a cluster for its leader, as gathers of writes must. Raises
        `StoreUnavailable` or `SchemaMissing`.
        """
        ...

    def commit(self, verb: Verb, changeset: Changeset) -> Committed:
        """Apply the whole changeset in one statement, or nothing of it.

        Raises `Stale` when a guard failed or a unique key was taken, `Unanswered`
        when it cannot tell, `SchemaMissing` without the constraints.
        """
        ...

    def setup_schema(self, report: Callable[[str], None] = ...) -> None:
        """Create the constraints and indexes that are missing, and wait for them."""
        ...

    def rewrite_log(self) -> str:
        """Have the engine's own files forget what was deleted, and wait until they have.

        Returns `rewritten`; `transaction_logs` where the engine keeps deleted text for a
        while whatever is asked of it; `not_allowed` where the server refuses. Raises
        `StoreUnavailable`.
        """
        ...

    def close(self) -> None: ...


@dataclass
class RoundTrips:
    """How many statements were sent while it was counting."""

    count: int = 0


_counting: ContextVar[RoundTrips | None] = ContextVar("graphstore_round_trips", default=None)


@contextmanager
def counting() -> Generator[RoundTrips]:
    """Count the round trips made in this context, for pages and tests that bound them."""
    trips = RoundTrips()
    token = _counting.set(trips)
    try:
        yield trips
    finally:
        _counting.reset(token)


def count_round_trip() -> None:
    """Called by an engine for each statement it sends."""
    if (trips := _counting.get()) is not None:
        trips.count += 1


@dataclass(frozen=True)
class Planned[R]:
    """A plan that changes something: what to commit, and the result it will have."""

    changeset: Changeset
    result: Callable[[Committed], R]
    verb: Verb | None = None
    """The verb whose statement it takes, when that is another than the call's."""


def write[G, R](
    store: GraphStore,
    verb: Verb,
    gather: Callable[[], G],
    plan: Callable[[G], Planned[R] | R],
    *,
    first: Planned[R] | None = None,
) -> R:
    """Gather, plan and commit until it holds (`RULES.md` 1).

    A plan returns a `Planned` change, or a result at once: a refusal, a replay,
    or the outcome of an earlier try whose answer was lost. `first` is tried
    before any gather, by writes that need none.

    Raises `Contended` when others changed the same records until the deadline,
    `OutcomeUnknown` when the graph went away during the commit, and whatever
    fault the store meets.
    """
    deadline = time.monotonic() + DEADLINE_SECONDS
    refused: Any = None
    unanswered: Unanswered | None = None
    pause = 0.002
    while True:
        try:
            if first is not None:
                planned, first = first, None
            else:
                outcome = plan(_gathered(gather, unanswered))
                if not isinstance(outcome, Planned):
                    if store.snapshot_reads or outcome == refused or _recorded(outcome):
                        return outcome
                    # A torn read can look like a refusal; the same twice is none. Neo4j shows a
                    # commit while it is being applied, which must be over before the second.
                    refused = outcome
                    time.sleep(TORN_SECONDS)
                    continue
                planned = cast("Planned[R]", outcome)
            changes = _attested(planned.changeset, store)
            return planned.result(store.commit(planned.verb or verb, changes))
        except Stale:
            if time.monotonic() > deadline:
                raise Contended(
                    "Others keep changing the same records; nothing was written. Try again."
                ) from None
        except Unanswered as lost:
            # The next gather finds the operation by the key of its ledger entry, if the
            # commit landed. A second loss in a row is not tried again.
            if unanswered is not None or not verb.entry:
                raise OutcomeUnknown(UNKNOWN) from lost
            unanswered = lost
        time.sleep(random.uniform(0, pause))  # noqa: S311 - jitter, not a secret
        pause = min(pause * 2, 0.2)


UNKNOWN = (
    "The graph stopped answering during a write, so it is not known whether it was recorded; "
    "look again, or repeat it with the same request id."
)


def _attested(changes: Changeset, store: GraphStore) -> Changeset:
    """The changeset with its ledger entries attested: the one place, for every door."""
    return replace(changes, entries=[attest(entry, store.ledger_keys) for entry in changes.entries])


def _gathered[G](gather: Callable[[], G], unanswered: Unanswered | None) -> G:
    try:
        return gather()
    except StoreUnavailable as gone:
        if unanswered is None:
            raise
        raise OutcomeUnknown(UNKNOWN) from gone


def _recorded(result: object) -> bool:
    return bool(getattr(result, "recorded", True))


def steady(read: Callable[[], list[Row]]) -> list[Row]:
    """Rows whose first two columns are the project's mark before and after, read until they agree.

    A read on Neo4j is no snapshot: a decision could read clear because its flag
    and the project's mark were taken at two moments. After five tries the mark
    counts as set, so that nothing reads clear that may not be.
    """
    found = read()
    for _ in range(STEADY_TRIES - 1):
        if not found or found[0][0] == found[0][1]:
            break
        found = read()
    if found and found[0][0] != found[0][1]:
        found[0][1] = [True, *found[0][1][1:]]
    return found
