"""The embedded graph as a store that brings its server back."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphstore.engines.embedded import EmbeddedServerError, ensure_server
from graphstore.engines.falkordb import FalkorDBStore
from graphstore.faults import StoreUnavailable
from graphstore.store import Row

RETURN_SECONDS = 15.0
"""How long a read waits for a server that is being brought back."""


class EmbeddedStore(FalkorDBStore):
    """A graph on the embedded server, which this process keeps running as long as it is open."""

    def __init__(self, data_dir: Path, graph: str) -> None:
        """Start the server unless it runs, and connect.

        Raises `StoreUnavailable` or `StoreMisconfigured`.
        """
        self._data_dir = data_dir
        self._returning = threading.Lock()
        try:
            self._server = ensure_server(data_dir)
        except EmbeddedServerError as error:
            raise StoreUnavailable(str(error)) from error
        super().__init__(f"unix://{self._server.socket_path}", None, graph, where=str(data_dir))

    def read(self, name: str, p: Mapping[str, Any], *, leader: bool = False) -> list[Row]:
        """See `GraphStore.read`. A server that was killed with its guardian is started again.

        A commit needs no such care: when its answer is lost, a read comes next.
        """
        try:
            return super().read(name, p, leader=leader)
        except StoreUnavailable:
            self._bring_back()
            return super().read(name, p, leader=leader)

    def _bring_back(self) -> None:
        with self._returning:
            try:
                server = ensure_server(self._data_dir, seconds=RETURN_SECONDS)
            except EmbeddedServerError as error:
                raise StoreUnavailable(str(error)) from error
            self._server.close()
            self._server = server

    def close(self) -> None:
        """Close every connection and let go of the server."""
        super().close()
        self._server.close()
