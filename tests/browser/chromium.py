"""The machine's Chromium, since Playwright's own download is not part of set-up."""

import shutil
from typing import Any

__all__ = ["launch_args"]

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch_args() -> dict[str, Any]:
    """How it is launched, here and in every browser test. Raises AssertionError where it is not installed."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    assert found, "browser tests need Chromium: `make setup` says how to get it"
    return {"executable_path": found, "args": list(_QUIET)}
