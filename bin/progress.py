"""Run a long command and show that it is alive; its own output goes to a log."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

FIRST_SIGN_SECONDS = 5.0
SIGN_SECONDS = 15.0
LAST_LINES = 25


class Failed(Exception):
    """A step that cannot go on; the message is for a person and says what to do."""


def say(sentence: str) -> None:
    """Print one line at once, also into a pipe; a reader that has gone stops nothing."""
    try:
        print(sentence, flush=True)
    except OSError:
        # A terminal that was closed must not keep services from being stopped in order.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def run(
    label: str,
    command: Sequence[str | os.PathLike[str]],
    log: Path,
    *,
    environ: dict[str, str] | None = None,
) -> None:
    """Run ``command`` and say every few seconds how long it has been at it.

    Raises Failed, with the end of the log already printed, when the command cannot
    be run or ends with an error.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    say(f"· {label}")
    began = time.monotonic()
    next_sign = FIRST_SIGN_SECONDS
    with log.open("wb") as output:
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environ,
            )
        except OSError as error:
            raise Failed(f"{label}: {error}") from error
        try:
            while child.poll() is None:
                try:
                    child.wait(0.2)
                except subprocess.TimeoutExpired:
                    spent = time.monotonic() - began
                    if spent >= next_sign:
                        next_sign = spent + SIGN_SECONDS
                        say(f"  … {spent:.0f} s")
        except BaseException:
            child.terminate()
            child.wait()
            raise
    if child.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
        print("\n".join(f"    {line}" for line in lines), file=sys.stderr, flush=True)
        raise Failed(f"{label}: it ended with {child.returncode}; the whole output is in {log}")
