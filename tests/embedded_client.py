"""A client of the embedded graph in a process of its own, to be killed by tests.

    python -m tests.embedded_client DIRECTORY LINGER

LINGER is how many seconds the server outlives its last client, if this one starts
it. Prints ``ready`` once it holds the server, then one reply for each statement read
from its standard input, and lets go when that closes.
"""

import sys
from pathlib import Path

import falkordb

from graphstore.engines.embedded import ensure_server


def main() -> None:
    """Serve statements until standard input closes."""
    with ensure_server(Path(sys.argv[1]), linger=float(sys.argv[2])) as server:
        print("ready", flush=True)
        graph = falkordb.FalkorDB(unix_socket_path=str(server.socket_path)).select_graph("test")
        for statement in sys.stdin:
            print(graph.query(statement.strip()).result_set, flush=True)


if __name__ == "__main__":
    main()
