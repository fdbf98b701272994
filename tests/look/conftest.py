"""Sample pages, drawn once and served as the product serves them: under its own policy."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from playwright.sync_api import ConsoleMessage, Dialog, Page

from tests.look.preview import draw

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
POLICY = "; ".join(f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items())


class _Handler(SimpleHTTPRequestHandler):
    """Files with the product's Content-Security-Policy, without a line for each in the log."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with every sample page as a file."""
    folder = tmp_path_factory.mktemp("pages")
    draw(folder)
    return folder


@pytest.fixture(scope="session")
def served(drawn: Path) -> Iterator[str]:
    """The address of the sample pages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(drawn)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def base_url(served: str) -> str:
    """Where relative addresses lead; the browser plug-in's own fixture upsets pytest."""
    return served


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complained about: errors, refused styles and scripts, dialogs."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            heard.append(message.text)

    def refuse(dialog: Dialog) -> None:
        heard.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("console", listen)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", refuse)
    return heard
