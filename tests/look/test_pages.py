"""Every page in a real browser: accessible, without complaint, at every width."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.look.conftest import AXE
from tests.look.pages import all_pages

NAMES = sorted(all_pages())
UNFOLD = "document.querySelectorAll('details').forEach(d => { d.open = !d.matches('.menu') })"
# Only what axe leaves out anyway, and media that play by themselves, want files loaded anew.
FINDINGS = """
async () => (await axe.run(document, {resultTypes: ['violations'], preload: false})).violations.map(
  v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).join(' | '))
"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL_TARGETS = """
() => [...document.querySelectorAll('a, button, summary, select, input:not([type=hidden])')]
  .map(e => [e.closest(e.matches('input') ? 'label' : '.row__link') ? e.closest('label, .row') : e, e])
  .map(([target, e]) => [target.getBoundingClientRect(), e])
  .filter(([box, e]) => box.width && (box.height < 23.5 || box.width < 23.5))
  .filter(([box, e]) => getComputedStyle(e).display !== 'inline')
  .map(([box, e]) => `${box.width}x${box.height} ${e.outerHTML.slice(0, 120)}`)
"""


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """One for all pages, which then load no font and no style anew."""
    window = browser.new_context()
    yield window
    window.close()


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """A page in that window."""
    page = window.new_page()
    yield page
    page.close()


def look_at(page: Page, served: str, complaints: list[str], name: str) -> None:
    """Draw a page and make it as narrow as it gets; it ends at 400 pixels, unfolded."""
    page.goto(f"{served}/{name}.html")
    page.evaluate("document.fonts.ready")
    assert complaints == []
    assert page.title() != "owned"
    assert page.evaluate("document.fonts.check('16px \"Inter Variable\"')")
    page.evaluate(UNFOLD)
    for width, height in ((1280, 860), (768, 900), (320, 256), (400, 860)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("name", NAMES[1::2])
def test_a_page_draws_and_reflows(
    page: Page, served: str, complaints: list[str], name: str
) -> None:
    """The policy blocks nothing, hostile text stays text, and nothing sticks out."""
    look_at(page, served, complaints, name)


@pytest.mark.parametrize("name", NAMES[::2])
def test_a_page_draws_reflows_and_is_accessible(
    page: Page, served: str, complaints: list[str], name: str
) -> None:
    """The same, and narrow, dark and unfolded axe finds nothing in every second sample.

    The real pages are all seen by axe, wide and light. One visit looks at all of it, since
    opening a page costs more than looking.
    """
    look_at(page, served, complaints, name)
    page.evaluate(AXE.read_text() + ";0")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert page.evaluate(FINDINGS) == []
