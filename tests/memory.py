"""A folder in memory, for graphs that nobody reads after the run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - on purpose: the folder below is private
ENOUGH = 4 << 30
"""Free bytes from which the graphs of one process of tests may lie in memory."""
PREFIX = "review-console-"


@contextmanager
def in_memory() -> Iterator[Path | None]:
    """A private folder in memory that goes with the run, or None where there is too little of it.

    What a run left that was killed is removed by the next.
    """
    if not SHARED_MEMORY.is_dir() or shutil.disk_usage(SHARED_MEMORY).free < ENOUGH:
        yield None
        return
    for left in SHARED_MEMORY.glob(f"{PREFIX}*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=SHARED_MEMORY))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
