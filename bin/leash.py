"""Run a command that must not outlive whoever started it.

``leash.py COMMAND …`` ends the command when its own standard input closes,
which the kernel does when the starter dies in whatever way, and when it is told
to stop. A byte on its standard input ends the command at once, for servers whose
data nobody will read again. On Linux the command also dies with the leash.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys

STOP_SECONDS = 30.0
_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ask the kernel (Linux) to kill this process when its parent dies; elsewhere do nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> int:
    """Returns the command's exit code, or 1 when the leash ended it."""
    told = False

    def on_signal(_number: int, _frame: object) -> None:
        nonlocal told
        told = True

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, on_signal)
    child = subprocess.Popen(
        sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_parent
    )
    while child.poll() is None:
        readable, _, _ = select.select([0], [], [], 0.2)
        hurry = bool(os.read(0, 4096)) if readable else None
        if told or hurry is not None:
            (child.kill if hurry else child.terminate)()
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            return 1
    return child.returncode


if __name__ == "__main__":
    sys.exit(main())
