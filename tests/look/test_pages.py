"""Every page in a real browser: accessible, without complaint, at every width."""

import pytest
from playwright.sync_api import Page

from tests.look.conftest import AXE
from tests.look.pages import all_pages

NAMES = sorted(all_pages())
UNFOLD = "document.querySelectorAll('details').forEach(d => { d.open = !d.matches('.menu') })"
FINDINGS = """
async () => (await axe.run(document)).violations.map(
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


@pytest.mark.parametrize("name", NAMES)
def test_a_page_draws_without_complaint(
    page: Page, served: str, complaints: list[str], name: str
) -> None:
    """The policy blocks nothing, no script fails, and hostile text stays text."""
    page.goto(f"{served}/{name}.html")
    page.evaluate("document.fonts.ready")
    assert complaints == []
    assert page.title() != "owned"
    assert page.evaluate("document.fonts.check('16px \"Inter Variable\"')")


@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing(page: Page, served: str, name: str) -> None:
    """Narrow and dark, everything unfolded: axe has no finding. The real pages are seen wide and light."""
    page.goto(f"{served}/{name}.html")
    page.evaluate(AXE.read_text() + ";0")
    page.evaluate(UNFOLD)
    page.set_viewport_size({"width": 400, "height": 860})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert page.evaluate(FINDINGS) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_reflows_down_to_320_pixels(page: Page, served: str, name: str) -> None:
    """Nothing sticks out sideways, and targets stay large enough."""
    page.goto(f"{served}/{name}.html")
    page.evaluate("document.fonts.ready")
    page.evaluate(UNFOLD)
    for width, height in (
        (1280, 860),
        (768, 900),
        (400, 800),
        (320, 256),
    ):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(SMALL_TARGETS) == []
