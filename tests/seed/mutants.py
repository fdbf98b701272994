"""Breaks each rule of the seed once, in a copy, and sees a test fail: `make mutants [ID=…]`.

Takes some minutes, so it is no part of `make test`, which only sees that every
change still fits the code.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.seed.render import ROOT, rules

COPIED = ("graphstore", "reviewconsole", "templates", "static", "tests", "bin", "pyproject.toml")


def main(wanted: list[str]) -> int:
    """Exit with the number of mutants that lived."""
    lived: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        copy.mkdir()
        for name in COPIED:
            _copy(ROOT / name, copy / name)
        for rule in rules():
            if not wanted or rule["id"] in wanted:
                killed = _killed(copy, rule["broken"])
                print(
                    f"{rule['id']:4} {'killed' if killed else 'LIVED'}  {rule['rule']}", flush=True
                )
                lived += [] if killed else [rule["id"]]
    print(f"{len(lived)} lived{': ' if lived else ''}{', '.join(lived)}")
    return len(lived)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def _killed(copy: Path, broken: dict[str, Any]) -> bool:
    """Whether the test fails on the broken rule; it must pass on the whole one, as `make test` sees."""
    path = copy / broken["file"]
    whole = path.read_text()
    path.write_text(whole.replace(broken["find"], broken["replace"]))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", broken["test"]]
    environ = os.environ | {"ENGINES": "embedded", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=copy, env=environ, capture_output=True, check=False)
    path.write_text(whole)
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
