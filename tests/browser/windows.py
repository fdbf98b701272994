"""Browser windows that hear every complaint of the browser about what it was given."""

from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, StorageState

from tests.browser.console import Console
from tests.browser.prepare import PASSWORD

_WATCH_POLICY = """
document.addEventListener('securitypolicyviolation',
  e => console.error(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`))
"""
_STATUS = "Failed to load resource: the server responded with a status of"
"""How the browser notes a page that came with 403 or 409: what the page is for."""


class Windows:
    """Opens windows on one console, each with cookies of its own."""

    def __init__(self, browser: Browser, console: Console) -> None:
        self._browser = browser
        self._console = console
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def open(
        self,
        person: str | None = None,
        *,
        scripts: bool = True,
        width: int = 1280,
        height: int = 860,
        **options: Any,
    ) -> Page:
        """A window in which `person` is signed in."""
        context = self._browser.new_context(
            base_url=self._console.url,
            java_script_enabled=scripts,
            viewport={"width": width, "height": height},
            storage_state=self._session(person) if person else None,
            # A machine looks quicker than colours fade.
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(60_000)
        self._contexts.append(context)
        context.add_init_script(_WATCH_POLICY)
        page = context.new_page()
        self._listen(page)
        return page

    def cookie(self, person: str) -> str:
        """The header that says who somebody is, for a request without a window."""
        cookies = self._session(person).get("cookies", [])
        return "; ".join(f"{one.get('name')}={one.get('value')}" for one in cookies)

    def forgive(self, words: str) -> None:
        """Drop complaints that say `words`, which the test brought about."""
        self.complaints = [one for one in self.complaints if words not in one]

    def _session(self, person: str) -> StorageState:
        """The cookies of a person who signed in, once for each console."""
        if person not in self._console.cookies:
            context = self._browser.new_context(base_url=self._console.url)
            page = context.new_page()
            page.goto("/signin")
            sign_in(page, person)
            self._console.cookies[person] = context.storage_state()
            context.close()
        return cast("StorageState", self._console.cookies[person])

    def _listen(self, page: Page) -> None:
        def on_console(message: ConsoleMessage) -> None:
            is_page = "/static/" not in message.location["url"]
            if message.type in ("error", "warning") and not (
                message.text.startswith(_STATUS) and is_page
            ):
                self.complaints.append(f"{message.type}: {message.text}")

        def on_dialog(dialog: Dialog) -> None:
            self.complaints.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        page.on("console", on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        page.on("dialog", on_dialog)

    def close(self) -> None:
        """Close every window. Raises AssertionError when the browser complained in any."""
        for context in self._contexts:
            context.close()
        assert self.complaints == [], self.complaints


def sign_in(page: Page, person: str, password: str = PASSWORD) -> None:
    """Fill in the sign-in form that the page shows and send it."""
    page.get_by_label("Username").fill(person)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
