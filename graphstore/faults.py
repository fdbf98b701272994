"""What can go wrong that is nobody's refusal: each says in one sentence what to do.

A refusal is a value (`refusals`); a fault is an exception.
"""

__all__ = [
    "Contended",
    "CorruptRecord",
    "OutcomeUnknown",
    "SchemaMissing",
    "StoreFault",
    "StoreMisconfigured",
    "StoreUnavailable",
]


class StoreFault(Exception):
    """Something is wrong with the store, not with the request."""


class StoreUnavailable(StoreFault):
    """The graph does not answer. What was asked may be tried again as it was."""


class OutcomeUnknown(StoreUnavailable):
    """The graph went away during a commit, which may or may not have landed.

    A repeat with the same request id finds out and does nothing twice.
    """


class StoreMisconfigured(StoreFault):
    """The graph answers, but not to these settings (password, database, version)."""


class SchemaMissing(StoreFault):
    """Constraints are missing, so nothing is written until they are created."""


class Contended(StoreFault):
    """Others kept changing the same records until the deadline. Nothing was written."""

    retry_after = 2
    """Seconds after which another try is worth while."""


class CorruptRecord(StoreFault):
    """A record lacks what every writer gives it."""
