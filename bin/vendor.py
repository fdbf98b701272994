"""Copy the front-end packages' files that pages use from ``node_modules`` to ``static/vendor``.

Copied whole and unchanged, licence included, so that a page can name a file by
its package: ``vendor/htmx/htmx.min.js``, ``vendor/inter/wght.css``.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import progress

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "node_modules"
TARGET = ROOT / "static" / "vendor"

FILES = {
    "htmx": ("htmx.org", ("dist/htmx.min.js", "LICENSE")),
    "inter": ("@fontsource-variable/inter", ("wght.css", "files/*-wght-normal.woff2", "LICENSE")),
    "jetbrains-mono": (
        "@fontsource-variable/jetbrains-mono",
        ("wght.css", "files/*-wght-normal.woff2", "LICENSE"),
    ),
}
"""Folder in ``static/vendor`` -> package, and the files of it that are copied."""


def copy() -> None:
    """Replace ``static/vendor``. Raises progress.Failed when a package lacks a file it had."""
    partial = TARGET.with_name("vendor.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for folder, (package, patterns) in FILES.items():
        for pattern in patterns:
            found = sorted((SOURCE / package).glob(pattern))
            if not found:
                raise progress.Failed(
                    f"The package {package} has no {pattern}: look at bin/vendor.py."
                )
            for path in found:
                # The fonts' style sheets name their files relative to themselves, in `files/`.
                parent = Path("files") if path.parent.name == "files" else Path()
                target = partial / folder / parent / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    shutil.rmtree(TARGET, ignore_errors=True)
    partial.rename(TARGET)
