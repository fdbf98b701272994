"""Run a command that must not outlive whoever started it.

``leash.py COMMAND …`` ends the command when its own standard input closes,
which the kernel does when the starter dies in whatever way, and when it is told
to stop. A byte on its standard input ends the command at once, for servers whose
data nobody will read again. On Linux the command also dies with the leash.

Started as the leader of a process group, it leaves nothing of that group behind
when its starter is gone; a starter that is alive looks after the group itself.
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
    """Returns the command's exit code, 128 and more for a signal."""
    told = False

    def on_signal(_number: int, _frame: object) -> None:
        nonlocal told
        told = True

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, on_signal)
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
    alone = False
    while child.poll() is None:
        readable, _, _ = select.select([0], [], [], 0.1)
        hurry = bool(os.read(0, 1)) if readable else False
        alone = bool(readable) and not hurry
        if told or readable:
            end(child, hurry=hurry)
    if alone and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    code = child.returncode
    return code if code >= 0 else 128 - code


def end(child: subprocess.Popen[bytes], *, hurry: bool) -> None:
    """Stop the command, politely for ``STOP_SECONDS`` unless in a hurry, and wait until it is gone."""
    (child.kill if hurry else child.terminate)()
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


if __name__ == "__main__":
    sys.exit(main())
