"""Take the pictures in `docs/pictures` anew, from a demo that is started for it and thrown away.

    python -m bench.pictures [NAME…]

Beside the demo project a handbook of 300 rules is recorded, on which a bulk is worth while.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, expect, sync_playwright

import console as demo
import neo4j_server

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
LARGEST = 250_000
"""Bytes; they are read with a page and kept in the repository for good."""
PROJECT, BULK_PROJECT = "tarnica-cold-chain", "pump-service"
PERSON, PASSWORD = "manager", "demo-manager"
PATIENCE = 600_000


def _queue(page: Page) -> None:
    page.goto(f"/p/{PROJECT}/queue")


def _decision(page: Page) -> None:
    """The first that says in the queue what is dangerous about it."""
    page.goto(f"/p/{PROJECT}/queue?{urlencode({'comparison': 'edited'})}")
    row = page.locator("#list > li", has=page.locator(".row__dangers")).first
    row.locator("a[data-item]").click()
    expect(page.get_by_role("heading", name="Your verdict")).to_be_visible()
    page.keyboard.press("a")
    page.locator(".evidence").first.scroll_into_view_if_needed()


def _bundle(page: Page) -> None:
    page.goto(f"/p/{BULK_PROJECT}/queue")
    page.get_by_role("link", name="Root first, in bulk of Service handbook").click()
    expect(page.locator("#offer")).to_contain_text("calm")


def _bulk(page: Page) -> None:
    _bundle(page)
    page.get_by_role("link", name="Reaffirm in bulk").click()
    expect(page.get_by_role("button", name="Begin with the sample")).to_be_visible()


def _timeline(page: Page) -> None:
    page.goto(f"/p/{PROJECT}/tasks?{urlencode({'q': 'TCL-4471'})}")
    page.get_by_role("link", name="Watch consignment TCL-4471").first.click()
    expect(page.locator(".map__picture")).to_be_visible()


def _conflict(page: Page) -> None:
    page.goto(f"/p/{PROJECT}/conflicts")
    page.locator("[data-item]").first.click()
    expect(page.locator(".side-card").first).to_be_visible()


SHOWN: dict[str, tuple[Callable[[Page], None], str]] = {
    "queue": (_queue, "light"),
    "queue-dark": (_queue, "dark"),
    "decision": (_decision, "light"),
    "decision-dark": (_decision, "dark"),
    "bundle": (_bundle, "light"),
    "bulk": (_bulk, "light"),
    "timeline": (_timeline, "light"),
    "conflict": (_conflict, "light"),
}


@contextmanager
def _running(var: Path) -> Iterator[str]:
    """The address of a demo whose files are all in `var`."""
    port = neo4j_server.free_port()
    command = [sys.executable, ROOT / "bin" / "console.py", "demo", "--port", str(port)]
    with subprocess.Popen(  # noqa: S603 - fixed words
        [*command, "--var", var], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if line.startswith("Logs are in"):
                break
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


def _record_handbook(var: Path) -> None:
    """Another project in the demo's graph, which the demo's manager may see."""
    os.environ.update(demo.demo_environ(var, "embedded"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "reviewconsole.settings"
    import django

    django.setup()
    from bench import handbook
    from reviewconsole.models import Access, Role, User
    from reviewconsole.stores import store

    handbook.fill(store(), BULK_PROJECT)
    manager = User.objects.get(username=PERSON)
    Access.objects.create(user=manager, project_id=BULK_PROJECT, role=Role.MANAGER)


def _signed_in(browser: Browser, address: str, scheme: Any) -> Page:
    context = browser.new_context(
        base_url=address,
        color_scheme=scheme,
        reduced_motion="reduce",
        viewport={"width": 1280, "height": 860},
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto("/signin")
    page.get_by_label("Username").fill(PERSON)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Projects")
    return page


def _wait_until_compared(page: Page) -> None:
    """Look at both queues until a worker has compared everything, and counted what rests on it."""
    for project in (PROJECT, BULK_PROJECT):
        page.goto(f"/p/{project}/queue")
        while page.get_by_text("being compared").or_(page.get_by_text("being counted")).count():
            page.wait_for_timeout(2_000)
            page.reload()


def main(names: list[str]) -> int:
    from tests.browser.chromium import launch_args

    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory(prefix="pictures") as folder, _running(Path(folder)) as at:
        _record_handbook(Path(folder))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_args())
            _wait_until_compared(_signed_in(browser, at, "light"))
            for name in names or SHOWN:
                show, scheme = SHOWN[name]
                page = _signed_in(browser, at, scheme)
                show(page)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=PICTURES / f"{name}.png")
                size = (PICTURES / f"{name}.png").stat().st_size
                print(f"{name}.png {size // 1000} kB", flush=True)
                assert size <= LARGEST, name
                page.context.close()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
