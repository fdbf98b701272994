"""The configured graph store, one per process.

Drivers must not be shared across a fork, so the store is built by the first
request or job that needs it, and again in a process that inherited one.
"""

import atexit
import os
import threading

from django.conf import settings

import graphstore
from graphstore.store import GraphStore


class _Process:
    """What this process holds."""

    def __init__(self) -> None:
        self.building = threading.Lock()
        self.store: GraphStore | None = None
        self.inherited: GraphStore | None = None

    def forget(self) -> None:
        """In a child: what was inherited belongs to the parent, its locks included.

        It is kept from being collected, since that would end the parent's connections.
        """
        self.building = threading.Lock()
        self.inherited, self.store = self.store, None


_process = _Process()
os.register_at_fork(after_in_child=_process.forget)


def store() -> GraphStore:
    """The store that the settings name.

    Raises a `graphstore.faults.StoreFault` when it cannot be opened; the next
    call tries again.
    """
    if _process.store is None:
        with _process.building:
            if _process.store is None:
                _process.store = graphstore.connect(settings.GRAPH)
            return _process.store
    return _process.store


@atexit.register
def close_store() -> None:
    """Let the store of this process go; the next call of `store` opens another."""
    with _process.building:
        opened, _process.store = _process.store, None
    if opened is not None:
        opened.close()
