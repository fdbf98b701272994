"""Three services under the supervisor, for tests that kill one thing or another.

    python tests/supervised.py DIRECTORY

Each service forks a child, writes both process ids to ``NAME.pids`` and, when
told to stop, its name to ``stopped``. ``supervisor`` says when all are up.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bin"))

import progress
import supervise

SERVICE = """
import os, signal, sys, time
from pathlib import Path
folder, name = Path(sys.argv[1]), sys.argv[2]
child = os.fork()
if child:
    def stop(*_):
        with (folder / "stopped").open("a") as stopped:
            stopped.write(name + "\\n")
        os._exit(0)
    signal.signal(signal.SIGTERM, stop)
    draft = folder / (name + ".draft")
    draft.write_text(f"{os.getpid()} {child}")
    draft.rename(folder / (name + ".pids"))
while True:
    time.sleep(60)
"""


def main() -> int:
    """Run until told to stop."""
    folder = Path(sys.argv[1])
    try:
        with supervise.Supervisor() as supervisor:
            for name in ("graph", "worker", "web"):
                pids = folder / f"{name}.pids"
                command = [sys.executable, "-c", SERVICE, str(folder), name]
                supervisor.start(
                    supervise.Service(name, command, {}, folder / f"{name}.log", pids.exists)
                )
            progress.say("all up")
            supervisor.watch()
    except supervise.StopAsked:
        return 0


if __name__ == "__main__":
    sys.exit(main())
