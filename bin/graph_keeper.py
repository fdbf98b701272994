"""Hold the embedded graph of one directory until told to stop.

    graph_keeper.py DIRECTORY

With a keeper the graph stays up between two requests, and comes back when its
guardian is killed. When told to stop it lets go and, unless others still use the
graph, waits until the server has written everything and ended.
"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graphstore.engines import embedded, guardian  # noqa: E402 - found through the line above

LOOK_SECONDS = 0.2


def keep(data_dir: Path) -> None:
    """Hold the server until SIGTERM or SIGINT. Raises EmbeddedServerError when it cannot run."""
    told = False

    def on_signal(_number: int, _frame: object) -> None:
        nonlocal told
        told = True

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)
    # Nobody waits for a restart here: what follows the keeper is the end.
    server = embedded.ensure_server(data_dir, linger=1.0)
    while not told:
        time.sleep(LOOK_SECONDS)
        if not told and not embedded.has_guardian(data_dir):
            print("the graph's guardian is gone; bringing the server back", flush=True)
            replaced, server = server, embedded.ensure_server(data_dir, linger=1.0)
            replaced.close()
    server.close()
    deadline = time.monotonic() + 2 * guardian.LINGER_SECONDS
    while embedded.is_running(data_dir) and time.monotonic() < deadline:
        time.sleep(0.05)
    if embedded.is_running(data_dir):
        print(
            "other processes still use the graph; it stops when the last of them ends", flush=True
        )


if __name__ == "__main__":
    try:
        keep(Path(sys.argv[1]))
    except embedded.EmbeddedServerError as fault:
        sys.exit(str(fault))
