"""A line to the graph that can be cut and mended, as when a server goes and comes back."""

import contextlib
import socket
import threading
from dataclasses import replace

from tests.servers import GraphSettings


class Wire:
    """Forwards a local port, always the same one, to a graph."""

    def __init__(self, graph: GraphSettings) -> None:
        self._graph = graph
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener = self._listen(0)
        self.port = self._listener.getsockname()[1]

    def environ(self) -> dict[str, str]:
        """The environment of a console that reaches the graph over this line only."""
        if self._graph.engine == "embedded":
            return {
                "GRAPH_STORE": "falkordb",
                "FALKORDB_URL": f"redis://127.0.0.1:{self.port}",
                "FALKORDB_GRAPH": self._graph.graph,
            }
        return replace(self._graph, uri=f"bolt://127.0.0.1:{self.port}").environ()

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        with contextlib.suppress(OSError):
            # Closing alone would not wake whoever waits in `accept`.
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=10)
        self._threads.clear()

    def mend(self) -> None:
        """Let connections through again. A line that is whole stays as it is."""
        if self._listener.fileno() < 0:
            self._listener = self._listen(self.port)

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        self._run(self._accept, listener)
        return listener

    def _run(self, work: object, *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)  # pyright: ignore[reportArgumentType]
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = self._connect()
            with self._lock:
                self._ends |= {near, far}
            self._run(self._pump, near, far)
            self._run(self._pump, far, near)

    def _connect(self) -> socket.socket:
        if self._graph.engine == "embedded":
            far = socket.socket(socket.AF_UNIX)
            far.connect(str(self._graph.socket_path))
            return far
        host, _, port = self._graph.uri.rpartition("//")[2].partition(":")
        return socket.create_connection((host, int(port)))

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        """Carry bytes one way until either end is closed; each end is closed by its reader."""
        with source, contextlib.suppress(OSError):
            while received := source.recv(65536):
                target.sendall(received)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._ends.discard(source)
